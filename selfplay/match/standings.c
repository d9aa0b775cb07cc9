/* Points, byes and the Brightwell quotient of a tournament from the tallies of its encounters; ratings come from
 * rating.c. Layer: selfplay.
 */
#include "standings.h"

#include <stdlib.h>

/* An encounter seen from one of its players. */
struct view {
    int player, opponent;
    uint64_t games, wins, draws, losses;
    double points, discs;
};

static struct view view_encounter(const struct rating_encounter *encounter, bool from_a, int squares)
{
    const struct statistics_tally *tally = &encounter->tally;
    struct view view = {.player = from_a ? encounter->a : encounter->b,
                        .opponent = from_a ? encounter->b : encounter->a,
                        .games = tally->wins + tally->draws + tally->losses,
                        .wins = from_a ? tally->wins : tally->losses,
                        .draws = tally->draws,
                        .losses = from_a ? tally->losses : tally->wins};
    const double difference = from_a ? (double)tally->discs_sum : -(double)tally->discs_sum;

    view.points = (double)view.wins + (double)view.draws / 2.0;
    /* The winner takes the empty squares, so that both players' discs add up to all squares in every game. */
    view.discs = ((double)view.games * squares + difference) / 2.0;
    return view;
}

/* What was played. rows are by player still, here and below. */
static void add_games(const struct standings_input *input, struct standings *standings)
{
    for (size_t i = 0; i < input->count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct view view = view_encounter(&input->encounters[i], side == 0, input->squares);
            struct standings_player *row = &standings->rows[view.player];
            const size_t cell = (size_t)view.player * (size_t)standings->players + (size_t)view.opponent;

            row->wins += view.wins;
            row->draws += view.draws;
            row->losses += view.losses;
            row->points += view.points;
            row->discs += view.discs;
            standings->points[cell] += view.points;
            standings->games[cell] += view.games;
        }
    }
}

/* Games of an encounter that `opponent`'s withdrawal cancelled, to the credit of a player who stays. */
static void add_cancelled(struct standings *standings, int player, int opponent, uint64_t scheduled)
{
    struct standings_player *row = &standings->rows[player];
    const uint64_t played = standings->games[(size_t)player * (size_t)standings->players + (size_t)opponent];

    if (!row->withdrawn && standings->rows[opponent].withdrawn && played < scheduled)
        row->byes += scheduled - played;
}

static void add_byes(const struct schedule *schedule, struct standings *standings)
{
    const uint64_t games_each = 2 * (uint64_t)schedule->pairs_each;

    for (size_t i = 0; i < schedule->count; i += schedule->pairs_each) {
        const struct schedule_pair *pair = &schedule->pairs[i];

        add_cancelled(standings, pair->a, pair->b, games_each);
        add_cancelled(standings, pair->b, pair->a, games_each);
    }
    for (int player = 0; player < standings->players; player++) {
        struct standings_player *row = &standings->rows[player];

        if (!row->withdrawn)
            row->byes += (uint64_t)schedule->byes[player] * games_each;
        row->points += (double)row->byes;
    }
}

/* Needs everyone's final points. */
static void add_brightwell(const struct standings_input *input, struct standings *standings)
{
    const uint64_t games = 2 * (uint64_t)input->schedule->pairs_each * (uint64_t)input->schedule->rounds;
    const double half = input->squares / 2.0;

    standings->brightwell_factor = (int)((2 * (uint64_t)input->squares + games) / (2 * games));
    const double c = standings->brightwell_factor;
    for (size_t i = 0; i < input->count; i++) {
        for (int side = 0; side < 2; side++) {
            const struct view view = view_encounter(&input->encounters[i], side == 0, input->squares);
            const struct standings_player *opponent = &standings->rows[view.opponent];
            struct standings_player *row = &standings->rows[view.player];

            if (opponent->withdrawn)
                row->brightwell += (double)view.games * (half + c * row->points);
            else
                row->brightwell += view.discs + (double)view.games * c * opponent->points;
        }
    }
    for (int player = 0; player < standings->players; player++) {
        struct standings_player *row = &standings->rows[player];

        row->brightwell += (double)row->byes * (half + c * row->points);
    }
}

static enum willow_status add_ratings(const struct standings_input *input, struct standings *standings,
                                      struct willow_error *error)
{
    struct rating *ratings = calloc((size_t)standings->players, sizeof *ratings);

    if (ratings == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the ratings of %d players",
                           standings->players);
    const enum willow_status status =
        rating_fit(standings->players, input->anchor, input->encounters, input->count, ratings, error);
    for (int player = 0; player < standings->players && status == WILLOW_OK; player++)
        standings->rows[player].rating = ratings[player];
    free(ratings);
    return status;
}

/* A total order, so that the result does not depend on qsort. */
static int compare_rows(const void *left, const void *right)
{
    const struct standings_player *a = left, *b = right;

    if (a->withdrawn != b->withdrawn)
        return a->withdrawn ? 1 : -1;
    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    if (a->brightwell != b->brightwell)
        return a->brightwell > b->brightwell ? -1 : 1;
    return a->player < b->player ? -1 : 1;
}

enum willow_status standings_make(const struct standings_input *input, struct standings *standings,
                                  struct willow_error *error)
{
    const size_t players = (size_t)input->schedule->players;

    *standings = (struct standings){.players = input->schedule->players,
                                    .rows = calloc(players, sizeof *standings->rows),
                                    .points = calloc(players * players, sizeof *standings->points),
                                    .games = calloc(players * players, sizeof *standings->games)};
    if (standings->rows == NULL || standings->points == NULL || standings->games == NULL) {
        standings_clear(standings);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the standings of %zu players", players);
    }
    for (int player = 0; player < standings->players; player++)
        standings->rows[player] = (struct standings_player){
            .player = player, .withdrawn = input->withdrawn[player], .faults = input->faults[player]};
    add_games(input, standings);
    add_byes(input->schedule, standings);
    add_brightwell(input, standings);
    const enum willow_status status = add_ratings(input, standings, error);
    if (status != WILLOW_OK) {
        standings_clear(standings);
        return status;
    }
    qsort(standings->rows, players, sizeof *standings->rows, compare_rows);
    return WILLOW_OK;
}

void standings_clear(struct standings *standings)
{
    free(standings->rows);
    free(standings->points);
    free(standings->games);
    *standings = (struct standings){0};
}
