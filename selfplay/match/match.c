/* A match: prepares engines, openings and schedule, takes over the pairs on record, has the runner play the others and
 * counts. Layer: selfplay. Counting follows the order of the schedule, so that a test that decides early does so at the
 * same pair however the match was played and resumed.
 */
#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/child.h>

#include "match_folder.h"
#include "match_identity.h"
#include "roster.h"
#include "runner.h"
#include "starts.h"

/* What counts of a pair. Index 0 is the pair's first player. */
struct outcome {
    int discs[2]; /* of both games, for the first player */
    enum game_end ends[2];
    int culprits[2]; /* index of who lost the game so, when it was not played to its end */
    struct match_time times[2];
};

struct match {
    const struct match_settings *settings;
    struct match_result *result;
    struct willow_game *openings; /* [settings->pairs] */
    size_t *encounter;            /* [a * players + b], a < b; SIZE_MAX = they do not meet */
    struct outcome *recorded;     /* [schedule.count], where done; null without a folder */
    bool *done;                   /* [schedule.count], on record */
    size_t next;                  /* index in the schedule up to which pairs on record were looked at */
    uint64_t *faults;             /* the runner's, those of all pairs on record included */
    bool decided;
    struct match_folder *folder;
};

static size_t encounter_of(const struct match *match, int a, int b)
{
    return match->encounter[(size_t)a * (size_t)match->settings->players + (size_t)b];
}

/* Pairs of an encounter follow each other in the schedule. */
static size_t index_of(const struct match *match, int a, int b, size_t number)
{
    return encounter_of(match, a, b) * match->settings->pairs + number;
}

/* games[i] as the first player's game with black (i = 0) and with white. */
static struct outcome outcome_of(const struct game_record games[2])
{
    struct outcome outcome = {0};

    for (int i = 0; i < 2; i++) {
        const struct game_record *record = &games[i];
        enum willow_side side = record->game.start_side;

        outcome.discs[i] = i == 0 ? record->discs : -record->discs;
        outcome.ends[i] = record->end;
        outcome.culprits[i] = ((int)record->culprit + i) % 2;
        for (int ply = 0; ply < record->game.length; ply++, side = (enum willow_side)(1 - (int)side)) {
            struct match_time *time = &outcome.times[((int)side + i) % 2];
            const uint64_t used_ns = record->moves[ply].used_ns;

            if (ply < record->opening || record->game.moves[ply] == WILLOW_PASS)
                continue;
            time->moves++;
            time->used_ns += used_ns;
            if (used_ns > time->longest_ns)
                time->longest_ns = used_ns;
        }
    }
    return outcome;
}

static void count(struct match *match, const struct schedule_pair *pair, const struct outcome *outcome)
{
    struct match_result *result = match->result;
    const int players[2] = {pair->a, pair->b};
    struct statistics_tally *tally = &result->encounters[encounter_of(match, pair->a, pair->b)].tally;

    statistics_add_pair(tally, outcome->discs[0], outcome->discs[1]);
    result->pairs++;
    for (int i = 0; i < 2; i++) {
        const struct match_time *from = &outcome->times[i];
        struct match_time *time = &result->times[players[i]];
        const int culprit = players[outcome->culprits[i]];

        time->moves += from->moves;
        time->used_ns += from->used_ns;
        if (from->longest_ns > time->longest_ns)
            time->longest_ns = from->longest_ns;
        if (outcome->ends[i] != GAME_PLAYED)
            result->ends[culprit][outcome->ends[i]]++;
        result->faults[culprit] += game_end_is_fault(outcome->ends[i]);
    }
    if (match->settings->sprt != NULL) {
        sprt_judge(match->settings->sprt, tally, &result->sprt);
        match->decided = result->sprt.verdict != SPRT_UNDECIDED;
    }
}

/* Counts the pairs on record before that index of the schedule. */
static void count_recorded(struct match *match, size_t before)
{
    for (; match->next < before && !match->decided; match->next++)
        if (match->done[match->next]) {
            count(match, &match->result->schedule.pairs[match->next], &match->recorded[match->next]);
            match->result->taken_over++;
        }
}

/* Where no test may decide, the order does not matter and all can be counted at once. */
static void count_first(struct match *match)
{
    size_t ready = 0;

    if (match->recorded == NULL)
        return;
    if (match->settings->sprt == NULL)
        ready = match->result->schedule.count;
    while (ready < match->result->schedule.count && match->done[ready])
        ready++;
    count_recorded(match, ready);
}

