/* The game and the clocks of an NBoard program, as a record of GGF tells them. Layer: protocol. */
#include "protocol/nboard_game.h"

#include <math.h>
#include <string.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "rules/record_writer.h"
#include "rules/written_moves.h"

enum { TIME_BYTES = 24 };

void nboard_game_init(struct nboard_game *nboard, const struct willow_ruleset *ruleset)
{
    *nboard = (struct nboard_game){.clocked = false};
    willow_game_init(&nboard->game, ruleset);
}

/* From the text of a time to the nearest nanosecond; 0 for what is no time. */
static uint64_t time_ns(double seconds)
{
    const double most = 1e-3 * (double)WILLOW_TIME_MAX_MS;
    return (uint64_t)llround(1e9 * (seconds < most ? seconds : most));
}

/* A pass takes time but earns no increment: whether it counts as a move is up to the server. */
static void spend(struct nboard_game *nboard, enum willow_side side, bool pass, double seconds)
{
    struct willow_timer *timer = &nboard->timers[side];
    const uint64_t elapsed_ns = time_ns(seconds), left_ns = willow_timer_left_ns(timer);
    const uint64_t increment_ms = timer->control.increment_ms;
    if (pass)
        timer->control.increment_ms = 0;
    const bool within = willow_timer_spend(timer, elapsed_ns);
    timer->control.increment_ms = increment_ms;
    if (!within && nboard->extension_ms[side] > 0) {
        const struct willow_time_control extension = {.main_ms = nboard->extension_ms[side]};
        nboard->extension_ms[side] = 0;
        willow_timer_start(timer, &extension);
        (void)willow_timer_spend(timer, elapsed_ns - left_ns);
    }
}

/* One part of "main/increment/extension": a time with, at most, conditions behind a comma that nobody here needs. Empty
 * and zero are 0. Seconds where there is no colon. */
static bool read_time(const char *text, size_t length, uint64_t *ms)
{
    char part[TIME_BYTES];
    struct willow_time_control control;
    const char *comma = memchr(text, ',', length);
    if (comma != NULL)
        length = (size_t)(comma - text);
    *ms = 0;
    if (length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    if (part[strspn(part, ":.0")] == '\0')
        return true;
    if (part[strspn(part, "0123456789:.")] != '\0' || willow_time_control_parse(part, &control, NULL) != WILLOW_OK)
        return false;
    *ms = control.main_ms;
    return true;
}

static void read_clock(struct nboard_game *nboard, const char *text)
{
    uint64_t parts[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const size_t length = strcspn(text, "/");
        if (!read_time(text, length, &parts[i]))
            return;
        text += length + (text[length] == '/');
    }
    /* Without a main time the clock begins with what would follow it. To think without a clock would be worse. */
    if (parts[0] == 0) {
        parts[0] = parts[2] > 0 ? parts[2] : parts[1];
        parts[2] = 0;
    }
    const struct willow_time_control control = {.main_ms = parts[0], .increment_ms = parts[1]};
    if (willow_time_control_check(&control, NULL) != WILLOW_OK)
        return;
    nboard->clocked = true;
    for (int side = 0; side < 2; side++) {
        willow_timer_start(&nboard->timers[side], &control);
        nboard->extension_ms[side] = parts[2];
    }
}

/* Moves without a time were not made on the clock. */
static void book_times(struct nboard_game *nboard, const struct willow_ggf_move *known)
{
    for (int i = 0; i < nboard->game.length; i++)
        if (nboard->clocked && known[i].has_time)
            spend(nboard, record_side_of(&nboard->game, i), nboard->game.moves[i] == WILLOW_PASS, known[i].seconds);
}

/* As a game of this ruleset. *other: it is one of another. */
static enum willow_status read_as(const struct willow_ruleset *ruleset, const char *ggf, struct willow_record *record,
                                  bool *other, struct willow_error *error)
{
    struct willow_records records;
    *other = false;
    const enum willow_status status =
        willow_records_open(&records, ruleset, WILLOW_RECORDS_GGF, ggf, strlen(ggf), error);
    if (status != WILLOW_OK)
        return status;
    if (!willow_records_next(&records, record))
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "there is no game");
    *other = record->kind == WILLOW_RECORD_OTHER_VARIANT;
    if (record->kind == WILLOW_RECORD_COMPLETE || record->kind == WILLOW_RECORD_UNFINISHED ||
        record->kind == WILLOW_RECORD_OTHER_START)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_FORMAT, NULL, record->error.place, "%s", record->error.reason);
}

/* As a game of any other ruleset: the first whose type it has, with whatever comes of it. */
static enum willow_status read_as_another(const struct willow_ruleset *played, const char *ggf,
                                          struct willow_record *record, bool *other, struct willow_error *error)
{
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++) {
        if (ruleset == played)
            continue;
        const enum willow_status status = read_as(ruleset, ggf, record, other, error);
        if (!*other)
            return status;
    }
    return WILLOW_ERR_FORMAT;
}

enum willow_status nboard_game_read(const struct willow_ruleset *played, const char *ggf, struct nboard_game *nboard,
                                    struct willow_error *error)
{
    struct willow_record record;
    struct willow_error otherwise;
    bool other;
    enum willow_status status = read_as(played, ggf, &record, &other, error);
    if (other) {
        status = read_as_another(played, ggf, &record, &other, &otherwise);
        if (!other && status != WILLOW_OK && error != NULL)
            *error = otherwise;
    }
    if (status != WILLOW_OK)
        return status;
    *nboard = (struct nboard_game){.game = record.game};
    read_clock(nboard, record.clock);
    book_times(nboard, record.known);
    return WILLOW_OK;
}

enum willow_status nboard_game_move(struct nboard_game *nboard, willow_square move, double seconds,
                                    struct willow_error *error)
{
    const enum willow_status status = written_move_play(&nboard->game, move, error);
    if (status == WILLOW_OK && nboard->clocked && seconds >= 0.0)
        spend(nboard, nboard->game.side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK, move == WILLOW_PASS, seconds);
    return status;
}
