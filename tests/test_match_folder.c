/* A match on disk: pairs come back as they were and go into GGF and transcripts; cuts, kills and full disks leave whole
 * pairs. What is refused: test_match_folder_refusals. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>
#include <willow/records.h>

#include "selfplay/match/match_folder.h"
#include "support/folder_pairs.h"
#include "support/pairs_in_memory.h"
#include "support/scratch.h"

enum { PAIRS = 24 };

static void check_ggf(const char *path)
{
    char name[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    struct willow_record record;
    struct match_folder_pair pair;
    unsigned char *data = scratch_read(scratch_join(name, path, "games.ggf"), &size);
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_GGF, data, size, NULL),
                     WILLOW_OK);
    for (int i = 0; i < 2 * PAIRS; i++) {
        if (i % 2 == 0)
            folder_pairs_make(&pair, (size_t)i / 2);
        const struct game_record *wanted = &pair.games[i % 2];
        assert_true(willow_records_next(&records, &record));
        if (record.kind >= WILLOW_RECORD_OTHER_VARIANT)
            fail_msg("game %d: %s: %s", i, record.error.place, record.error.reason);
        assert_int_equal(record.game.length, wanted->game.length);
        assert_memory_equal(record.game.moves, wanted->game.moves, (size_t)wanted->game.length);
        assert_true(record.has_result);
        assert_int_equal(record.result_discs, wanted->discs);
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
}

static void check_transcripts(const char *path)
{
    char name[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    struct willow_record record;
    unsigned char *data = scratch_read(scratch_join(name, path, "games.txt"), &size);
    assert_int_equal(
        willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_TRANSCRIPTS, data, size, NULL),
        WILLOW_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        struct match_folder_pair pair;
        folder_pairs_make(&pair, i);
        for (int j = 0; j < 2; j++) {
            /* Other starts are comments. A line without moves, too; and the last pass is not written. */
            const struct willow_game *game = &pair.games[j].game;
            if (i % 4 == 0 || game->length == 0)
                continue;
            assert_true(willow_records_next(&records, &record));
            assert_in_range(record.kind, WILLOW_RECORD_COMPLETE, WILLOW_RECORD_UNFINISHED);
            assert_int_equal(record.game.length, game->length - (game->moves[game->length - 1] == WILLOW_PASS));
            assert_memory_equal(record.game.moves, game->moves, (size_t)record.game.length);
        }
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
}

static void pairs_come_back_as_they_were(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH];
    folder_pairs_folder(scratch, path, PAIRS / 2);
    struct match_folder *folder = folder_pairs_open(path, PAIRS / 2);
    folder_pairs_append(folder, PAIRS / 2, PAIRS);
    assert_int_equal(write(match_folder_log(folder), "hello\n", 6), 6);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
    check_ggf(path);
    check_transcripts(path);
    size_t size;
    unsigned char *yaml = scratch_read(scratch_join(name, path, "match.yaml"), &size);
    assert_int_equal(size, strlen(folder_pairs_settings));
    free(yaml);
    free(scratch_read(scratch_join(name, path, "engines.log"), &size));
    assert_int_equal(size, 6);
    assert_int_equal(scratch_count(path, ".tmp"), 0);
    match_folder_close(folder_pairs_open(path, PAIRS), NULL);
    assert_int_equal(match_folder_close(NULL, NULL), WILLOW_OK);
    scratch_remove(scratch);
}

static void a_cut_leaves_whole_pairs(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH];
    size_t size;
    uint64_t whole;
    folder_pairs_folder(scratch, path, 4);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    unsigned char *zeros = calloc(1, size);
    const size_t last = folder_pairs_line(data, size, 6);
    for (size_t cut = last; cut <= size; cut += cut < last + 300 || cut + 300 > size ? 1 : 17) {
        assert_int_equal(pairs_in_memory(data, cut, &whole, NULL), WILLOW_OK);
        assert_int_equal(whole, cut == size ? size : last);
    }
    /* What a power cut leaves, and going on behind it: the file comes out the same. */
    const size_t second = folder_pairs_line(data, size, 7);
    const size_t cuts[] = {last + 3, second - 1, second, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        size_t length;
        memcpy(zeros, data, cuts[i]);
        memset(zeros + cuts[i], 0, size - cuts[i]);
        scratch_write(games, zeros, i % 2 ? cuts[i] : size);
        struct match_folder *folder = folder_pairs_open(path, 3);
        folder_pairs_append(folder, 3, 4);
        assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
        unsigned char *again = scratch_read(games, &length);
        assert_int_equal(length, size);
        assert_memory_equal(again, data, size);
        free(again);
    }
    free(zeros);
    free(data);
    scratch_remove(scratch);
}