static void report_faults(const struct match *match, const struct schedule_pair *pair,
                          const struct game_record games[2], const struct outcome *outcome)
{
    const int players[2] = {pair->a, pair->b};

    for (int i = 0; i < 2; i++) {
        const struct match_fault fault = {.player = players[outcome->culprits[i]],
                                          .opponent = players[1 - outcome->culprits[i]],
                                          .number = pair->number,
                                          .record = &games[i]};
        if (outcome->ends[i] != GAME_PLAYED && match->settings->fault != NULL)
            match->settings->fault(match->settings->context, &fault);
    }
}

/* The runner has played a pair: it is on disk before it counts. */
static enum willow_status commit(void *context, const struct schedule_pair *pair, const struct game_record games[2],
                                 enum runner_wish *wish, struct willow_error *error)
{
    struct match *match = context;
    const struct engine *engines = match->settings->engines;
    const struct outcome outcome = outcome_of(games);
    enum willow_status status = WILLOW_OK;

    if (match->recorded != NULL)
        count_recorded(match, index_of(match, pair->a, pair->b, pair->number));
    if (!match->decided && match->folder != NULL) {
        struct match_folder_pair record = {.names = {engines[pair->a].name, engines[pair->b].name},
                                           .number = pair->number};
        memcpy(record.games, games, sizeof record.games);
        status = match_folder_append(match->folder, &record, error);
    }
    if (!match->decided && status == WILLOW_OK) {
        count(match, pair, &outcome);
        report_faults(match, pair, games, &outcome);
    }
    if (match->decided)
        *wish = RUNNER_ENOUGH;
    return status;
}

static void tick(void *context, int running)
{
    struct match *match = context;

    match->result->running = running;
    if (match->settings->tick != NULL)
        match->settings->tick(match->settings->context, match->result);
}

static int player_of(const struct match_settings *settings, const char *name)
{
    for (int i = 0; i < settings->players; i++)
        if (strcmp(settings->engines[i].name, name) == 0)
            return i;
    return -1;
}

static bool begins_with(const struct game_record *record, const struct willow_game *opening)
{
    return record->opening == opening->length && record->game.length >= opening->length &&
           memcmp(record->game.moves, opening->moves, (size_t)opening->length * sizeof *opening->moves) == 0;
}

/* Takes over a pair on record; others than are asked for now stay where they are. */
static enum willow_status take_over(void *context, const struct match_folder_pair *pair, struct willow_error *error)
{
    struct match *match = context;
    const struct match_settings *settings = match->settings;
    const int first = player_of(settings, pair->names[0]), second = player_of(settings, pair->names[1]);

    if (first < 0 || second < 0 || first == second || pair->number >= settings->pairs)
        return WILLOW_OK;
    /* Who comes first may have changed with the order of the players. */
    const bool swapped = first > second;
    const int a = swapped ? second : first, b = swapped ? first : second;
    if (encounter_of(match, a, b) == SIZE_MAX)
        return WILLOW_OK;
    for (int i = 0; i < 2; i++)
        if (!begins_with(&pair->games[i], &match->openings[pair->number]))
            return willow_fail(error, WILLOW_ERR_MISMATCH, settings->folder, NULL,
                               "pair %zu of %s and %s begins with another opening than this match's", pair->number + 1,
                               pair->names[0], pair->names[1]);
    const size_t index = index_of(match, a, b, pair->number);
    if (match->done[index])
        return willow_fail(error, WILLOW_ERR_FORMAT, settings->folder, NULL, "pair %zu of %s and %s is on record twice",
                           pair->number + 1, pair->names[0], pair->names[1]);
    struct game_record games[2];
    memcpy(&games[0], &pair->games[swapped], sizeof games[0]);
    memcpy(&games[1], &pair->games[!swapped], sizeof games[1]);
    match->recorded[index] = outcome_of(games);
    match->done[index] = true;
    return WILLOW_OK;
}

/* Everything that fixes the games but the engines: see roster.h for those. */
static enum willow_status describe(const struct match *match, FILE *stream, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;
    const struct match_result *result = match->result;
    char clock[WILLOW_TIME_CONTROL_TEXT];

    const enum willow_status status =
        starts_describe(&settings->openings, result->ruleset, result->balance_discs, stream, error);
    if (status != WILLOW_OK)
        return status;
    if (settings->clock != NULL)
        fprintf(stream, "clock: %s\n", willow_time_control_format(settings->clock, clock));
    fprintf(stream, "hash: %zu\n", settings->hash_bytes);
    return WILLOW_OK;
}

