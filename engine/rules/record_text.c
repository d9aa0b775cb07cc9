/* Pieces of text of game records: places, quotations, names, and moves that name their side. Layer: rules.
 * Shared by the readers of GGF, SGF and lines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "rules/board_text.h"
#include "rules/record_reader.h"

enum { QUOTE_BYTES = 24 };

unsigned char record_current(const struct willow_records *records)
{
    return records->at < records->size_bytes ? records->data[records->at] : 0;
}

void record_skip_space(struct willow_records *records)
{
    while (records->at < records->size_bytes && record_is_space(records->data[records->at]))
        records->at++;
}

size_t record_find(const struct willow_records *records, size_t from, const char *text)
{
    const unsigned char *found = from < records->size_bytes
                                     ? memmem(records->data + from, records->size_bytes - from, text, strlen(text))
                                     : NULL;
    return found ? (size_t)(found - records->data) : records->size_bytes;
}

size_t record_find_tree(const struct willow_records *records, size_t from)
{
    for (size_t at = from; (at = record_find(records, at, "(")) < records->size_bytes; at++) {
        size_t behind = at + 1;
        while (behind < records->size_bytes && record_is_space(records->data[behind]))
            behind++;
        if (behind < records->size_bytes && records->data[behind] == ';')
            return at;
    }
    return records->size_bytes;
}

char *record_text_place(struct willow_records *records, size_t at, char place[RECORD_PLACE])
{
    const unsigned char *data = records->data;
    if (at < records->line_at) {
        records->line_at = records->line_start = 0;
        records->line = 1;
    }
    while (records->line_at < at) {
        const unsigned char *end = memchr(data + records->line_at, '\n', at - records->line_at);
        if (end) {
            records->line++;
            records->line_start = (size_t)(end - data) + 1;
        }
        records->line_at = end ? records->line_start : at;
    }
    (void)snprintf(place, RECORD_PLACE, "line %" PRIu64 ", column %zu", records->line, at - records->line_start + 1);
    return place;
}

void record_fail_at(struct willow_records *records, struct willow_record *record, enum willow_record_kind kind,
                    size_t at, const char *reason)
{
    char place[RECORD_PLACE];
    if (record->kind == WILLOW_RECORD_COMPLETE)
        record_fail(record, kind, record_text_place(records, at, place), "%s", reason);
}

void record_fail_quoting(struct willow_records *records, struct willow_record *record, enum willow_record_kind kind,
                         struct record_piece value, const char *reason)
{
    char text[QUOTE_BYTES], whole[128];
    const size_t length = value.length < QUOTE_BYTES - 1 ? value.length : QUOTE_BYTES - 1;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = records->data[value.at + i];
        text[i] = (char)(c >= ' ' && c < 127 ? c : '?');
    }
    text[length] = '\0';
    (void)snprintf(whole, sizeof whole, "%s: \"%s\"", reason, text);
    record_fail_at(records, record, kind, value.at, whole);
}

bool record_variant_name(int width, bool fewest_wins, char name[RULESET_NAME])
{
    const char *usual = board_text_size_name(width);
    if (!usual || (fewest_wins && width > 8))
        return false;
    if (!fewest_wins)
        (void)snprintf(name, RULESET_NAME, "%s", usual);
    else
        (void)snprintf(name, RULESET_NAME, "%s%s", width == 8 ? "" : usual, width == 8 ? "anti" : "-anti");
    return true;
}

void record_fail_other(struct willow_records *records, struct willow_record *record, size_t at, const char *name)
{
    char reason[160];
    (void)snprintf(reason, sizeof reason, "a game of %.40s, read as %s; --ruleset %.40s reads it", name,
                   records->ruleset->name, name);
    record_fail_at(records, record, WILLOW_RECORD_OTHER_VARIANT, at, reason);
}

bool record_squeeze(const struct willow_records *records, struct record_piece value, char *buffer, size_t size)
{
    const char *text = (const char *)records->data + value.at;
    size_t length = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (record_is_space((unsigned char)text[i]))
            continue;
        if (length + 1 >= size)
            return false;
        buffer[length++] = text[i];
    }
    buffer[length] = '\0';
    return true;
}

/* Takes the escapes away and lays the text out in one line; cut where the buffer ends. */
static void unescape(const char *text, size_t length, bool all_escapes, char *buffer, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used < size - 1; i++) {
        if (text[i] == '\\' && i + 1 < length) {
            const char next = text[i + 1];
            if (all_escapes && (next == '\n' || next == '\r')) {
                /* A soft line break is no part of the text. */
                i += i + 2 < length && next == '\r' && text[i + 2] == '\n' ? 2 : 1;
                continue;
            }
            i += all_escapes || next == ']' || next == '\\';
        }
        buffer[used++] = (char)(record_is_space((unsigned char)text[i]) ? ' ' : text[i]);
    }
    buffer[used] = '\0';
}

/* Neither a control character nor one that changes the direction of the text around it or cannot be seen. */
static bool is_printable(uint32_t c)
{
    return c >= ' ' && !(c >= 0x7f && c < 0xa0) && !(c >= 0x200b && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202e) &&
           !(c >= 0x2060 && c <= 0x206f) && c != 0xad && c != 0xfeff && (c & 0xfffe) != 0xfffe;
}

void record_name(const struct willow_records *records, struct record_piece value, bool all_escapes,
                 char name[WILLOW_NAME_BYTES])
{
    char text[4 * WILLOW_NAME_BYTES]; /* more than the name even where every character takes four bytes */
    unescape((const char *)records->data + value.at, value.length, all_escapes, text, sizeof text);
    size_t used = 0;
    for (const char *at = text + strspn(text, " "); *at;) {
        uint32_t point;
        const size_t read = utf8_read(at, &point);
        const bool good = read > 0 && is_printable(point);
        const size_t written = good ? read : 1;
        if (used + written >= WILLOW_NAME_BYTES)
            break;
        memcpy(name + used, good ? at : "?", written);
        used += written;
        at += read > 0 ? read : 1;
    }
    while (used > 0 && name[used - 1] == ' ')
        used--;
    name[used] = '\0';
}

void record_play(struct willow_records *records, struct willow_record *record, enum willow_side side,
                 willow_square move, struct record_piece value)
{
    struct willow_game *moves = &record->game;
    struct willow_error error;
    /* Some programs write the passes of both sides behind the last move. */
    if (move == WILLOW_PASS && willow_game_over(moves))
        return;
    const bool pass_left_out = side != moves->side;
    if (pass_left_out && willow_game_play(moves, WILLOW_PASS, NULL) != WILLOW_OK) {
        record_fail_quoting(records, record, WILLOW_RECORD_ILLEGAL, value,
                            willow_game_over(moves) ? "a move after the game is over"
                            : side == WILLOW_BLACK  ? "a move of black although white is to move"
                                                    : "a move of white although black is to move");
    } else if (willow_game_play(moves, move, &error) != WILLOW_OK) {
        if (pass_left_out)
            willow_game_undo(moves); /* the pass was our reading; without the move it was not in the text */
        record_fail_at(records, record, WILLOW_RECORD_ILLEGAL, value.at, error.reason);
    }
}
