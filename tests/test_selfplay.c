/* Self-play runs: rows that depend on neither threads nor kills, and nothing announced that is not good. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/file.h>

#include "selfplay/dataset/audit.h"
#include "selfplay/dataset/shard_files.h"
#include "selfplay/dataset/shard_text.h"
#include "selfplay/run/run.h"
#include "support/datasets.h"
#include "support/random_weights.h"
#include "support/scratch.h"

struct fixture {
    char folder[SCRATCH_PATH], data[SCRATCH_PATH];
    struct run_inputs inputs;
    struct run_config config;
    int notes;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->data, fixture->folder, "data");
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    fixture->inputs.ruleset = willow_ruleset_default();
    fixture->inputs.weights[0] = random_weights(willow_pattern_set_default(), &stages, 1, WILLOW_SCORE_DISC);
    struct run_config *config = &fixture->config;
    *config = run_config_default();
    config->games = 43; /* the last shard is short */
    config->shard_games = 8;
    config->depth = 2;
    config->exact = 5;
    config->hash_mb = 1;
    config->noise = 2;
    config->noise_plies = 12;
    config->random_move = 0.05;
    strcpy(config->weights, "random");
    strcpy(config->weights_checksum, willow_weights_checksum(fixture->inputs.weights[0]));
    strcpy(config->ruleset, willow_ruleset_default()->name);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    run_inputs_clear(&fixture->inputs);
    scratch_remove(fixture->folder);
    free(fixture);
    return 0;
}

static void count_note(void *context, const char *text)
{
    (void)text;
    ((struct fixture *)context)->notes++;
}

static enum willow_status run(struct fixture *fixture, const char *folder, int threads, const struct willow_stop *stop,
                              struct run_summary *summary, struct willow_error *error)
{
    const struct run_options options = {.config = &fixture->config,
                                        .inputs = &fixture->inputs,
                                        .folder = folder,
                                        .tool = "test",
                                        .threads = threads,
                                        .stop = stop,
                                        .note = count_note,
                                        .context = fixture};
    return run_dataset(&options, summary, error);
}

/* Every game and row of the dataset is what a replay gives, and the games stand in their order. */
static void assert_sound(const char *folder)
{
    struct willow_manifest manifest;
    assert_int_equal(willow_manifest_read(folder, &manifest, NULL), WILLOW_OK);
    for (size_t i = 0; i < manifest.count; i++) {
        char path[SCRATCH_PATH];
        struct willow_shard_info info;
        struct willow_row *rows;
        struct willow_game_row *games;
        struct audit audit = {.ruleset = willow_ruleset_default()};
        assert_int_equal(shard_path(path, sizeof path, folder, manifest.shards[i].number, NULL), WILLOW_OK);
        assert_int_equal(willow_shard_read(path, &info, &rows, &games, NULL), WILLOW_OK);
        for (uint64_t game = 0; game < info.games; game++)
            assert_int_equal(games[game].id, info.first_game + game);
        assert_int_equal(audit_shard(&audit, &info, rows, games, NULL), WILLOW_OK);
        assert_int_equal(audit.faults, 0);
        free(rows);
        free(games);
    }
    willow_manifest_clear(&manifest);
}

