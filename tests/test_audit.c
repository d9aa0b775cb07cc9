/* The full check of a dataset: silent on good games, and every wrong label, move, board, record or sign found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>
#include <willow/search.h>

#include "selfplay/dataset/audit.h"
#include "selfplay/dataset/row.h"
#include "support/datasets.h"
#include "support/games.h"

enum { GAMES = 12, MANY_GAMES = 700, COMPACT_PLIES = 30 };

struct shard {
    struct willow_shard_info info;
    struct willow_row *rows;
    struct willow_game_row *games;
};

static void add_game(struct shard *shard, const struct played_game *played)
{
    shard->games[shard->info.games++] = played->game;
    memcpy(shard->rows + shard->info.rows, played->rows, (size_t)played->count * sizeof *played->rows);
    shard->info.rows += (uint64_t)played->count;
}

static struct shard *play(const struct run_config *config)
{
    struct shard *shard = calloc(1, sizeof *shard);
    struct willow_weights *weights;
    struct willow_search *search;
    shard->rows = calloc(GAMES * PLAY_ROWS_MAX, sizeof *shard->rows);
    shard->games = calloc(GAMES, sizeof *shard->games);
    assert_int_equal(willow_weights_open("zero", NULL, &weights, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < GAMES; game++) {
        struct played_game played;
        assert_int_equal(games_play(config, search, game, &played), WILLOW_OK);
        add_game(shard, &played);
    }
    rows_sort(shard->rows, shard->info.rows, COMPACT_PLIES);
    willow_search_free(search);
    willow_weights_free(weights);
    return shard;
}

static int setup(void **state)
{
    struct run_config config = run_config_default();
    config.depth = 1, config.exact = 8;
    *state = play(&config);
    return 0;
}

/* Results by the solver, which plays no part in the game, and random moves that make them differ from its end. */
static int setup_tail(void **state)
{
    struct run_config config = run_config_default();
    config.depth = 1, config.exact = 0, config.tail = 8, config.random_move = 0.2;
    *state = play(&config);
    return 0;
}

static int teardown(void **state)
{
    struct shard *shard = *state;
    free(shard->rows);
    free(shard->games);
    free(shard);
    return 0;
}

struct findings {
    uint64_t unflagged;
    char text[4096]; /* the first faults, a line each */
};

static void take(void *context, const char *place, const char *reason)
{
    struct findings *findings = context;
    size_t length = strlen(findings->text);
    (void)snprintf(findings->text + length, sizeof findings->text - length, "%s: %s\n", place, reason);
}

static uint64_t faults(const struct shard *shard, struct findings *findings)
{
    struct audit audit = {
        .ruleset = willow_ruleset_default(), .report = take, .context = findings, .pool_max = RUN_POOL_MAX};
    memset(findings, 0, sizeof *findings);
    assert_int_equal(audit_shard(&audit, &shard->info, shard->rows, shard->games, NULL), WILLOW_OK);
    audit_finish(&audit);
    findings->unflagged = audit.unflagged;
    return audit.faults;
}

static void expect(const struct shard *shard, const char *words)
{
    struct findings findings;
    if (faults(shard, &findings) == 0)
        fail_msg("no fault instead of '%s'", words);
    if (!strstr(findings.text, words))
        fail_msg("'%s' is not in\n%s", words, findings.text);
}

static void expect_none(const struct shard *shard)
{
    struct findings findings;
    if (faults(shard, &findings) > 0)
        fail_msg("%s", findings.text);
}

static void good_games_pass(void **state)
{
    struct shard *shard = *state;
    struct findings findings;
    assert_int_equal(faults(shard, &findings), 0);
    assert_int_equal(findings.unflagged, 0);
    rows_sort(shard->rows, shard->info.rows, 1); /* the other layout */
    expect_none(shard);
    shard->info.games = 0; /* rows alone */
    expect_none(shard);
    shard->info.rows = 0;
    expect_none(shard);
}

/* A row of that ply of game 3. */
static struct willow_row *row_of(struct shard *shard, int ply)
{
    for (uint64_t i = 0; i < shard->info.rows; i++)
        if (shard->rows[i].ply == ply && shard->rows[i].game == 3)
            return &shard->rows[i];
    fail_msg("game 3 has no row of ply %d", ply);
    return NULL;
}