static enum willow_status no_memory(struct willow_error *error)
{
    (void)willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the match");
    return WILLOW_ERR_MEMORY;
}

static enum willow_status open_folder(struct match *match, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;
    struct match_result *result = match->result;
    char *identity = NULL;
    size_t size;

    match->recorded = calloc(result->schedule.count, sizeof *match->recorded);
    if (match->recorded == NULL)
        return no_memory(error);
    FILE *stream = open_memstream(&identity, &size);
    if (stream == NULL)
        return no_memory(error);
    enum willow_status status = describe(match, stream, error);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0)
        failed = true;
    if (status == WILLOW_OK && failed)
        status = no_memory(error);
    /* Looked at before anything is changed, and again with the folder's lock. Weights of another ruleset are others,
     * but that would be half the truth. */
    if (status == WILLOW_OK)
        status = match_identity_check_ruleset(settings->folder, result->ruleset, error);
    if (status == WILLOW_OK)
        status = roster_check(settings->folder, settings->engines, settings->players, error);
    if (status == WILLOW_OK)
        status = match_folder_open(settings->folder, result->ruleset, identity, settings->yaml, take_over, match,
                                   &match->folder, error);
    if (status == WILLOW_OK)
        status = roster_update(settings->folder, settings->engines, settings->players, error);
    free(identity);
    return status;
}

