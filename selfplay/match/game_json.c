/* A game of a match as one line of JSON. Written by hand, since JSON libraries do not keep to fixed decimals; read by
 * one, since the text may be anything. Layer: selfplay. Opens no files.
 */
#include "game_json.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

/* Times are kept and accepted up to this; some thirty years. */
static const double seconds_max = 1e9;

json_t *game_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *ascii = strdup(text);
    if (!ascii)
        return NULL;
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c >= 128)
            *c = '?';
    string = json_string(ascii);
    free(ascii);
    return string;
}

char *game_json_printable(const char *text, char *buffer, size_t size)
{
    size_t i = 0;
    for (; i + 1 < size && text[i]; i++)
        buffer[i] = (char)(text[i] >= ' ' && text[i] < 127 ? text[i] : '?');
    buffer[i] = '\0';
    return buffer;
}

/* A line of UTF-8; any other name would not come back as it was. */
static bool is_name(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    json_t *string = json_string(text);
    json_decref(string);
    return *text != '\0' && string != NULL;
}

/* What must hold of a game whether it is written or read. */
static enum willow_status check_game(const struct game_json *line, struct willow_error *error)
{
    const struct game_record *record = &line->record;
    const int squares = willow_ruleset_squares(record->game.ruleset);
    int discs = record->culprit == WILLOW_BLACK ? -squares : squares;
    if (!is_name(line->black) || !is_name(line->white) || strcmp(line->black, line->white) == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "two players need two names of printable letters");
    if (record->opening < 0 || record->opening > record->game.length)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "an opening longer than the game");
    if (record->end == GAME_PLAYED) {
        discs = willow_game_final_discs(&record->game);
        if (!willow_game_over(&record->game))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "it is not over after its moves");
    }
    if (record->discs != discs)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "its result is %+d, not %+d", discs, record->discs);
    return WILLOW_OK;
}

/* False without memory. */
static bool put_text(FILE *stream, const char *key, const char *text)
{
    json_t *string = game_json_text(text);
    (void)fprintf(stream, ",\"%s\":", key);
    const bool good = string != NULL && json_dumpf(string, stream, JSON_ENCODE_ANY) == 0;
    json_decref(string);
    return good;
}

/* Moves from `from` up to `to`, passes left out but for one at the end, which no move behind it tells of. */
static void put_moves(FILE *stream, const char *key, const struct willow_game *game, int from, int to)
{
    (void)fprintf(stream, ",\"%s\":\"", key);
    for (int i = from; i < to; i++) {
        char name[WILLOW_SQUARE_TEXT];
        if (game->moves[i] != WILLOW_PASS || i + 1 == to)
            (void)fputs(willow_square_format(game->moves[i], name), stream);
    }
    (void)fputc('"', stream);
}

static void put_score(FILE *stream, const struct game_move *move)
{
    if (move->has_score && isfinite(move->score_discs))
        (void)fprintf(stream, "%.2f", fabsf(move->score_discs) < 0.005f ? 0.0 : (double)move->score_discs);
    else
        (void)fputs("null", stream);
}

static void put_seconds(FILE *stream, const struct game_move *move)
{
    (void)fprintf(stream, "%.6f", fmin((double)move->used_ns / 1e9, seconds_max));
}

static void put_depth(FILE *stream, const struct game_move *move)
{
    (void)fprintf(stream, "%d", move->depth > 0 ? move->depth : 0);
}

static void put_nodes(FILE *stream, const struct game_move *move)
{
    (void)fprintf(stream, "%" PRIu64, move->nodes < INT64_MAX ? move->nodes : (uint64_t)INT64_MAX);
}

/* One value for each square played behind the opening. */
static void put_column(FILE *stream, const char *key, const struct game_record *record,
                       void put(FILE *stream, const struct game_move *move))
{
    const char *separator = "";
    (void)fprintf(stream, ",\"%s\":[", key);
    for (int i = record->opening; i < record->game.length; i++) {
        if (record->game.moves[i] == WILLOW_PASS)
            continue;
        (void)fputs(separator, stream);
        put(stream, &record->moves[i]);
        separator = ",";
    }
    (void)fputc(']', stream);
}