/* Plays the whole run at once in a folder of its own and returns its rows. */
static struct willow_row *undisturbed(struct fixture *fixture, const char *name, int threads, size_t *count)
{
    char folder[SCRATCH_PATH];
    struct run_summary summary;
    scratch_join(folder, fixture->folder, name);
    assert_int_equal(run(fixture, folder, threads, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.games, fixture->config.games);
    struct willow_row *rows = datasets_rows(folder, count);
    assert_int_equal(summary.rows, *count);
    assert_sound(folder);
    return rows;
}

static void rows_do_not_depend_on_threads(void **state)
{
    struct fixture *fixture = *state;
    size_t one_count, count;
    struct willow_row *one = undisturbed(fixture, "1", 1, &one_count);
    for (int threads = 2; threads <= 5; threads++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%d", threads);
        struct willow_row *rows = undisturbed(fixture, name, threads, &count);
        assert_true(datasets_rows_equal(rows, count, one, one_count));
        free(rows);
    }
    fixture->config.seed++;
    struct willow_row *other = undisturbed(fixture, "other", 2, &count);
    assert_false(count == one_count && memcmp(one, other, count * sizeof *one) == 0);
    free(one);
    free(other);
}

/* What a manifest lists must be whole and match its checksum at any instant. scratch_rows ends the program otherwise.
 */
static uint64_t announced_rows(const char *folder)
{
    char path[SCRATCH_PATH];
    size_t count = 0;
    if (willow_file_exists(scratch_join(path, folder, "manifest.json")))
        free(datasets_rows(folder, &count));
    return count;
}

static void killed_runs_lose_nothing_and_end_the_same(void **state)
{
    struct fixture *fixture = *state;
    size_t whole_count, count;
    uint64_t announced = 0;
    struct willow_row *whole = undisturbed(fixture, "whole", 2, &whole_count);
    int kills = 0, ended = 0;
    for (int attempt = 0; attempt < 400 && !ended; attempt++) {
        int status;
        (void)fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct run_summary summary;
            _exit(run(fixture, fixture->data, 1 + attempt % 3, NULL, &summary, NULL) != WILLOW_OK);
        }
        /* Up to two milliseconds more for each attempt: kills at all stages of starting, playing and writing. */
        (void)nanosleep(&(struct timespec){0, 1000000 + attempt * (attempt % 7) * 300000L}, NULL);
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        kills += WIFSIGNALED(status);
        ended = WIFEXITED(status);
        assert_true(!ended || WEXITSTATUS(status) == 0);
        uint64_t now = announced_rows(fixture->data);
        assert_true(now >= announced);
        announced = now;
    }
    struct run_summary summary;
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(kills > 0);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    assert_int_equal(scratch_count(fixture->data, ".tmp"), 0);
    assert_int_equal(fixture->notes, 0);
    free(rows);
    free(whole);
}

static void full_disk_keeps_what_is_finished(void **state)
{
    struct fixture *fixture = *state;
    willow_weights_free(fixture->inputs.weights[0]); /* others, whose file is smaller than a shard */
    assert_int_equal(willow_weights_open("zero", NULL, &fixture->inputs.weights[0], NULL), WILLOW_OK);
    strcpy(fixture->config.weights_checksum, willow_weights_checksum(fixture->inputs.weights[0]));
    size_t whole_count, count;
    struct willow_row *whole = undisturbed(fixture, "whole", 2, &whole_count);
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        /* Room for configuration, weights and manifest, and for the last and shortest shard only. */
        char path[SCRATCH_PATH], last[SCRATCH_PATH];
        struct run_summary summary;
        struct willow_error error = {0};
        struct stat size;
        scratch_join(path, fixture->folder, "whole");
        int faults = stat(scratch_join(last, path, "shard-000005.h5"), &size) != 0;
        struct rlimit limit = {(rlim_t)size.st_size + 500, (rlim_t)size.st_size + 500};
        (void)signal(SIGXFSZ, SIG_IGN);
        faults += setrlimit(RLIMIT_FSIZE, &limit) != 0;
        faults += run(fixture, fixture->data, 3, NULL, &summary, &error) != WILLOW_ERR_IO;
        faults += strstr(error.file, "shard-00000") == NULL || strstr(error.reason, strerror(EFBIG)) == NULL;
        faults += scratch_count(fixture->data, ".tmp");
        _exit(faults);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)announced_rows(fixture->data);
    struct run_summary summary;
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    free(rows);
    free(whole);
}

/* Takes shards 1 and 3 off the list, as after a kill between renaming and listing. */
static void unlist_two(const char *folder)
{
    struct willow_manifest manifest;
    assert_int_equal(willow_manifest_read(folder, &manifest, NULL), WILLOW_OK);
    assert_int_equal(manifest.count, 6);
    manifest.shards[1] = manifest.shards[2];
    manifest.shards[2] = manifest.shards[4];
    manifest.shards[3] = manifest.shards[5];
    manifest.count = 4;
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
}