/* Stretches taken out of the middle are missed; bytes changed anywhere never do worse than a refusal. */
static void damage_anywhere_is_survived(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH];
    struct willow_random random;
    size_t size;
    uint64_t whole;
    folder_pairs_folder(scratch, path, 3);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    const size_t last = folder_pairs_line(data, size, 4);
    willow_random_init(&random, 1, 1);
    for (int i = 0; i < 200; i++) {
        struct willow_error error = {0};
        unsigned char *copy = malloc(size);
        const size_t at = willow_random_below(&random, (uint32_t)last - 250);
        memcpy(copy, data, size);
        memmove(copy + at, copy + at + 250, size - at - 250);
        assert_int_equal(pairs_in_memory(copy, size - 250, &whole, &error), WILLOW_ERR_FORMAT);
        assert_int_equal(strncmp(error.place, "line ", 5), 0);
        memcpy(copy, data, size);
        copy[willow_random_below(&random, (uint32_t)size)] = (unsigned char)willow_random_below(&random, 256);
        const enum willow_status status = pairs_in_memory(copy, size, &whole, &error);
        assert_true(status == WILLOW_OK || status == WILLOW_ERR_FORMAT);
        free(copy);
    }
    free(data);
    scratch_remove(scratch);
}

static void a_full_disk_leaves_whole_pairs(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH];
    struct match_folder_pair pair;
    struct willow_error error = {0};
    struct rlimit before;
    size_t pairs = 2, size;
    folder_pairs_folder(scratch, path, pairs);
    free(scratch_read(scratch_join(games, path, "games.jsonl"), &size));
    struct match_folder *folder = folder_pairs_open(path, pairs);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit tight = {.rlim_cur = size + 9000, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    enum willow_status status = WILLOW_OK;
    while (status == WILLOW_OK && pairs < 20) {
        folder_pairs_make(&pair, pairs);
        status = match_folder_append(folder, &pair, &error);
        pairs += status == WILLOW_OK;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, WILLOW_ERR_IO);
    assert_string_equal(error.file, games);
    assert_true(pairs > 2);
    /* There is room again: the match goes on behind whole pairs, with no need to open it anew. */
    folder_pairs_append(folder, pairs, pairs + 2);
    pairs += 2;
    /* And none for the files that are made from them. */
    const struct rlimit none = {.rlim_cur = 100, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    status = match_folder_close(folder, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(status, WILLOW_ERR_IO);
    assert_int_equal(scratch_count(path, ".tmp"), 0);
    match_folder_close(folder_pairs_open(path, pairs), NULL);
    scratch_remove(scratch);
}

/* Adds pairs until it is killed, and says so of each. */
static _Noreturn void add_for_ever(const char *path, size_t first, int announce)
{
    struct match_folder *folder;
    struct match_folder_pair pair;
    if (match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings, NULL, NULL,
                          &folder, NULL))
        _exit(1);
    for (size_t i = first;; i++) {
        folder_pairs_make(&pair, i);
        if (match_folder_append(folder, &pair, NULL) != WILLOW_OK || write(announce, "+", 1) != 1)
            _exit(1);
    }
}

static void a_kill_loses_no_announced_pair(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], byte;
    size_t pairs = 0;
    folder_pairs_folder(scratch, path, 0);
    for (int round = 0; round < 4; round++) {
        int ends[2], status;
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            add_for_ever(path, pairs, ends[1]);
        (void)close(ends[1]);
        size_t announced = pairs;
        for (int i = 0; i < 3 && read(ends[0], &byte, 1) == 1; i++)
            announced++;
        assert_int_equal(announced, pairs + 3);
        (void)usleep((useconds_t)round * 700);
        assert_int_equal(kill(child, SIGKILL), 0);
        while (read(ends[0], &byte, 1) == 1)
            announced++;
        assert_int_equal(waitpid(child, &status, 0), child);
        (void)close(ends[0]);
        assert_true(WIFSIGNALED(status));

        /* At most one pair was written and not announced. */
        struct match_folder *folder;
        size_t count = 0;
        assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                           folder_pairs_check, &count, &folder, NULL),
                         WILLOW_OK);
        assert_in_range(count, announced, announced + 1);
        assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
        pairs = count;
    }
    scratch_remove(scratch);
}

