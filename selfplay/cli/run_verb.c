/* `willow selfplay run` and `willow selfplay resume`: progress, summary, exit codes. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include <willow/clock.h>
#include <willow/file.h>
#include <willow/program.h>

#include "run/run.h"
#include "run/run_folder.h"
#include "run/run_inputs.h"
#include "run_command.h"
#include "verbs.h"

static void show_progress(void *context, const struct run_progress *progress)
{
    struct willow_progress *line = context;
    char left[32];
    double seconds = (double)(willow_clock_ns() - line->start_ns) * 1e-9;
    double rate = seconds > 0 ? (double)progress->new_games / seconds : 0;
    const char *time_left = "?";
    if (rate > 0)
        time_left = willow_duration_text((double)(progress->games_total - progress->games_done) / rate, left);
    willow_progress_line(
        line, false,
        "%" PRIu64 "/%" PRIu64 " games, %.1f games/s, %.0f positions/s, %" PRIu64 "/%" PRIu64 " shards, %s left",
        progress->games_done, progress->games_total, rate, seconds > 0 ? (double)progress->new_rows / seconds : 0,
        progress->shards_done, progress->shards_total, time_left);
}

static void show_note(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "willow: %s\n", text);
}

static void print_summary(const struct run_command *command, const struct run_summary *summary)
{
    double seconds = (double)summary->time_ns * 1e-9, waited = (double)summary->waited_ns * 1e-9;
    if (command->parts > 0) {
        uint32_t first, end;
        run_part_shards(&command->config, command->part, command->parts, &first, &end);
        if (first == end)
            printf("part %" PRIu32 "/%" PRIu32 " of %s: no shards\n", command->part, command->parts, command->folder);
        else
            printf("part %" PRIu32 "/%" PRIu32 " of %s: shards %" PRIu32 " .. %" PRIu32 ", %" PRIu64 " games, %" PRIu64
                   " positions; %.0f positions/s; seed %" PRIu64 "\n",
                   command->part, command->parts, command->folder, first, end - 1, summary->games, summary->rows,
                   seconds > 0 ? (double)summary->new_rows / seconds : 0, command->config.seed);
    } else {
        printf("%s: %" PRIu64 " games, %" PRIu64 " positions, %.1f bytes a position; %.0f positions/s; seed %" PRIu64
               "\n",
               command->folder, summary->games, summary->rows,
               summary->rows > 0 ? (double)summary->size_bytes / (double)summary->rows : 0,
               seconds > 0 ? (double)summary->new_rows / seconds : 0, command->config.seed);
    }
    if (waited > 0.01 * seconds * command->threads && waited > 0.1 * command->threads)
        printf("the threads that play waited for the writer: %.1f s of %.1f s each\n", waited / command->threads,
               seconds);
}

static int play(const struct run_command *command, const struct run_inputs *inputs, struct willow_ranks *ranks,
                struct willow_error *error)
{
    struct willow_progress line = {0};
    const struct run_options options = {.config = &command->config,
                                        .inputs = inputs,
                                        .folder = command->folder,
                                        .layout = command->layout,
                                        .tool = willow_version(),
                                        .threads = command->threads,
                                        .part = command->part,
                                        .parts = command->parts,
                                        .ranks = ranks,
                                        .stop = willow_interrupt(),
                                        .progress = show_progress,
                                        .note = show_note,
                                        .context = &line};
    struct run_summary summary;
    willow_progress_start(&line, command->quiet);
    enum willow_status status = run_dataset(&options, &summary, error);
    /* One rank speaks for all. */
    if (willow_ranks_self(ranks) > 0)
        return WILLOW_EXIT_OK;
    bool failed = status && status != WILLOW_ERR_STOPPED;
    /* A live line is ended before an error is printed; without one the error stays alone. */
    if (!failed || line.width > 0)
        willow_progress_line(&line, true, "%" PRIu64 " games in shards", summary.games);
    if (failed)
        return willow_report(error);
    print_summary(command, &summary);
    if (status != WILLOW_ERR_STOPPED)
        return willow_finish(WILLOW_EXIT_OK);
    if (command->parts > 0)
        (void)fprintf(stderr, "stopped; finished shards are kept; the same command goes on\n");
    else
        (void)fprintf(stderr, "stopped; finished shards are kept; go on with: willow selfplay resume %s\n",
                      command->folder);
    /* Whoever asked for these games has not got them. */
    return willow_finish(WILLOW_EXIT_FAILED);
}

/* Whether weights are to be told of: nobody asks them, or they were told of before, where there is a run already. */
static bool begins(const struct run_command *command, const char *copies)
{
    char path[RUN_COMMAND_PATH];
    return !copies && command->config.policy == RUN_POLICY_SEARCH &&
           willow_path_join(path, sizeof path, command->folder, RUN_CONFIG_FILE, NULL) == WILLOW_OK &&
           !willow_file_exists(path);
}

/* Loads what the configuration names, or with a folder the copies in it, and plays. */
static int play_loaded(struct run_command *command, const char *copies, struct willow_ranks *ranks,
                       struct willow_error *error)
{
    struct run_inputs inputs = {0};
    enum willow_status own = run_inputs_load(&inputs, &command->config, copies, error);
    enum willow_status status = willow_ranks_agree(ranks, own, error);
    int code = WILLOW_EXIT_OK;
    if (!status && begins(command, copies) && willow_ranks_self(ranks) == 0)
        willow_tell_of_zero_weights("willow", command->config.weights[0] ? command->config.weights : NULL,
                                    inputs.ruleset);
    if (!status)
        code = play(command, &inputs, ranks, error);
    else if (willow_ranks_self(ranks) == 0)
        code = willow_report(error);
    run_inputs_clear(&inputs);
    return code;
}

/* A write beyond a limit on file sizes shall fail like a full disk, not kill. A part knows of no other ranks. */
static int play_with(struct run_command *command, const char *copies, struct willow_error *error)
{
    struct willow_ranks *ranks = NULL;
    (void)signal(SIGXFSZ, SIG_IGN);
    if (command->parts == 0 && willow_ranks_start(&ranks, error) != WILLOW_OK)
        return willow_ranks_launched() > 0 ? WILLOW_EXIT_OK : willow_report(error); /* one speaks for all */
    if (command->threads == 0) {
        command->threads = willow_default_threads() / willow_ranks_sharing(ranks);
        command->threads = command->threads > 0 ? command->threads : 1;
    }
    int code = play_loaded(command, copies, ranks, error);
    willow_ranks_end(ranks);
    return code;
}

int verb_run(int argc, char **argv)
{
    struct run_command command;
    struct willow_error error = {0};
    if (run_command_parse(&command, argc, argv, &error) != WILLOW_OK)
        return willow_report(&error);
    return play_with(&command, NULL, &error);
}

int verb_resume(int argc, char **argv)
{
    struct run_command command;
    struct willow_error error = {0};
    if (run_command_parse_resume(&command, argc, argv, &error) != WILLOW_OK)
        return willow_report(&error);
    return play_with(&command, command.folder, &error);
}