/* False without memory. */
static bool put_line(FILE *stream, const struct game_json *line)
{
    const struct game_record *record = &line->record;
    const struct willow_game *game = &record->game;
    (void)fprintf(stream, GAME_JSON_START "%" PRIu64 ",\"game\":%d", line->pair, line->game);
    bool good = put_text(stream, "black", line->black) && put_text(stream, "white", line->white);
    if (game->ruleset != willow_ruleset_othello())
        good = good && put_text(stream, "ruleset", game->ruleset->name);
    if (!willow_game_starts_usually(game)) {
        char board[WILLOW_BOARD_LINE];
        good = good &&
               put_text(stream, "start", willow_board_format(game->ruleset, game->boards[0], game->start_side, board));
    }
    put_moves(stream, "opening", game, 0, record->opening);
    put_moves(stream, "moves", game, record->opening, game->length);
    (void)fprintf(stream, ",\"result\":%d", record->discs);
    good = good && put_text(stream, "end", game_end_names[record->end]);
    if (record->end != GAME_PLAYED)
        good = good && put_text(stream, "by", record->culprit == WILLOW_BLACK ? line->black : line->white);
    if (record->reason[0] != '\0')
        good = good && put_text(stream, "reason", record->reason);
    put_column(stream, "seconds", record, put_seconds);
    put_column(stream, "scores", record, put_score);
    put_column(stream, "depths", record, put_depth);
    put_column(stream, "nodes", record, put_nodes);
    (void)fputs("}\n", stream);
    return good;
}

enum willow_status game_json_write(const struct game_json *game, char *buffer, size_t *length,
                                   struct willow_error *error)
{
    const enum willow_status status = check_game(game, error);
    if (status != WILLOW_OK)
        return status;
    FILE *stream = fmemopen(buffer, GAME_JSON_MAX, "w");
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    const bool good = put_line(stream, game);
    const long size = ftell(stream);
    if (fclose(stream) != 0 || !good || size <= 0)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    *length = (size_t)size;
    return WILLOW_OK;
}

/* A line being read. */
struct reading {
    const json_t *object;
    const char *file, *place;
    struct willow_error *error;
};

static enum willow_status bad(const struct reading *reading, const char *key, const char *what)
{
    return willow_fail(reading->error, WILLOW_ERR_FORMAT, reading->file, reading->place, "\"%s\": %s", key, what);
}

static enum willow_status take_integer(const struct reading *reading, const char *key, json_int_t least,
                                       json_int_t most, json_int_t *value)
{
    const json_t *number = json_object_get(reading->object, key);
    if (!json_is_integer(number) || json_integer_value(number) < least || json_integer_value(number) > most)
        return bad(reading, key, "missing, no whole number or out of range");
    *value = json_integer_value(number);
    return WILLOW_OK;
}

/* A text of less than `size` bytes; null when the key is missing and may be. */
static enum willow_status take_text(const struct reading *reading, const char *key, bool needed, size_t size,
                                    const char **text)
{
    const json_t *string = json_object_get(reading->object, key);
    *text = json_string_value(string);
    if (*text ? strlen(*text) >= size : needed || string != NULL)
        return bad(reading, key, "missing, no text or too long");
    return WILLOW_OK;
}

static enum willow_status take_name(const struct reading *reading, const char *key, char name[ENGINE_NAME_MAX])
{
    const char *text;
    const enum willow_status status = take_text(reading, key, true, ENGINE_NAME_MAX, &text);
    if (status == WILLOW_OK)
        (void)snprintf(name, ENGINE_NAME_MAX, "%s", text);
    return status;
}

/* A line that names none is of othello. */
static enum willow_status check_ruleset(const struct reading *reading, const struct willow_ruleset *ruleset)
{
    const char *text;
    const enum willow_status status = take_text(reading, "ruleset", false, GAME_JSON_MAX, &text);
    if (status != WILLOW_OK)
        return status;
    if (strcmp(text ? text : "othello", ruleset->name) == 0)
        return WILLOW_OK;
    char name[32];
    return willow_fail(reading->error, WILLOW_ERR_MISMATCH, reading->file, reading->place,
                       "\"ruleset\": a game of %s in a match of %s",
                       game_json_printable(text ? text : "othello", name, sizeof name), ruleset->name);
}