/* Two games of random moves of the ruleset. */
static void make_other_pair(struct match_folder_pair *pair, const struct willow_ruleset *ruleset, uint64_t seed)
{
    struct willow_game opening;
    willow_game_init(&opening, ruleset);
    *pair = (struct match_folder_pair){.names = {"a", "b"}};
    for (int i = 0; i < 2; i++)
        folder_pairs_game(&pair->games[i], &opening, seed + (uint64_t)i, GAME_PLAYED, 0);
}

static enum willow_status check_other_pair(void *context, const struct match_folder_pair *pair,
                                           struct willow_error *error)
{
    const struct match_folder_pair *wanted = context;
    (void)error;
    for (int i = 0; i < 2; i++)
        folder_pairs_check_game(&pair->games[i], &wanted->games[i]);
    return WILLOW_OK;
}

/* The games that other programs can read: GGF where it has a word for the ruleset, else SGF. */
static void check_records(const char *path, const struct willow_ruleset *ruleset, bool sgf,
                          const struct match_folder_pair *pair)
{
    char name[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    struct willow_record record;
    unsigned char *data = scratch_read(scratch_join(name, path, sgf ? "games.sgf" : "games.ggf"), &size);
    assert_int_equal(scratch_count(path, sgf ? "games.ggf" : "games.sgf"), 0);
    assert_int_equal(
        willow_records_open(&records, ruleset, sgf ? WILLOW_RECORDS_SGF : WILLOW_RECORDS_GGF, data, size, NULL),
        WILLOW_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.kind, WILLOW_RECORD_COMPLETE);
        assert_memory_equal(record.game.moves, pair->games[i].game.moves, (size_t)record.game.length);
        assert_int_equal(record.result_discs, pair->games[i].discs);
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
    data = scratch_read(scratch_join(name, path, "games.txt"), &size);
    assert_non_null(memmem(data, size, ruleset->name, strlen(ruleset->name)));
    free(data);
}

static void games_of_other_rulesets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool sgf;
    } cases[] = {{"anti", false}, {"4x4", false}, {"6x6", false}, {"hole:c3", true}, {"reversi", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(cases[i].name);
        char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH], named[64];
        struct match_folder_pair pair;
        struct match_folder *folder;
        struct willow_error error;
        scratch_make(scratch);
        (void)scratch_join(path, scratch, "match");
        make_other_pair(&pair, ruleset, i);
        assert_int_equal(match_folder_open(path, ruleset, folder_pairs_identity, folder_pairs_settings,
                                           check_other_pair, &pair, &folder, NULL),
                         WILLOW_OK);
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_OK);
        assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
        check_records(path, ruleset, cases[i].sgf, &pair);
        assert_int_equal(match_folder_open(path, ruleset, folder_pairs_identity, folder_pairs_settings,
                                           check_other_pair, &pair, &folder, NULL),
                         WILLOW_OK);
        assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);

        /* Every line says what it is a game of. */
        size_t size;
        unsigned char *data = scratch_read(scratch_join(name, path, "games.jsonl"), &size);
        snprintf(named, sizeof named, "\"ruleset\":\"%s\"", cases[i].name);
        unsigned char *at = memmem(data, size, named, strlen(named));
        assert_non_null(at);
        assert_non_null(memmem(at + 1, size - (size_t)(at + 1 - data), named, strlen(named)));
        at[strlen(named) - 2] ^= 1;
        scratch_write(name, data, size);
        free(data);
        assert_int_equal(match_folder_open(path, ruleset, folder_pairs_identity, folder_pairs_settings,
                                           check_other_pair, &pair, &folder, &error),
                         WILLOW_ERR_MISMATCH);
        assert_non_null(strstr(error.reason, cases[i].name));
        assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                           check_other_pair, &pair, &folder, &error),
                         WILLOW_ERR_MISMATCH);
        scratch_remove(scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_come_back_as_they_were),   cmocka_unit_test(a_cut_leaves_whole_pairs),
        cmocka_unit_test(damage_anywhere_is_survived),    cmocka_unit_test(a_full_disk_leaves_whole_pairs),
        cmocka_unit_test(a_kill_loses_no_announced_pair), cmocka_unit_test(games_of_other_rulesets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