static void wrong_rows_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_row *row = row_of(shard, 30), good = *row;
    row->result = (int8_t)-row->result;
    if (row->result == 0)
        row->result = 2;
    expect(shard, "the result is");
    *row = good;
    uint64_t moves = willow_board_moves(willow_ruleset_default(), (struct willow_board){row->player, row->opponent});
    moves &= ~(UINT64_C(1) << row->move);
    if (moves) {
        row->move = (uint8_t)__builtin_ctzll(moves);
        expect(shard, "the move is not the one");
        *row = good;
    }
    row->flags ^= WILLOW_ROW_AFTER_PASS;
    expect(shard, "pass");
    *row = good;
    row->player = good.opponent, row->opponent = good.player;
    expect(shard, "the board is not that of game 3");
    *row = good;
    row->game = 77;
    expect(shard, "game 77 is not in /games");
    *row = good;
    *row = *row_of(shard, 29);
    expect(shard, "game 3 has two rows of ply 29");
}

static void wrong_flags_for_random_moves_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_row *opening = row_of(shard, 0), *row = row_of(shard, 40);
    assert_true(shard->games[3].opening_plies > 0);
    opening->flags ^= WILLOW_ROW_RANDOM;
    expect(shard, "the move is of the opening");
    opening->flags ^= WILLOW_ROW_RANDOM;
    opening->flags ^= WILLOW_ROW_AFTER_RANDOM; /* nothing came before it */
    expect(shard, "the flag for a random move before it");
    opening->flags ^= WILLOW_ROW_AFTER_RANDOM;
    row->flags ^= WILLOW_ROW_AFTER_RANDOM;
    expect(shard, "the flag for a random move before it");
    row->flags ^= WILLOW_ROW_AFTER_RANDOM;
    row->flags ^= WILLOW_ROW_RANDOM; /* the next row knows better */
    expect(shard, "the flag for a random move before it");
    row->flags ^= WILLOW_ROW_RANDOM;
    /* The opening's end is known from the record, without its row. */
    struct willow_row *after = row_of(shard, shard->games[3].opening_plies);
    row_of(shard, shard->games[3].opening_plies - 1)->game = 2;
    after->flags ^= WILLOW_ROW_AFTER_RANDOM;
    expect(shard, "the flag for a random move before it");
}

/* Data of a time before the flag have it nowhere: that is said, and is no fault. */
static void rows_without_the_flag_are_counted(void **state)
{
    struct shard *shard = *state;
    struct findings findings;
    for (uint64_t i = 0; i < shard->info.rows; i++)
        shard->rows[i].flags &= (uint8_t)~WILLOW_ROW_AFTER_RANDOM;
    assert_int_equal(faults(shard, &findings), 0);
    assert_int_equal(findings.unflagged, GAMES);
}

static void wrong_exact_scores_are_found(void **state)
{
    struct shard *shard = *state;
    /* At 7 empties by its neighbours or by solving it again on their account, at 3 always; with and without games. */
    for (int empties = 7; empties >= 3; empties -= 4) {
        struct willow_row *row = row_of(shard, 60 - empties), good = *row;
        assert_true(row->flags & WILLOW_ROW_EXACT);
        for (int turned = 0; turned <= 1; turned++) {
            int discs = good.score / WILLOW_SCORE_DISC;
            row->score = (int16_t)((turned && discs != 0 ? -discs
                                    : discs < 60         ? discs + 2
                                                         : discs - 2) *
                                   WILLOW_SCORE_DISC);
            shard->info.games = GAMES;
            expect(shard, "is flagged as exact, but");
            shard->info.games = 0;
            expect(shard, "is flagged as exact, but");
        }
        *row = good;
    }
    shard->info.games = GAMES;
    struct willow_row *row = row_of(shard, 52), good = *row;
    row->score = WILLOW_SCORE_DISC;
    expect(shard, "no game ends so");
    *row = good;
    /* A random move may throw away what the position before it was worth; a chosen one may, too, where the position
     * proves the score right. */
    row_of(shard, 56)->flags |= WILLOW_ROW_RANDOM;
    row_of(shard, 57)->flags |= WILLOW_ROW_AFTER_RANDOM;
    expect_none(shard);
}

/* Labels may be exact where the player was not: the game goes on with mistakes, and that is no fault. */
static void mistakes_of_the_players_pass(void **state)
{
    struct shard *shard = *state;
    int mistakes = 0;
    for (uint64_t i = 0; i + 1 < shard->info.rows; i++) {
        const struct willow_row *row = &shard->rows[i], *next = row + 1;
        int exact = WILLOW_ROW_EXACT;
        if (row->game == next->game && (row->flags & exact) && (next->flags & exact) &&
            !((row->flags | next->flags) & (WILLOW_ROW_RANDOM | WILLOW_ROW_AFTER_PASS)))
            mistakes += row->score != -next->score;
    }
    assert_true(mistakes > 0);
    expect_none(shard);
}