/* A shard that is whole in itself, but whose first row does not say what its game says. */
static void spoil_shard(const char *folder, uint32_t number)
{
    char path[SCRATCH_PATH], checksum[WILLOW_CHECKSUM_TEXT];
    struct willow_shard_info info;
    struct willow_row *rows;
    struct willow_game_row *games;
    assert_int_equal(shard_path(path, sizeof path, folder, number, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_read(path, &info, &rows, &games, NULL), WILLOW_OK);
    char *text;
    assert_int_equal(shard_configuration(path, &text, NULL), WILLOW_OK);
    info.configuration = text;
    rows[0].result = (int8_t)(rows[0].result > 0 ? rows[0].result - 2 : rows[0].result + 2);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(willow_shard_write(folder, number, &info, rows, games, checksum, NULL), WILLOW_OK);
    free(text);
    free(rows);
    free(games);
}

static void unlisted_shards_are_adopted_or_played_again(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    size_t whole_count, count, size;
    char path[SCRATCH_PATH];
    struct willow_row *whole = undisturbed(fixture, "data", 2, &whole_count);
    unlist_two(fixture->data);
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.new_games, 0);
    assert_int_equal(fixture->notes, 0);
    unlist_two(fixture->data);
    unsigned char *data = scratch_read(scratch_join(path, fixture->data, "shard-000003.h5"), &size);
    scratch_write(path, data, size / 2);
    scratch_write(scratch_join(path, fixture->data, "shard-000002.h5.tmp"), data, size / 3);
    assert_int_equal(unlink(scratch_join(path, fixture->data, "shard-000000.h5")), 0); /* listed, but gone */
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.new_games, 16);
    assert_int_equal(fixture->notes, 2);
    assert_int_equal(scratch_count(fixture->data, ".tmp"), 0);
    unlist_two(fixture->data);
    spoil_shard(fixture->data, 3);
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.new_games, 8);
    assert_int_equal(fixture->notes, 3);
    assert_sound(fixture->data);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    free(rows);
    free(whole);
    free(data);
}

static enum willow_status hold_folder(struct run_folder *folder, struct fixture *fixture, uint32_t part, uint32_t parts)
{
    const struct run_folder_options options = {.path = fixture->data,
                                               .config = &fixture->config,
                                               .inputs = &fixture->inputs,
                                               .tool = "test",
                                               .part = part,
                                               .parts = parts,
                                               .ranks = 1};
    return run_folder_open(folder, &options, NULL);
}