static enum willow_status take_start(const struct reading *reading, const struct willow_ruleset *ruleset,
                                     struct willow_game *game)
{
    const char *text;
    struct willow_board board;
    enum willow_side side;
    struct willow_error fault;
    enum willow_status status = take_text(reading, "start", false, GAME_JSON_MAX, &text);
    willow_game_init(game, ruleset);
    if (status != WILLOW_OK || !text)
        return status;
    status = willow_board_parse(ruleset, text, &board, &side, &fault);
    if (status == WILLOW_OK)
        status = willow_game_init_board(game, ruleset, board, side, &fault);
    return status == WILLOW_OK ? WILLOW_OK : bad(reading, "start", fault.reason);
}

static enum willow_status take_moves(const struct reading *reading, const char *key, struct willow_game *game)
{
    const char *text;
    struct willow_error fault;
    enum willow_status status = take_text(reading, key, true, GAME_JSON_MAX, &text);
    if (status != WILLOW_OK || willow_transcript_parse(game, text, &fault) == WILLOW_OK)
        return status;
    char what[sizeof fault.place + sizeof fault.reason + 3];
    (void)snprintf(what, sizeof what, "%s: %s", fault.place, fault.reason);
    return bad(reading, key, what);
}

static bool take_score(const json_t *value, struct game_move *move)
{
    const double score_discs = json_number_value(value);
    move->has_score = json_is_number(value);
    if (!move->has_score || fabs(score_discs) > (double)FLT_MAX)
        return json_is_null(value);
    move->score_discs = (float)score_discs;
    return true;
}

static bool take_seconds(const json_t *value, struct game_move *move)
{
    const double seconds = json_number_value(value);
    if (!json_is_number(value) || !(seconds >= 0 && seconds <= seconds_max))
        return false;
    move->used_ns = (uint64_t)(seconds * 1e6 + 0.5) * 1000;
    return true;
}

static bool take_depth(const json_t *value, struct game_move *move)
{
    move->depth = (int)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) == move->depth && move->depth >= 0;
}

