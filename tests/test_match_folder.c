/* A match on disk: pairs come back as they were and go into GGF and transcripts; kills and full disks leave whole
 * pairs; damage, strangers' folders and other matches are refused with file, line and reason, and left as they are. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/file.h>
#include <willow/random.h>
#include <willow/records.h>

#include "selfplay/match/match_folder.h"
#include "support/pairs_in_memory.h"
#include "support/scratch.h"

enum { PAIRS = 24 };

static const char identity[] = "a: default, depth 6\nb: default, depth 8\nopenings: 12";
static const char settings[] = "depth: 6\n";

/* A game of random moves behind `opening` ones, up to `plies` in all, that ends in this way. */
static void make_game(struct game_record *record, const struct willow_game *opening, uint64_t seed, enum game_end end,
                      int plies)
{
    struct willow_random random;
    willow_random_init(&random, seed, 1);
    *record = (struct game_record){.game = *opening, .opening = opening->length, .end = end};
    struct willow_game *game = &record->game;
    while (!willow_game_over(game) && (end == GAME_PLAYED || game->length < plies)) {
        const willow_bits moves = willow_board_moves(game->ruleset, willow_game_board(game));
        struct game_move *move = &record->moves[game->length];
        if (moves && willow_random_u64(&random) % 8 != 0) {
            move->has_score = true;
            move->score_discs = (float)((int)willow_random_below(&random, 12801) - 6400) / 100;
        }
        if (moves) {
            move->depth = (int)(willow_random_u64(&random) % 30);
            move->nodes = willow_random_u64(&random) >> (1 + willow_random_u64(&random) % 60);
            move->used_ns = willow_random_u64(&random) % 100000000 * 1000;
        }
        assert_int_equal(
            willow_game_play(game, moves ? (willow_square)willow_random_bit(&random, moves) : WILLOW_PASS, NULL),
            WILLOW_OK);
    }
    record->discs = willow_game_final_discs(game);
    if (end == GAME_PLAYED)
        return;
    record->culprit = seed % 3 == 0 ? WILLOW_BLACK : WILLOW_WHITE;
    record->discs = record->culprit == WILLOW_BLACK ? -64 : 64;
    if (game_end_is_fault(end))
        (void)snprintf(record->reason, sizeof record->reason, "said \"%d\\\" \xC3\xA9", plies);
}

static void make_opening(struct willow_game *opening, uint64_t seed, int plies)
{
    struct willow_random random;
    willow_random_init(&random, seed, 2);
    willow_game_init(opening, willow_ruleset_default());
    /* Every fourth starts elsewhere: one disc of white's missing, and white to move in half of these. */
    if (seed % 4 == 0) {
        struct willow_board board = opening->boards[0];
        board.opponent ^= UINT64_C(1) << 27;
        const enum willow_side side = seed % 8 == 0 ? WILLOW_WHITE : WILLOW_BLACK;
        if (side == WILLOW_WHITE)
            board = (struct willow_board){board.opponent, board.player};
        assert_int_equal(willow_game_init_board(opening, opening->ruleset, board, side, NULL), WILLOW_OK);
    }
    while (opening->length < plies && !willow_game_over(opening)) {
        const uint64_t moves = willow_board_moves(opening->ruleset, willow_game_board(opening));
        (void)willow_game_play(opening, moves ? (willow_square)willow_random_bit(&random, moves) : WILLOW_PASS, NULL);
    }
}

/* The names are constant. */
static void make_pair(struct match_folder_pair *pair, size_t number)
{
    static const char *const names[3] = {"alpha", "be(;GM[ta] \xCE\xA9", "gamma-1.0"};
    struct willow_game opening;
    make_opening(&opening, number, number % 5 == 4 ? 50 : (int)(number % 13));
    pair->names[0] = names[number % 2];
    pair->names[1] = names[1 + number % 2];
    pair->number = number;
    for (int i = 0; i < 2; i++)
        make_game(&pair->games[i], &opening, 2 * number + (uint64_t)i,
                  number % 3 ? GAME_PLAYED : (enum game_end)((number / 3 + (size_t)i) % GAME_ENDS),
                  opening.length + (int)(number % 7) * 3);
}