static void other_runs_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    struct willow_error error;
    struct run_folder holder;
    char path[SCRATCH_PATH];
    size_t count;
    free(undisturbed(fixture, "data", 2, &count));
    assert_int_equal(hold_folder(&holder, fixture, 0, 0), WILLOW_OK);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_BUSY);
    run_folder_close(&holder);
    fixture->config.depth++;
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(unlink(scratch_join(path, fixture->data, "manifest.json")), 0);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(run(fixture, fixture->data, 0, NULL, &summary, &error), WILLOW_ERR_ARGUMENT);
    /* Shards of the other run are somebody's: refused, not removed. */
    assert_int_equal(unlink(scratch_join(path, fixture->data, "config.yaml")), 0);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    scratch_write(path, "", 0);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(scratch_count(fixture->data, ".h5"), 6);
    /* Somebody's own file of that name stays as it is. */
    char own[SCRATCH_PATH];
    scratch_join(own, fixture->folder, "config.yaml");
    scratch_write(own, "games: 5\n", 9);
    assert_int_equal(run(fixture, fixture->folder, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_string_equal(error.file, own);
}

/* As a run whose configuration was changed by hand after its manifest was lost: what is there stays. */
static void shards_of_another_run_are_left_alone(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    struct willow_error error;
    char path[SCRATCH_PATH], other[SCRATCH_PATH];
    size_t count;
    free(undisturbed(fixture, "data", 2, &count));
    fixture->config.keep = 0.5;
    free(undisturbed(fixture, "other", 2, &count));
    assert_int_equal(unlink(scratch_join(path, fixture->data, "manifest.json")), 0);
    scratch_join(other, fixture->folder, "other/config.yaml");
    assert_int_equal(rename(other, scratch_join(path, fixture->data, "config.yaml")), 0);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_string_equal(error.file, scratch_join(path, fixture->data, "shard-000000.h5"));
    assert_int_equal(scratch_count(fixture->data, ".h5"), 6);
    assert_int_equal(summary.games, 0);
}

static enum willow_status run_part(struct fixture *fixture, uint32_t part, uint32_t parts, struct run_summary *summary)
{
    const struct run_options options = {.config = &fixture->config,
                                        .inputs = &fixture->inputs,
                                        .folder = fixture->data,
                                        .tool = "test",
                                        .threads = 1 + (int)part % 3,
                                        .part = part,
                                        .parts = parts,
                                        .note = count_note,
                                        .context = fixture};
    return run_dataset(&options, summary, NULL);
}

static void parts_cover_every_shard_once(void **state)
{
    struct run_config config = ((struct fixture *)*state)->config;
    for (config.games = 1; config.games < 200; config.games += 7)
        for (uint32_t parts = 1; parts < 30; parts++) {
            uint32_t next = 0, first, end;
            for (uint32_t part = 1; part <= parts; part++, next = end) {
                run_part_shards(&config, part, parts, &first, &end);
                assert_int_equal(first, next);
                assert_in_range(end - first, run_config_shards(&config) / parts,
                                run_config_shards(&config) / parts + 1);
            }
            assert_int_equal(next, run_config_shards(&config));
        }
}

/* Parts in processes of their own, all at once from an empty folder, then what is left. */
static void parts_make_the_same_dataset(void **state)
{
    enum { PARTS = 4 };
    struct fixture *fixture = *state;
    struct run_summary summary;
    size_t whole_count, count;
    char path[SCRATCH_PATH];
    pid_t children[PARTS];
    struct willow_row *whole = undisturbed(fixture, "whole", 2, &whole_count);
    (void)fflush(NULL);
    for (uint32_t part = 0; part < PARTS; part++) {
        children[part] = fork();
        assert_true(children[part] >= 0);
        if (children[part] == 0)
            _exit(run_part(fixture, part + 1, PARTS, &summary) != WILLOW_OK);
    }
    for (uint32_t part = 0; part < PARTS; part++) {
        int status = 1;
        assert_int_equal(waitpid(children[part], &status, 0), children[part]);
        assert_int_equal(status, 0);
    }
    assert_false(willow_file_exists(scratch_join(path, fixture->data, "manifest.json")));
    assert_int_equal(scratch_count(fixture->data, ".h5"), 6);
    /* Nothing left to do for a part, another division, and more parts than shards. */
    assert_int_equal(run_part(fixture, 1, 3, &summary), WILLOW_OK);
    assert_int_equal(summary.new_games, 0);
    assert_int_equal(summary.games, 16);
    assert_int_equal(run_part(fixture, 1, 7, &summary), WILLOW_OK);
    assert_int_equal(summary.games, 0);
    assert_int_equal(unlink(scratch_join(path, fixture->data, "shard-000005.h5")), 0);
    assert_int_equal(unlink(scratch_join(path, fixture->data, "shard-000001.h5")), 0);
    assert_int_equal(run_part(fixture, 2, 2, &summary), WILLOW_OK);
    assert_int_equal(summary.new_games, 3);
    assert_int_equal(run(fixture, fixture->data, 2, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.new_games, 8);
    assert_int_equal(fixture->notes, 0);
    assert_sound(fixture->data);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    free(rows);
    free(whole);
}

/* Shards 0 .. 2 are in use. A part removes no temporary file but those of its own shards. */
static void only_disjoint_parts_run_at_once(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    struct run_folder holder;
    char path[SCRATCH_PATH];
    assert_int_equal(hold_folder(&holder, fixture, 1, 2), WILLOW_OK);
    assert_int_equal(holder.missing_count, 3);
    scratch_write(scratch_join(path, fixture->data, "shard-000001.h5.tmp"), "x", 1);
    assert_int_equal(run_part(fixture, 1, 2, &summary), WILLOW_ERR_BUSY);
    assert_int_equal(run_part(fixture, 2, 3, &summary), WILLOW_ERR_BUSY); /* 2 and 3 */
    assert_int_equal(run_part(fixture, 1, 1, &summary), WILLOW_ERR_BUSY);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, NULL), WILLOW_ERR_BUSY);
    assert_int_equal(run_part(fixture, 3, 3, &summary), WILLOW_OK); /* 4 and 5 */
    assert_int_equal(run_part(fixture, 2, 2, &summary), WILLOW_OK);
    assert_true(willow_file_exists(path));
    run_folder_close(&holder);
    assert_int_equal(run_part(fixture, 1, 2, &summary), WILLOW_OK);
    assert_int_equal(scratch_count(fixture->data, ".tmp"), 0);
    fixture->config.seed++;
    assert_int_equal(run_part(fixture, 1, 2, &summary), WILLOW_ERR_MISMATCH);
}