static bool take_nodes(const json_t *value, struct game_move *move)
{
    move->nodes = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static enum willow_status take_column(const struct reading *reading, const char *key, struct game_record *record,
                                      bool take(const json_t *value, struct game_move *move))
{
    const json_t *array = json_object_get(reading->object, key);
    size_t used = 0;
    if (!json_is_array(array))
        return bad(reading, key, "missing or no list");
    for (int i = record->opening; i < record->game.length; i++)
        if (record->game.moves[i] != WILLOW_PASS && !take(json_array_get(array, used++), &record->moves[i]))
            return bad(reading, key, "a value is missing, of the wrong type or out of range");
    if (used != json_array_size(array))
        return bad(reading, key, "more values than moves behind the opening");
    return WILLOW_OK;
}

static enum willow_status take_columns(const struct reading *reading, struct game_record *record)
{
    enum willow_status status = take_column(reading, "seconds", record, take_seconds);
    if (status == WILLOW_OK)
        status = take_column(reading, "scores", record, take_score);
    if (status == WILLOW_OK)
        status = take_column(reading, "depths", record, take_depth);
    if (status == WILLOW_OK)
        status = take_column(reading, "nodes", record, take_nodes);
    return status;
}

/* How the game ended and whose fault it was. */
static enum willow_status take_end(const struct reading *reading, struct game_json *game)
{
    struct game_record *record = &game->record;
    const char *end, *by = NULL, *reason = NULL;
    int kind = 0;
    enum willow_status status = take_text(reading, "end", true, GAME_JSON_MAX, &end);
    if (status == WILLOW_OK)
        status = take_text(reading, "reason", false, PLAYER_REASON, &reason);
    if (status != WILLOW_OK)
        return status;
    while (kind < GAME_ENDS && strcmp(game_end_names[kind], end) != 0)
        kind++;
    if (kind == GAME_ENDS)
        return bad(reading, "end", "no way for a game to end");
    record->end = (enum game_end)kind;
    (void)snprintf(record->reason, sizeof record->reason, "%s", reason ? reason : "");
    if (record->end == GAME_PLAYED)
        return json_object_get(reading->object, "by") ? bad(reading, "by", "the game was played to its end")
                                                      : WILLOW_OK;
    status = take_text(reading, "by", true, GAME_JSON_MAX, &by);
    if (status == WILLOW_OK && strcmp(by, game->black) != 0 && strcmp(by, game->white) != 0)
        status = bad(reading, "by", "neither of the players");
    if (status == WILLOW_OK)
        record->culprit = strcmp(by, game->black) == 0 ? WILLOW_BLACK : WILLOW_WHITE;
    return status;
}

static enum willow_status check_keys(const struct reading *reading)
{
    static const char *const keys[] = {"pair",   "game", "ruleset", "black",   "white",  "start",  "opening", "moves",
                                       "result", "end",  "reason",  "seconds", "scores", "depths", "nodes",   "by"};
    const size_t count = sizeof keys / sizeof keys[0];
    if (!json_is_object(reading->object))
        return willow_fail(reading->error, WILLOW_ERR_FORMAT, reading->file, reading->place, "no game: not an object");
    /* The loop of jansson takes no constant object, although it changes nothing. */
    for (void *at = json_object_iter((json_t *)reading->object); at;
         at = json_object_iter_next((json_t *)reading->object, at)) {
        char name[32];
        size_t i = 0;
        while (i < count && strcmp(keys[i], json_object_iter_key(at)) != 0)
            i++;
        if (i == count)
            return bad(reading, game_json_printable(json_object_iter_key(at), name, sizeof name), "unknown key");
    }
    return WILLOW_OK;
}

static enum willow_status take_line(const struct reading *reading, const struct willow_ruleset *ruleset,
                                    struct game_json *game)
{
    struct game_record *record = &game->record;
    json_int_t pair = 0, number = 0, discs = 0;
    enum willow_status status = check_keys(reading);
    if (status == WILLOW_OK)
        status = take_integer(reading, "pair", 0, INT64_MAX, &pair);
    if (status == WILLOW_OK)
        status = take_integer(reading, "game", 0, 1, &number);
    if (status == WILLOW_OK)
        status = take_name(reading, "black", game->black);
    if (status == WILLOW_OK)
        status = take_name(reading, "white", game->white);
    if (status == WILLOW_OK)
        status = check_ruleset(reading, ruleset);
    if (status == WILLOW_OK)
        status = take_start(reading, ruleset, &record->game);
    if (status == WILLOW_OK)
        status = take_moves(reading, "opening", &record->game);
    record->opening = record->game.length;
    if (status == WILLOW_OK)
        status = take_moves(reading, "moves", &record->game);
    if (status == WILLOW_OK)
        status =
            take_integer(reading, "result", -willow_ruleset_squares(ruleset), willow_ruleset_squares(ruleset), &discs);
    if (status == WILLOW_OK)
        status = take_end(reading, game);
    if (status == WILLOW_OK)
        status = take_columns(reading, record);
    game->pair = (uint64_t)pair;
    game->game = (int)number;
    record->discs = (int)discs;
    return status;
}

enum willow_status game_json_read(const char *text, size_t size, const struct willow_ruleset *ruleset, const char *file,
                                  const char *place, struct game_json *game, struct willow_error *error)
{
    json_error_t fault;
    char reason[JSON_ERROR_TEXT_LENGTH];
    struct willow_error unsound;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    if (!object && json_error_code(&fault) == json_error_out_of_memory)
        return willow_fail(error, WILLOW_ERR_MEMORY, file, place, "out of memory");
    if (!object)
        return willow_fail(error, WILLOW_ERR_FORMAT, file, place, "not sound JSON: column %d: %s", fault.column,
                           game_json_printable(fault.text, reason, sizeof reason));
    const struct reading reading = {.object = object, .file = file, .place = place, .error = error};
    memset(game, 0, sizeof *game);
    enum willow_status status = take_line(&reading, ruleset, game);
    json_decref(object);
    if (status == WILLOW_OK && check_game(game, &unsound) != WILLOW_OK)
        status = willow_fail(error, WILLOW_ERR_FORMAT, file, place, "%s", unsound.reason);
    return status;
}