static void check_game(const struct game_record *record, const struct game_record *wanted)
{
    const struct willow_game *game = &record->game;
    assert_int_equal(game->length, wanted->game.length);
    assert_int_equal(game->start_side, wanted->game.start_side);
    assert_int_equal(game->side, wanted->game.side);
    assert_memory_equal(game->moves, wanted->game.moves, (size_t)game->length);
    assert_memory_equal(game->boards, wanted->game.boards, ((size_t)game->length + 1) * sizeof game->boards[0]);
    assert_int_equal(record->opening, wanted->opening);
    assert_int_equal(record->end, wanted->end);
    assert_int_equal(record->discs, wanted->discs);
    assert_string_equal(record->reason, wanted->reason);
    if (record->end != GAME_PLAYED)
        assert_int_equal(record->culprit, wanted->culprit);
    for (int i = record->opening; i < game->length; i++) {
        const struct game_move *move = &record->moves[i], *other = &wanted->moves[i];
        assert_int_equal(move->has_score, other->has_score);
        assert_true(move->score_discs == other->score_discs);
        assert_int_equal(move->depth, other->depth);
        assert_int_equal(move->nodes, other->nodes);
        assert_int_equal(move->used_ns, other->used_ns);
    }
}

/* Counts the pairs and compares each with the one that make_pair makes of that number. */
static enum willow_status check_pair(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    size_t *count = context;
    struct match_folder_pair wanted;
    (void)error;
    make_pair(&wanted, *count);
    assert_int_equal(pair->number, *count);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(pair->names[i], wanted.names[i]);
        check_game(&pair->games[i], &wanted.games[i]);
    }
    ++*count;
    return WILLOW_OK;
}

static struct match_folder *open_folder(const char *path, size_t wanted)
{
    struct match_folder *folder;
    struct willow_error error;
    char text[1024];
    size_t count = 0;
    if (match_folder_open(path, willow_ruleset_default(), identity, settings, check_pair, &count, &folder, &error))
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    assert_int_equal(count, wanted);
    return folder;
}

static void append_pairs(struct match_folder *folder, size_t first, size_t end)
{
    struct match_folder_pair pair;
    for (size_t i = first; i < end; i++) {
        make_pair(&pair, i);
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_OK);
    }
}

/* A folder "match" in a new scratch folder, with so many pairs. */
static void make_folder(char scratch[SCRATCH_PATH], char path[SCRATCH_PATH], size_t pairs)
{
    scratch_make(scratch);
    (void)scratch_join(path, scratch, "match");
    struct match_folder *folder = open_folder(path, 0);
    append_pairs(folder, 0, pairs);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
}

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
            make_pair(&pair, (size_t)i / 2);
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
        make_pair(&pair, i);
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
    make_folder(scratch, path, PAIRS / 2);
    struct match_folder *folder = open_folder(path, PAIRS / 2);
    append_pairs(folder, PAIRS / 2, PAIRS);
    assert_int_equal(write(match_folder_log(folder), "hello\n", 6), 6);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
    check_ggf(path);
    check_transcripts(path);
    size_t size;
    unsigned char *yaml = scratch_read(scratch_join(name, path, "match.yaml"), &size);
    assert_int_equal(size, strlen(settings));
    free(yaml);
    free(scratch_read(scratch_join(name, path, "engines.log"), &size));
    assert_int_equal(size, 6);
    assert_int_equal(scratch_count(path, ".tmp"), 0);
    match_folder_close(open_folder(path, PAIRS), NULL);
    assert_int_equal(match_folder_close(NULL, NULL), WILLOW_OK);
    scratch_remove(scratch);
}

/* Offset of the line with this number, from 0. */
static size_t line_start(const unsigned char *data, size_t size, size_t line)
{
    size_t at = 0;
    for (; line > 0; line--)
        at = (size_t)((const unsigned char *)memchr(data + at, '\n', size - at) - data) + 1;
    return at;
}

static void a_cut_leaves_whole_pairs(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH];
    size_t size;
    uint64_t whole;
    make_folder(scratch, path, 4);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    unsigned char *zeros = calloc(1, size);
    const size_t last = line_start(data, size, 6);
    for (size_t cut = last; cut <= size; cut += cut < last + 300 || cut + 300 > size ? 1 : 17) {
        assert_int_equal(pairs_in_memory(data, cut, &whole, NULL), WILLOW_OK);
        assert_int_equal(whole, cut == size ? size : last);
    }
    /* What a power cut leaves, and going on behind it: the file comes out the same. */
    const size_t second = line_start(data, size, 7);
    const size_t cuts[] = {last + 3, second - 1, second, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        size_t length;
        memcpy(zeros, data, cuts[i]);
        memset(zeros + cuts[i], 0, size - cuts[i]);
        scratch_write(games, zeros, i % 2 ? cuts[i] : size);
        struct match_folder *folder = open_folder(path, 3);
        append_pairs(folder, 3, 4);
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
    make_folder(scratch, path, 3);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    const size_t last = line_start(data, size, 4);
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

static void a_damaged_match_is_left_as_it_is(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], games[SCRATCH_PATH], yaml[SCRATCH_PATH];
    struct willow_error error = {0};
    struct match_folder *folder;
    size_t size, length;
    make_folder(scratch, path, 2);
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    data[line_start(data, size, 1) + 1] = 'x';
    scratch_write(games, data, size - 10); /* the end is cut off, too */
    scratch_write(scratch_join(yaml, path, "match.yaml"), "old", 3);
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), identity, settings, NULL, NULL, &folder, &error),
                     WILLOW_ERR_FORMAT);
    assert_null(folder);
    assert_string_equal(error.file, games);
    assert_string_equal(error.place, "line 2");
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), identity, settings, NULL, NULL, &folder, NULL),
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
    const enum willow_status got =
        match_folder_open(path, willow_ruleset_default(), wanted_identity, settings, NULL, NULL, &folder, &error);
    if (got != status || !strstr(error.reason, reason))
        fail_msg("%d \"%s\", not %d \"%s\"", (int)got, error.reason, (int)status, reason);
    assert_null(folder);
    assert_int_equal(willow_file_exists(path) ? scratch_count(path, "") : 0, before);
}