static void solved_results_are_checked(void **state)
{
    struct shard *shard = *state;
    struct willow_row *row = row_of(shard, 20), good = *row;
    int differ = 0;
    for (uint64_t i = 0; i < shard->info.rows; i++) {
        const struct willow_row *at = &shard->rows[i];
        int result = shard->games[at->game].result;
        if (at->flags & WILLOW_ROW_SOLVED_RESULT)
            differ += at->result != result && at->result != -result;
    }
    assert_true(differ > 0); /* else these results show nothing */
    assert_true(row->flags & WILLOW_ROW_SOLVED_RESULT);
    expect_none(shard);
    row->result = (int8_t)(row->result == 0 ? 2 : -row->result);
    expect(shard, "the solved results of game 3");
    *row = good;
    row->flags ^= WILLOW_ROW_SOLVED_RESULT;
    row->result = 64;
    expect(shard, "the result is +64");
    *row = good;
    for (int ply = 53; ply <= 56; ply += 3) { /* exact by label, and few enough empties to solve */
        row = row_of(shard, ply), good = *row;
        row->result = (int8_t)(row->result > 0 ? row->result - 2 : row->result + 2);
        expect(shard, "the solved results of game 3");
        *row = good;
    }
}

static void wrong_records_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_game_row *game = &shard->games[5], good = *game;
    game->result = (int8_t)(game->result + 2);
    expect(shard, "instead of");
    *game = good;
    game->length = 20;
    expect(shard, "ends before it is over");
    *game = good;
    game->moves[10] = game->moves[9];
    expect(shard, "move 11");
    *game = good;
    game->white_weights = RUN_POOL_MAX + 1;
    expect(shard, "weights 17");
    *game = good;
    game->opening_plies = 61;
    expect(shard, "an opening of 61 plies");
    *game = good;
    game->id = 4;
    expect(shard, "ids of the games do not rise");
}

/* Rows alone: boards that any converter may have damaged, and that no replay can be held against. */
static void boards_that_no_game_reaches_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_row *row = row_of(shard, 0), good = *row;
    shard->info.games = 0;
    row->player = good.opponent, row->opponent = good.player;
    expect(shard, "the discs of the start have other colours");
    *row = good;
    row = row_of(shard, 12), good = *row;
    const uint64_t d4 = UINT64_C(1) << 27;
    row->player &= ~d4, row->opponent &= ~d4;
    expect(shard, "a square is empty on which the game starts");
    *row = good;
    /* Discs in two opposite corners, and one that touches another only over the edge of the board. */
    *row = (struct willow_row){.game = 3, .ply = 2};
    row->player = UINT64_C(0x8000000810000001), row->opponent = UINT64_C(0x0000001008000000);
    expect(shard, "its discs are not connected");
    row->player = UINT64_C(0x0000000810000000) | UINT64_C(0x0000000080800000),
    row->opponent = UINT64_C(0x000000F008000000);
    expect_none(shard);
    row->player = UINT64_C(0x0000000810000000) | UINT64_C(0x0000010000000000),
    row->opponent = UINT64_C(0x000000F008000000);
    expect(shard, "its discs are not connected");
    *row = good;
    expect_none(shard);
}

static void games_in_two_shards_are_found(void **state)
{
    struct shard *shard = *state;
    struct findings findings = {0};
    struct audit audit = {
        .ruleset = willow_ruleset_default(), .report = take, .context = &findings, .unique_ids = true};
    struct willow_shard_info first = {.games = 7}, second = {.games = GAMES - 6};
    assert_int_equal(audit_shard(&audit, &first, shard->rows, shard->games, NULL), WILLOW_OK);
    assert_int_equal(audit_shard(&audit, &second, shard->rows, shard->games + 6, NULL), WILLOW_OK);
    assert_int_equal(audit.faults, 0);
    audit_finish(&audit);
    assert_int_equal(audit.faults, 1);
    assert_string_equal(findings.text, "games: game 6 is in two shards\n");
    audit_clear(&audit);
}

/* Many games of random moves, with a score of each position that knows something of the result. */
struct sample {
    struct shard shard;
    double knowledge, noise, tempo, whim; /* score = knowledge * result + tempo + whim of the game + noise, in discs */
};