/* A pool and a list of openings, of which one leads to the position of another: resolved as run_inputs_load does it. */
static void add_pool_and_list(struct fixture *fixture)
{
    static const char list[] = "f5d6c3\nf5f6e6f4\n# the same position, seen from another side\nd3c5f6\nf5d6c4\n";
    struct run_config *config = &fixture->config;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    fixture->inputs.weights[1] = random_weights(willow_pattern_set_default(), &stages, 2, WILLOW_SCORE_DISC);
    fixture->inputs.list = strdup(list);
    strcpy(fixture->inputs.list_name, "list");
    config->pool_count = 1;
    config->pool_share = 0.5;
    strcpy(config->pool[0], "gone.wlw");
    strcpy(config->pool_checksums[0], willow_weights_checksum(fixture->inputs.weights[1]));
    config->opening = OPENINGS_LIST;
    strcpy(config->opening_list, "gone.txt");
    willow_checksum128_text(list, strlen(list), config->opening_checksum);
}

static void a_run_needs_nothing_but_its_folder(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    struct run_inputs copies;
    size_t whole_count, count;
    char path[SCRATCH_PATH];
    add_pool_and_list(fixture);
    struct willow_row *whole = undisturbed(fixture, "data", 2, &whole_count);
    assert_int_equal(fixture->notes, 1); /* of the openings left out */
    assert_int_equal(run_inputs_load(&copies, &fixture->config, fixture->data, NULL), WILLOW_OK);
    run_inputs_clear(&fixture->inputs);
    fixture->inputs = copies;
    assert_int_equal(unlink(scratch_join(path, fixture->data, "shard-000002.h5")), 0);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.new_games, 8);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    /* A copy that is another file is refused and stays. */
    scratch_write(scratch_join(path, fixture->data, "openings.txt"), "c4\n", 3);
    assert_int_equal(run(fixture, fixture->data, 1, NULL, &summary, NULL), WILLOW_ERR_MISMATCH);
    free(rows);
    free(whole);
}

/* Three openings and two weights make at most nine different games, unless chance has a part in them. */
static void repeated_games_are_announced(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    char folder[SCRATCH_PATH];
    add_pool_and_list(fixture);
    fixture->config.noise = fixture->config.random_move = 0;
    fixture->config.games = 9;
    assert_int_equal(run(fixture, scratch_join(folder, fixture->folder, "9"), 1, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(fixture->notes, 1);
    fixture->config.games = 10;
    assert_int_equal(run(fixture, scratch_join(folder, fixture->folder, "10"), 1, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(fixture->notes, 3);
    fixture->config.random_move = 0.1;
    assert_int_equal(run(fixture, scratch_join(folder, fixture->folder, "x"), 1, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(fixture->notes, 4);
}

/* Shards of one game are written far more slowly than such games are played, and no game may be lost for it. */
static void players_wait_for_a_slow_writer(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    fixture->config.policy = RUN_POLICY_MOBILITY;
    fixture->config.label = RUN_LABEL_NONE;
    fixture->config.exact = 0;
    fixture->config.shard_games = 1;
    assert_int_equal(run(fixture, fixture->data, 4, NULL, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.games, fixture->config.games);
    assert_true(summary.waited_ns > 0);
    assert_sound(fixture->data);
}

static void stop_keeps_what_is_finished(void **state)
{
    struct fixture *fixture = *state;
    struct run_summary summary;
    struct willow_stop *stop;
    size_t whole_count, count;
    struct willow_row *whole = undisturbed(fixture, "whole", 2, &whole_count);
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    assert_int_equal(run(fixture, fixture->data, 2, stop, &summary, NULL), WILLOW_ERR_STOPPED);
    assert_true(summary.games < fixture->config.games);
    willow_stop_set(stop, false);
    assert_int_equal(run(fixture, fixture->data, 2, stop, &summary, NULL), WILLOW_OK);
    struct willow_row *rows = datasets_rows(fixture->data, &count);
    assert_true(datasets_rows_equal(rows, count, whole, whole_count));
    willow_stop_free(stop);
    free(rows);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_do_not_depend_on_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(killed_runs_lose_nothing_and_end_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk_keeps_what_is_finished, setup, teardown),
        cmocka_unit_test_setup_teardown(unlisted_shards_are_adopted_or_played_again, setup, teardown),
        cmocka_unit_test_setup_teardown(other_runs_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(shards_of_another_run_are_left_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_cover_every_shard_once, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_make_the_same_dataset, setup, teardown),
        cmocka_unit_test_setup_teardown(only_disjoint_parts_run_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_run_needs_nothing_but_its_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(repeated_games_are_announced, setup, teardown),
        cmocka_unit_test_setup_teardown(players_wait_for_a_slow_writer, setup, teardown),
        cmocka_unit_test_setup_teardown(stop_keeps_what_is_finished, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