static void other_matches_and_folders_are_left_alone(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], name[SCRATCH_PATH];
    make_folder(scratch, path, 1);
    check_open(path, "a: default, depth 6\nb: default, depth 9\nopenings: 12", WILLOW_ERR_MISMATCH,
               "\"b: default, depth 8\", not \"b: default, depth 9\"");
    check_open(path, "a: default, depth 6\n", WILLOW_ERR_MISMATCH, "\"b: default, depth 8\", not \"\"");
    check_open(path, "", WILLOW_ERR_MISMATCH, "\"a: default, depth 6\", not \"\"");
    char longer[600] = "a: default, depth 6";
    memset(longer + strlen(longer), 'x', sizeof longer - 1 - strlen(longer));
    check_open(path, longer, WILLOW_ERR_MISMATCH, "\"a: default, depth 6\", not \"a: default, depth 6xxx");
    struct match_folder *folder = open_folder(path, 1);
    check_open(path, identity, WILLOW_ERR_BUSY, "in use by another run");
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
        check_open(path, identity, files[i].status, files[i].reason);
    }
    /* A folder of something else, and a file. */
    (void)scratch_join(path, scratch, "data");
    assert_int_equal(mkdir(path, 0777), 0);
    scratch_write(scratch_join(name, path, "manifest.json"), "{}", 2);
    check_open(path, identity, WILLOW_ERR_BUSY, "holds \"manifest.json\" and no match");
    assert_int_equal(match_folder_open(name, willow_ruleset_default(), identity, settings, NULL, NULL, &folder, NULL),
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
    match_folder_close(open_folder(path, 0), NULL);
    assert_int_equal(unlink(scratch_join(name, path, "games.jsonl")), 0);
    assert_int_equal(unlink(scratch_join(name, path, "games.ggf")), 0);
    match_folder_close(open_folder(path, 0), NULL);
    assert_true(willow_file_exists(name));
    /* A pipe would not be waited for; bytes that are no UTF-8 do not make a match another one. */
    assert_int_equal(unlink(scratch_join(name, path, "engines.log")), 0);
    assert_int_equal(mkfifo(name, 0666), 0);
    assert_int_equal(match_folder_open(path, willow_ruleset_default(), identity, settings, NULL, NULL, &folder, NULL),
                     WILLOW_ERR_IO);
    char odd[600] = "", other[600];
    memset(odd, 0xFF, sizeof odd - 1);
    memcpy(other, odd, sizeof odd);
    other[500] = 'o';
    (void)scratch_join(path, scratch, "other");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(match_folder_open(path, willow_ruleset_default(), odd, settings, NULL, NULL, &folder, NULL),
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
    make_folder(scratch, path, 2);
    /* A visitor that refuses keeps even half a pair on disk. */
    unsigned char *data = scratch_read(scratch_join(games, path, "games.jsonl"), &size);
    scratch_write(games, data, size - 1);
    assert_int_equal(
        match_folder_open(path, willow_ruleset_default(), identity, settings, refuse, NULL, &folder, &error),
        WILLOW_ERR_MISMATCH);
    assert_string_equal(error.reason, "pair 0");
    free(data);
    free(scratch_read(games, &size));
    folder = open_folder(path, 1);
    make_pair(&pair, 1);
    pair.games[1].discs += 2;
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    make_pair(&pair, 1);
    (void)willow_game_undo(&pair.games[0].game);
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    make_pair(&pair, 1);
    static const char *const names[] = {"", "two\nlines", "no UTF-8 \xFF", NULL};
    char longest[ENGINE_NAME_MAX + 1] = "";
    memset(longest, 'n', ENGINE_NAME_MAX);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        pair.names[0] = names[i] ? names[i] : longest;
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_ARGUMENT);
    }
    append_pairs(folder, 1, 2);
    match_folder_close(folder, NULL);

    /* A folder that is gone takes no more pairs, and another one in its place nothing at all. */
    folder = open_folder(path, 2);
    scratch_remove(path);
    other = open_folder(path, 0);
    make_pair(&pair, 2);
    assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_ERR_IO);
    assert_int_equal(match_folder_close(folder, NULL), WILLOW_ERR_IO);
    assert_int_equal(scratch_count(path, ".ggf"), 0);
    assert_int_equal(match_folder_close(other, NULL), WILLOW_OK);
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
    make_folder(scratch, path, pairs);
    free(scratch_read(scratch_join(games, path, "games.jsonl"), &size));
    struct match_folder *folder = open_folder(path, pairs);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit tight = {.rlim_cur = size + 9000, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    enum willow_status status = WILLOW_OK;
    while (status == WILLOW_OK && pairs < 20) {
        make_pair(&pair, pairs);
        status = match_folder_append(folder, &pair, &error);
        pairs += status == WILLOW_OK;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, WILLOW_ERR_IO);
    assert_string_equal(error.file, games);
    assert_true(pairs > 2);
    /* There is room again: the match goes on behind whole pairs, with no need to open it anew. */
    append_pairs(folder, pairs, pairs + 2);
    pairs += 2;
    /* And none for the files that are made from them. */
    const struct rlimit none = {.rlim_cur = 100, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    status = match_folder_close(folder, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(status, WILLOW_ERR_IO);
    assert_int_equal(scratch_count(path, ".tmp"), 0);
    match_folder_close(open_folder(path, pairs), NULL);
    scratch_remove(scratch);
}

/* Adds pairs until it is killed, and says so of each. */
static _Noreturn void add_for_ever(const char *path, size_t first, int announce)
{
    struct match_folder *folder;
    struct match_folder_pair pair;
    if (match_folder_open(path, willow_ruleset_default(), identity, settings, NULL, NULL, &folder, NULL))
        _exit(1);
    for (size_t i = first;; i++) {
        make_pair(&pair, i);
        if (match_folder_append(folder, &pair, NULL) != WILLOW_OK || write(announce, "+", 1) != 1)
            _exit(1);
    }
}

static void a_kill_loses_no_announced_pair(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], path[SCRATCH_PATH], byte;
    size_t pairs = 0;
    make_folder(scratch, path, 0);
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
        assert_int_equal(
            match_folder_open(path, willow_ruleset_default(), identity, settings, check_pair, &count, &folder, NULL),
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
        make_game(&pair->games[i], &opening, seed + (uint64_t)i, GAME_PLAYED, 0);
}

static enum willow_status check_other_pair(void *context, const struct match_folder_pair *pair,
                                           struct willow_error *error)
{
    const struct match_folder_pair *wanted = context;
    (void)error;
    for (int i = 0; i < 2; i++)
        check_game(&pair->games[i], &wanted->games[i]);
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
        assert_int_equal(match_folder_open(path, ruleset, identity, settings, check_other_pair, &pair, &folder, NULL),
                         WILLOW_OK);
        assert_int_equal(match_folder_append(folder, &pair, NULL), WILLOW_OK);
        assert_int_equal(match_folder_close(folder, NULL), WILLOW_OK);
        check_records(path, ruleset, cases[i].sgf, &pair);
        assert_int_equal(match_folder_open(path, ruleset, identity, settings, check_other_pair, &pair, &folder, NULL),
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
        assert_int_equal(match_folder_open(path, ruleset, identity, settings, check_other_pair, &pair, &folder, &error),
                         WILLOW_ERR_MISMATCH);
        assert_non_null(strstr(error.reason, cases[i].name));
        assert_int_equal(match_folder_open(path, willow_ruleset_default(), identity, settings, check_other_pair, &pair,
                                           &folder, &error),
                         WILLOW_ERR_MISMATCH);
        scratch_remove(scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_come_back_as_they_were),
        cmocka_unit_test(a_cut_leaves_whole_pairs),
        cmocka_unit_test(damage_anywhere_is_survived),
        cmocka_unit_test(a_damaged_match_is_left_as_it_is),
        cmocka_unit_test(other_matches_and_folders_are_left_alone),
        cmocka_unit_test(what_a_kill_leaves_of_the_beginning_is_taken),
        cmocka_unit_test(callers_are_told),
        cmocka_unit_test(a_full_disk_leaves_whole_pairs),
        cmocka_unit_test(a_kill_loses_no_announced_pair),
        cmocka_unit_test(games_of_other_rulesets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
