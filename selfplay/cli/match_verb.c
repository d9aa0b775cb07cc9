/* The verb `match`: engines play pairs of games, and the result is printed with its bounds.
 * Layer: selfplay (program). Playing and arithmetic are in match/.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <willow/program.h>

#include "match/runner.h"
#include "match_command.h"
#include "match_output.h"
#include "run/openings.h"
#include "verbs.h"

static struct match_settings settings_of(struct match_command *command, struct match_live *live)
{
    return (struct match_settings){
        .engines = command->engines,
        .players = command->players,
        .ruleset = command->ruleset,
        .format = command->format,
        .pairs = command->pairs,
        .openings = {.plies = command->opening_plies, .balance_discs = command->balance_discs, .seed = command->seed},
        .clock = command->has_clock ? &command->clock : NULL,
        .hash_bytes = command->hash_mb << 20,
        .threads = command->threads,
        .start_limit_ms = command->start_limit_ms,
        .move_limit_ms = command->move_limit_ms,
        .faults_limit = command->withdraw_after,
        .sprt = command->has_sprt ? &command->sprt : NULL,
        .folder = command->out[0] != '\0' ? command->out : NULL,
        .stop = willow_interrupt(),
        .fault = match_live_fault,
        .tick = match_live_tick,
        .context = live,
    };
}

/* Prints what was finished, also of a match that was stopped. */
static enum willow_status print_result(const struct match_command *command, const struct match_result *result,
                                       const char *const *names, struct willow_error *error)
{
    struct standings standings;
    const struct match_report report = {.command = command, .result = result, .standings = &standings, .names = names};
    const enum willow_status status = match_standings(result, command->anchor, &standings, error);

    if (status == WILLOW_OK)
        (command->json ? match_json_print : match_text_print)(&report);
    standings_clear(&standings);
    return status;
}

static enum willow_status play(struct match_command *command, struct willow_error *error)
{
    const char *names[SCHEDULE_PLAYERS_MAX];
    struct match_live live;
    struct match_result result = {0};
    char *list = NULL, *yaml = NULL;
    size_t size;
    enum willow_status status = WILLOW_OK;

    for (int i = 0; i < command->players; i++)
        names[i] = command->engines[i].name;
    match_live_start(&live, command, names);
    struct match_settings settings = settings_of(command, &live);
    if (command->list[0] != '\0')
        status = openings_read_list(command->list, &list, &size, error);
    settings.openings.list = list;
    settings.openings.list_name = command->list;
    if (status == WILLOW_OK && settings.folder != NULL)
        status = match_yaml_make(command, &yaml, error);
    settings.yaml = yaml;
    if (status == WILLOW_OK) {
        status = match_run(&settings, &result, error);
        match_live_end(&live, &result);
    }
    if ((status == WILLOW_OK || status == WILLOW_ERR_STOPPED) && result.encounters != NULL && result.ruleset != NULL)
        status = print_result(command, &result, names, error);
    match_result_clear(&result);
    free(list);
    free(yaml);
    return status;
}

/* Each program in play takes three descriptors, and a fourth while it is started: with many threads that is more than
 * the usual soft limit, and a program that could not be started loses its game. */
static void allow_descriptors(void)
{
    const rlim_t wanted = 2 * 4 * RUNNER_THREADS_MAX + 256;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int verb_match(int argc, char **argv)
{
    struct match_command *command = calloc(1, sizeof *command);
    struct willow_error error = {0};
    enum willow_status status;

    if (command == NULL) {
        willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        return willow_report(&error);
    }
    /* A limit on file sizes is an error like a full disk: a line, and no death. */
    (void)signal(SIGXFSZ, SIG_IGN);
    allow_descriptors();
    status = match_command_parse(command, argc, argv, &error);
    if (status == WILLOW_OK)
        status = play(command, &error);
    match_command_clear(command);
    free(command);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}
