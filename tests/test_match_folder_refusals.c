/* The folder of a match: damage, strangers' folders and other matches are refused with file, line and reason, and left
 * as they are; a beginning cut short by a kill is taken, and callers hear of the pairs that are not kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/file.h>

#include "selfplay/match/match_folder.h"
#include "support/folder_pairs.h"
#include "support/scratch.h"

static void a_damaged_match_is_left_as_it_is(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH], yaml[SCRATCH_PATH];
    struct willow_error error = {0};
    struct match_folder *folder;
    size_t size, length;
    folder_pairs_folder(scratch, path, 2);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    data[folder_pairs_line(data, size, 1) + 1] = 'x';
    scratch_write(games, data, size - 10); /* the end is cut off, too */
    scratch_write(scratch_join(yaml, path, "match.yaml"), "old", 3);
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                       NULL, NULL, &folder, &error),
                     WILLOW_ERR_FORMAT);
    assert_null(folder);
    assert_string_equal(error.file, games);
    assert_string_equal(error.place, "line 2");
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                       NULL, NULL, &folder, NULL),
                     WILLOW_ERR_FORMAT);
    unsigned char *again = scratch_read(games, &length);
    assert_int_equal(length, size - 10);
    assert_memory_equal(again, data, length);
    free(again);
    free(data);
    free(scratch_read(yaml, &length));
    assert_int_equal(length, 3);
    scratch_remove(scratch);
}

/* Opens and expects this; the folder holds as many files as it held. */
static void check_open(const char *path, const char *wanted_identity, enum willow_status status, const char *reason)
{
    struct willow_error error = {0};
    struct match_folder *folder;
    const int before = willow_file_exists(path) ? scratch_count(path, "") : 0;
    const enum willow_status got = match_folder_open(path, willow_ruleset_default(), wanted_identity,
                                                     folder_pairs_settings, NULL, NULL, &folder, &error);
    if (got != status || !strstr(error.reason, reason))
        fail_msg("%d \"%s\", not %d \"%s\"", (int)got, error.reason, (int)status, reason);
    assert_null(folder);
    assert_int_equal(willow_file_exists(path) ? scratch_count(path, "") : 0, before);
}

static void other_matches_and_folders_are_left_alone(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH];
    folder_pairs_folder(scratch, path, 1);
    check_open(path, "a: default, depth 6\nb: default, depth 9\nopenings: 12", WILLOW_ERR_MISMATCH,
               "\"b: default, depth 8\", not \"b: default, depth 9\"");
    check_open(path, "a: default, depth 6\n", WILLOW_ERR_MISMATCH, "\"b: default, depth 8\", not \"\"");
    check_open(path, "", WILLOW_ERR_MISMATCH, "\"a: default, depth 6\", not \"\"");
    char longer[600] = "a: default, depth 6";
    memset(longer + strlen(longer), 'x', sizeof longer - 1 - strlen(longer));
    check_open(path, longer, WILLOW_ERR_MISMATCH, "\"a: default, depth 6\", not \"a: default, depth 6xxx");
    struct match_folder *folder = folder_pairs_open(path, 1);
    check_open(path, folder_pairs_identity, WILLOW_ERR_BUSY, "in use by another run");
    match_folder_close(folder, NULL);
    static const struct {
        const char *text;
        enum willow_status status;
        const char *reason;
    } files[] = {
        {"{", WILLOW_ERR_FORMAT, "not sound JSON"},
        {"[]", WILLOW_ERR_BUSY, "not of a match"},
        {"{\"format\":\"other\"}", WILLOW_ERR_BUSY, "not of a match"},
        {"{\"format\":\"willow-match\",\"version\":2}", WILLOW_ERR_VERSION, "reads version 1"},
        {"{\"format\":\"willow-match\",\"version\":1}", WILLOW_ERR_FORMAT, "missing"},
        {"{\"format\":\"willow-match\",\"version\":1,\"ruleset\":\"othello\"}", WILLOW_ERR_FORMAT, "missing"},
        {"{\"format\":\"willow-match\",\"version\":1,\"ruleset\":\"anti\",\"identity\":\"\"}", WILLOW_ERR_MISMATCH,
         "a match of anti, not of othello"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        scratch_write(scratch_join(name, path, "match.json"), files[i].text, strlen(files[i].text));
        check_open(path, folder_pairs_identity, files[i].status, files[i].reason);
    }
    /* A folder of something else, and a file. */
    (void)scratch_join(path, scratch, "data");
    assert_int_equal(mkdir(path, 0777), 0);
    scratch_write(scratch_join(name, path, "manifest.json"), "{}", 2);
    check_open(path, folder_pairs_identity, WILLOW_ERR_BUSY, "holds \"manifest.json\" and no match");
    assert_int_equal(match_folder_open(name, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                       NULL, NULL, &folder, NULL),
                     WILLOW_ERR_IO);
    scratch_remove(scratch);
}