static enum willow_status open_engines(const struct match *match, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;

    match->result->ruleset = settings->ruleset;
    for (int i = 0; i < settings->players; i++) {
        struct engine *engine = &settings->engines[i];
        enum willow_status status = engine_open(engine, settings->ruleset, error);

        /* A mistyped command should not cost the engine a match's worth of games. */
        if (status == WILLOW_OK && engine->command != NULL && !engine->withdrawn)
            status = willow_command_check(engine->command[0], engine->folder, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

static struct player_options player_options_of(const struct match *match)
{
    const struct match_settings *settings = match->settings;

    return (struct player_options){.hash_bytes = settings->hash_bytes,
                                   .start_limit_ms = settings->start_limit_ms,
                                   .log_fd = match->folder != NULL ? match_folder_log(match->folder) : 0};
}

/* Programs are asked whether they play a ruleset that is not everybody's, before one of them loses a match's worth of
 * games for want of a word. */
static enum willow_status try_programs(const struct match *match, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;
    const struct player_options options = player_options_of(match);
    char reason[PLAYER_REASON];

    for (int i = 0; i < settings->players; i++) {
        const struct engine *engine = &settings->engines[i];
        struct player *player;

        if (engine->kind == ENGINE_BUILTIN || engine->withdrawn || settings->ruleset == willow_ruleset_othello())
            continue;
        const enum willow_status status = player_new(engine, &options, &player, error);
        if (status != WILLOW_OK)
            return status;
        const enum player_fault fault = player_begin(player, &match->openings[0], WILLOW_BLACK, settings->stop, reason);
        player_free(player);
        if (fault == PLAYER_STOPPED)
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "the match was stopped");
        if (fault != PLAYER_FINE)
            return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "engine '%s' does not play %s: %s", engine->name,
                               settings->ruleset->name, reason);
    }
    return WILLOW_OK;
}

/* Encounters in the order of the schedule, and who meets whom in which. */
static void list_encounters(struct match *match)
{
    const struct match_settings *settings = match->settings;
    struct match_result *result = match->result;
    const size_t players = (size_t)settings->players;

    for (size_t i = 0; i < players * players; i++)
        match->encounter[i] = SIZE_MAX;
    for (size_t i = 0; i < result->encounters_count; i++) {
        const struct schedule_pair *pair = &result->schedule.pairs[i * settings->pairs];

        result->encounters[i] = (struct rating_encounter){.a = pair->a, .b = pair->b};
        match->encounter[(size_t)pair->a * players + (size_t)pair->b] = i;
    }
}

static enum willow_status prepare(struct match *match, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;
    struct match_result *result = match->result;

    enum willow_status status =
        schedule_make(settings->format, settings->players, settings->pairs, &result->schedule, error);
    if (status != WILLOW_OK)
        return status;
    const size_t players = (size_t)settings->players, pairs = result->schedule.count;
    result->encounters_count = pairs / settings->pairs;
    result->encounters = calloc(result->encounters_count, sizeof *result->encounters);
    result->times = calloc(players, sizeof *result->times);
    result->ends = calloc(players, sizeof *result->ends);
    result->faults = calloc(players, sizeof *result->faults);
    result->withdrawn = calloc(players, sizeof *result->withdrawn);
    match->faults = calloc(players, sizeof *match->faults);
    match->encounter = calloc(players * players, sizeof *match->encounter);
    match->openings = calloc(settings->pairs, sizeof *match->openings);
    match->done = calloc(pairs, sizeof *match->done);
    if (result->encounters == NULL || result->times == NULL || result->ends == NULL || result->faults == NULL ||
        result->withdrawn == NULL || match->faults == NULL || match->encounter == NULL || match->openings == NULL ||
        match->done == NULL)
        return no_memory(error);
    list_encounters(match);
    if (settings->sprt != NULL)
        sprt_judge(settings->sprt, &result->encounters[0].tally, &result->sprt);
    status = open_engines(match, error);
    if (status == WILLOW_OK)
        status = starts_draw(&settings->openings, result->ruleset, settings->stop, match->openings, settings->pairs,
                             &result->balance_discs, error);
    if (status == WILLOW_OK)
        status = try_programs(match, error);
    if (status == WILLOW_OK && settings->folder != NULL)
        status = open_folder(match, error);
    return status;
}

/* Who plays no more: said so, or failed too often in the pairs on record. */
static void settle_withdrawals(struct match *match)
{
    const struct match_settings *settings = match->settings;
    const struct schedule *schedule = &match->result->schedule;

    for (size_t i = 0; i < schedule->count && match->recorded != NULL; i++)
        for (int game = 0; game < 2 && match->done[i]; game++) {
            const struct outcome *outcome = &match->recorded[i];
            const int culprit = outcome->culprits[game] == 0 ? schedule->pairs[i].a : schedule->pairs[i].b;

            match->faults[culprit] += game_end_is_fault(outcome->ends[game]);
        }
    for (int i = 0; i < settings->players; i++)
        match->result->withdrawn[i] = settings->engines[i].withdrawn ||
                                      (settings->faults_limit != 0 && match->faults[i] >= settings->faults_limit);
}

static enum willow_status play(struct match *match, struct willow_error *error)
{
    const struct match_settings *settings = match->settings;
    const struct runner_options options = {
        .engines = settings->engines,
        .clock = settings->clock,
        .player = player_options_of(match),
        .move_limit_ms = settings->move_limit_ms,
        .threads = settings->threads,
        .faults = match->faults,
        .withdrawn = match->result->withdrawn,
        .faults_limit = settings->faults_limit,
        .stop = settings->stop,
        .commit = commit,
        .tick = tick,
        .context = match,
    };

    settle_withdrawals(match);
    count_first(match);
    if (match->decided)
        return WILLOW_OK;
    const enum willow_status status =
        runner_play(&options, &match->result->schedule, match->openings, match->done, error);
    if (match->recorded != NULL)
        count_recorded(match, match->result->schedule.count);
    return status;
}

enum willow_status match_run(const struct match_settings *settings, struct match_result *result,
                             struct willow_error *error)
{
    struct match match = {.settings = settings, .result = result};
    struct willow_error closing;

    *result = (struct match_result){0};
    if (settings->sprt != NULL && settings->players != 2)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a test is of two players");
    if (settings->pairs > MATCH_PAIRS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "an encounter has 1 to %d pairs", MATCH_PAIRS_MAX);
    enum willow_status status = prepare(&match, error);
    if (status == WILLOW_OK)
        status = play(&match, error);
    result->running = 0;
    result->complete = status == WILLOW_OK;
    const enum willow_status closed = match_folder_close(match.folder, &closing);
    if (closed != WILLOW_OK && (status == WILLOW_OK || status == WILLOW_ERR_STOPPED)) {
        status = closed;
        if (error != NULL)
            *error = closing;
    }
    free(match.openings);
    free(match.encounter);
    free(match.recorded);
    free(match.done);
    free(match.faults);
    return status;
}

void match_result_clear(struct match_result *result)
{
    schedule_clear(&result->schedule);
    free(result->encounters);
    free(result->times);
    free(result->ends);
    free(result->faults);
    free(result->withdrawn);
    *result = (struct match_result){0};
}

enum willow_status match_standings(const struct match_result *result, int anchor, struct standings *standings,
                                   struct willow_error *error)
{
    const struct standings_input input = {.schedule = &result->schedule,
                                          .withdrawn = result->withdrawn,
                                          .encounters = result->encounters,
                                          .count = result->encounters_count,
                                          .faults = result->faults,
                                          .squares = willow_ruleset_squares(result->ruleset),
                                          .anchor = anchor};
    return standings_make(&input, standings, error);
}