static void make_sample(struct sample *sample, size_t games)
{
    struct willow_random random;
    size_t count;
    willow_random_init(&random, 11, 0);
    sample->shard.rows = datasets_random_games(7, 0, games, &sample->shard.games, &count);
    sample->shard.info = (struct willow_shard_info){.rows = count, .games = games};
    for (size_t i = 0; i < count; i++) {
        struct willow_row *row = &sample->shard.rows[i];
        double score =
            sample->knowledge * row->result + sample->tempo + sample->noise * (2 * willow_random_unit(&random) - 1);
        row->score = (int16_t)(score * WILLOW_SCORE_DISC);
        row->depth = 1, row->selectivity = 100;
    }
    rows_sort(sample->shard.rows, count, COMPACT_PLIES);
}

static void clear_sample(struct sample *sample)
{
    free(sample->shard.rows);
    free(sample->shard.games);
}

/* Turns the scores of the rows that have the flags and, by their number of discs, the parity (-1 = any). */
static void turn(struct shard *shard, int flags, int parity)
{
    for (uint64_t i = 0; i < shard->info.rows; i++) {
        struct willow_row *row = &shard->rows[i];
        if ((row->flags & flags) == flags && (parity < 0 || row->ply % 2 == parity))
            row->score = (int16_t)-row->score;
    }
}

static void wrong_signs_are_found(void **state)
{
    (void)state;
    struct sample sample = {.knowledge = 0.5, .noise = 6};
    struct shard *shard = &sample.shard;
    make_sample(&sample, MANY_GAMES);
    expect_none(shard);
    turn(shard, 0, 1);
    expect(shard, "white to move have the wrong sign");
    expect(shard, "against those of the next");
    shard->info.games = 0; /* by the parity of plies alone */
    expect(shard, "white to move have the wrong sign");
    shard->info.games = MANY_GAMES;
    turn(shard, 0, -1);
    expect(shard, "black to move have the wrong sign");
    turn(shard, 0, 0);
    expect_none(shard);
    turn(shard, WILLOW_ROW_AFTER_PASS, -1);
    expect(shard, "after a pass have the wrong sign against the results");
    expect(shard, "before or after a pass have the wrong sign");
    clear_sample(&sample);
}

static void shift_scores(struct shard *shard, bool up)
{
    uint64_t last = shard->info.rows - 1;
    for (uint64_t i = 0; up && i < last; i++)
        shard->rows[i].score = shard->rows[i + 1].score;
    for (uint64_t i = last; !up && i > 0; i--)
        shard->rows[i].score = shard->rows[i - 1].score;
}

static void shifted_columns_are_found(void **state)
{
    (void)state;
    for (unsigned block = 1; block <= COMPACT_PLIES; block += COMPACT_PLIES - 1)
        for (int up = 0; up <= 1; up++) {
            struct sample sample = {.knowledge = 0.5, .noise = 30};
            make_sample(&sample, MANY_GAMES);
            rows_sort(sample.shard.rows, sample.shard.info.rows, block);
            shift_scores(&sample.shard, up);
            expect(&sample.shard, block == 1 ? up ? "in the rows behind" : "in the rows before"
                                             : "to move have the wrong sign against the results");
            clear_sample(&sample);
        }
}

/* Scores that know nothing, all the same, in favour of the side to move (in some games more than in others), or of too
 * few games: no verdict. */
static void scores_without_signal_pass(void **state)
{
    (void)state;
    const struct sample samples[] = {
        {.noise = 40}, {.tempo = 5}, {.tempo = 9, .noise = 10}, {.whim = 3, .noise = 10}, {.noise = 0}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct sample sample = samples[i];
        make_sample(&sample, MANY_GAMES);
        expect_none(&sample.shard);
        sample.shard.info.games = 0;
        expect_none(&sample.shard);
        clear_sample(&sample);
    }
    struct sample few = {.knowledge = -0.5, .noise = 30};
    make_sample(&few, 8);
    expect_none(&few.shard);
    clear_sample(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_games_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_rows_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_flags_for_random_moves_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_without_the_flag_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_exact_scores_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(mistakes_of_the_players_pass, setup_tail, teardown),
        cmocka_unit_test_setup_teardown(solved_results_are_checked, setup_tail, teardown),
        cmocka_unit_test_setup_teardown(wrong_records_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(boards_that_no_game_reaches_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(games_in_two_shards_are_found, setup, teardown),
        cmocka_unit_test(wrong_signs_are_found),
        cmocka_unit_test(shifted_columns_are_found),
        cmocka_unit_test(scores_without_signal_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