static void what_a_kill_leaves_of_the_beginning_is_taken(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH];
    struct match_folder *folder;
    scratch_make(scratch);
    (void)scratch_join(path, scratch, "match");
    assert_int_equal(mkdir(path, 0777), 0);
    scratch_write(scratch_join(name, path, "lock"), "", 0);
    scratch_write(scratch_join(name, path, "match.json.tmp"), "{", 1);
    match_folder_close(folder_pairs_open(path, 0), NULL);
    assert_int_equal(unlink(scratch_join(name, path, "games.jsonl")), 0);
    assert_int_equal(unlink(scratch_join(name, path, "games.ggf")), 0);
    match_folder_close(folder_pairs_open(path, 0), NULL);
    assert_true(willow_file_exists(name));
    /* A pipe would not be waited for; bytes that are no UTF-8 do not make a match another one. */
    assert_int_equal(unlink(scratch_join(name, path, "engines.log")), 0);
    assert_int_equal(mkfifo(name, 0666), 0);
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                       NULL, NULL, &folder, NULL),
                     WILLOW_ERR_IO);
    char odd[600] = "", other[600];
    memset(odd, 0xFF, sizeof odd - 1);
    memcpy(other, odd, sizeof odd);
    other[500] = 'o';
    (void)scratch_join(path, scratch, "other");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            match_folder_open(path, willow_ruleset_default(), odd, folder_pairs_settings, NULL, NULL, &folder, NULL),
            WILLOW_OK);
        match_folder_close(folder, NULL);
    }
    check_open(path, other, WILLOW_ERR_MISMATCH,
               "not \"??????????????????????????????????????????????????????????????"
               "????????o??");
    scratch_remove(scratch);
}

static enum willow_status refuse(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    (void)context;
    return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "pair %zu", pair->number);
}

static void callers_are_told(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH];
    struct willow_error error;
    struct match_folder *folder, *other;
    struct match_folder_pair pair;
    size_t size;
    folder_pairs_folder(scratch, path, 2);
    /* A visitor that refuses keeps even half a pair on disk. */
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    scratch_write(games, data, size - 1);
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), folder_pairs_identity, folder_pairs_settings,
                                       refuse, NULL, &folder, &error),
                     WILLOW_ERR_MISMATCH);
    assert_string_equal(error.reason, "pair 0");
    free(data);
    free(scratch_read(games, &size));
    folder = folder_pairs_open(path, 1);
    folder_pairs_make(&pair, 1);
    pair.games[1].discs += 2;
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    folder_pairs_make(&pair, 1);
    (void)willow_game_undo(&pair.games[0].game);
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    folder_pairs_make(&pair, 1);
    static const char *const names[] = {"", "two\nlines", "no UTF-8 \xFF", NULL};
    char longest[ENGINE_NAME_MAX + 1] = "";
    memset(longest, 'n', ENGINE_NAME_MAX);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        pair.names[0] = names[i] ? names[i] : longest;
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    }
    folder_pairs_append(folder, 1, 2);
    match_folder_close(folder, NULL);

    /* A folder that is gone takes no more pairs, and another one in its place nothing at all. */
    folder = folder_pairs_open(path, 2);
    scratch_remove(path);
    other = folder_pairs_open(path, 0);
    folder_pairs_make(&pair, 2);
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_IO);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_ERR_IO);
    assert_int_equal(scratch_count(path, ".ggf"), 0);
    assert_int_equal(match_folder_close(other, NULL), WILLOW_OK);
    scratch_remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_match_is_left_as_it_is),
        cmocka_unit_test(other_matches_and_folders_are_left_alone),
        cmocka_unit_test(what_a_kill_leaves_of_the_beginning_is_taken),
        cmocka_unit_test(callers_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
