/* Scripted players: the one kind of player in a test program that links this, besides built-in ones. */
#include "scripted_players.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <willow/clock.h>
#include <willow/random.h>

#include "selfplay/match/player_kind.h"

struct scripted {
    struct player player;
    struct script *script;
    enum willow_side side;
    bool strikes;
    int moves; /* of its own in this game */
};

/* Set once, before there are threads. */
static const struct engine *the_engines;
static struct script *the_scripts;
static int the_count;

void scripted_players_set(const struct engine *engines, struct script *scripts, int count)
{
    the_engines = engines;
    the_scripts = scripts;
    the_count = count;
}

bool script_strikes(const struct script *script, const struct willow_game *opening, enum willow_side side)
{
    const uint64_t hash = willow_board_hash(willow_game_board(opening));

    return script->deed != SCRIPT_PLAY && script->one_in != 0 && (hash >> (side * 8) & 0xFF) % script->one_in == 0;
}

willow_square script_move(const struct willow_game *game)
{
    const struct willow_board board = willow_game_board(game);
    struct willow_random random;

    willow_random_init(&random, willow_board_hash(board), 0);
    return (willow_square)willow_random_bit(&random, willow_board_moves(game->ruleset, board));
}

struct willow_game script_opening(const struct willow_ruleset *ruleset, uint64_t seed, int plies)
{
    struct willow_random random;
    struct willow_game game;

    willow_random_init(&random, seed, 1);
    willow_game_init(&game, ruleset);
    for (int i = 0; i < plies && !willow_game_over(&game); i++) {
        const uint64_t moves = willow_board_moves(ruleset, willow_game_board(&game));
        const int move = moves != 0 ? willow_random_bit(&random, moves) : WILLOW_PASS;
        if (willow_game_play(&game, (willow_square)move, NULL) != WILLOW_OK)
            abort();
    }
    return game;
}

static void rest(uint64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

    nanosleep(&time, NULL);
}

static enum player_fault wait_until_let_go(struct script *script, const struct willow_stop *stop, uint64_t deadline_ns)
{
    while (atomic_load(&script->held)) {
        if (stop != NULL && willow_stop_get(stop))
            return PLAYER_STOPPED;
        if (willow_clock_ns() >= deadline_ns)
            return PLAYER_HUNG;
        rest(1000000);
    }
    return PLAYER_FINE;
}

static enum player_fault misbehave(const struct scripted *scripted, const struct willow_stop *stop,
                                   uint64_t deadline_ns, struct player_answer *answer, char *reason)
{
    static const struct {
        enum player_fault fault;
        const char *reason;
    } faults[] = {[SCRIPT_RESIGN] = {PLAYER_RESIGNED, "nothing to say here"},
                  [SCRIPT_GARBLE] = {PLAYER_GARBLED, "as told: garbled"},
                  [SCRIPT_CRASH] = {PLAYER_CRASHED, "as told: crashed"},
                  [SCRIPT_HANG] = {PLAYER_HUNG, "as told: hung"}};
    const enum script_deed deed = scripted->script->deed;

    rest(scripted->script->delay_ms * UINT64_C(1000000));
    if (deed >= SCRIPT_RESIGN && deed <= SCRIPT_HANG) {
        snprintf(reason, PLAYER_REASON, "%s", faults[deed].reason);
        return faults[deed].fault;
    }
    if (deed == SCRIPT_WAIT)
        return wait_until_let_go(scripted->script, stop, deadline_ns);
    if (deed != SCRIPT_LATE)
        answer->move = deed == SCRIPT_PASS ? WILLOW_PASS : 0;
    return PLAYER_FINE;
}

static enum player_fault begin(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason)
{
    struct scripted *scripted = (struct scripted *)player;

    atomic_fetch_add(&scripted->script->begun, 1);
    scripted->side = side;
    scripted->moves = 0;
    scripted->strikes = script_strikes(scripted->script, opening, side);
    if (scripted->script->jitter_us != 0) {
        struct willow_random random;
        willow_random_init(&random, willow_clock_ns(), 0);
        rest(willow_random_below(&random, scripted->script->jitter_us) * UINT64_C(1000));
    }
    return scripted->strikes && scripted->script->at == 0
               ? misbehave(scripted, stop, willow_clock_ns() + UINT64_C(1000000), NULL, reason)
               : PLAYER_FINE;
}

static void note(struct script *script, const struct player_turn *turn)
{
    script->left_ns = turn->own != NULL ? willow_timer_left_ns(turn->own) : 0;
    script->other_left_ns = turn->other != NULL ? willow_timer_left_ns(turn->other) : 0;
    script->deadline_in_ns = turn->deadline_ns - willow_clock_ns();
}

static enum player_fault think(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason)
{
    struct scripted *scripted = (struct scripted *)player;
    struct script *script = scripted->script;

    if (turn->game->side != scripted->side)
        abort();
    atomic_fetch_add(&script->thought, 1);
    scripted->moves++;
    *answer = (struct player_answer){.move = script_move(turn->game),
                                     .has_score = true,
                                     .score_discs = script->odd_score ? (double)NAN : scripted->moves,
                                     .depth = 7,
                                     .nodes = (uint64_t)scripted->moves * 1000};
    if (script->watched)
        note(script, turn);
    if (scripted->strikes && scripted->moves == script->at)
        return misbehave(scripted, turn->stop, turn->deadline_ns, answer, reason);
    return PLAYER_FINE;
}

static void scripted_free(struct player *player)
{
    atomic_fetch_sub(&((struct scripted *)player)->script->living, 1);
    free(player);
}

/* In place of the one that starts programs. */
enum willow_status player_program_new(const struct engine *engine, const struct player_options *options,
                                      struct player **player, struct willow_error *error)
{
    static const struct player_kind kind = {begin, think, scripted_free};
    struct scripted *scripted = calloc(1, sizeof *scripted);
    const int index = (int)(engine - the_engines);

    (void)options;
    if (scripted == NULL || index < 0 || index >= the_count)
        abort();
    if (the_scripts[index].fails_to_start) {
        free(scripted);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "as told: no player");
    }
    scripted->player.kind = &kind;
    scripted->script = &the_scripts[index];
    atomic_fetch_add(&scripted->script->made, 1);
    atomic_fetch_add(&scripted->script->living, 1);
    *player = &scripted->player;
    return WILLOW_OK;
}
