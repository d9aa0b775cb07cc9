/* Lists all positions after some plies, ply by ply and reduced by symmetry, and reads transcripts line by line.
 * Layer: selfplay.
 */
#include "opening_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/game.h>
#include <willow/notation.h>
#include <willow/random.h>

#include "board_set.h"

willow_bits opening_settle(const struct willow_ruleset *ruleset, struct willow_board *board)
{
    willow_bits moves = willow_board_moves(ruleset, *board);
    if (!moves) {
        *board = willow_board_play(*board, WILLOW_PASS);
        moves = willow_board_moves(ruleset, *board);
    }
    return moves;
}

struct willow_board opening_key(const struct willow_ruleset *ruleset, struct willow_board settled)
{
    return willow_board_canonical(ruleset, settled, NULL);
}

static enum willow_status no_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for the openings");
}

/* Makes room for one more item; false when there is no memory for it, and all is as before. */
static bool make_room(void **items, size_t count, size_t *room, size_t item_bytes)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? 2 * *room : 64;
    void *wider = wanted > UINT32_MAX ? NULL : realloc(*items, wanted * item_bytes);
    if (!wider)
        return false;
    *items = wider;
    *room = wanted;
    return true;
}

/* Appends a line of `count` <= stride moves. */
static enum willow_status append(struct opening_lines *lines, const willow_square *moves, int count,
                                 struct willow_error *error)
{
    void *items = lines->moves;
    if (!make_room(&items, lines->count, &lines->room, lines->stride))
        return no_memory(error);
    lines->moves = items;
    willow_square *record = lines->moves + lines->count++ * lines->stride;
    memcpy(record, moves, (size_t)count);
    if ((size_t)count < lines->stride)
        record[count] = WILLOW_NO_SQUARE;
    return WILLOW_OK;
}

/* The last step of filling a table. */
static enum willow_status allocate_order(struct opening_lines *lines, struct willow_error *error)
{
    lines->order = calloc(lines->count + 1, sizeof *lines->order);
    return lines->order ? WILLOW_OK : no_memory(error);
}

/* A position of one ply while all are listed. */
struct node {
    struct willow_board board; /* settled */
    willow_square moves[OPENING_LINES_PLIES_MAX];
};

struct level {
    struct node *nodes;
    size_t count, room;
};

static enum willow_status push(struct level *level, struct node node, struct willow_error *error)
{
    void *items = level->nodes;
    if (!make_room(&items, level->count, &level->room, sizeof node))
        return no_memory(error);
    level->nodes = items;
    level->nodes[level->count++] = node;
    return WILLOW_OK;
}

/* Adds to `next` what one position's moves lead to and no position before it did. */
static enum willow_status expand(const struct willow_ruleset *ruleset, const struct node *node, int ply,
                                 struct board_set *met, struct level *next, struct willow_error *error)
{
    for (willow_bits moves = willow_board_moves(ruleset, node->board); moves; moves &= moves - 1) {
        struct node child = *node;
        child.moves[ply] = (willow_square)willow_bits_first(moves);
        child.board = willow_board_play(node->board, child.moves[ply]);
        if (!opening_settle(ruleset, &child.board))
            continue;
        bool added;
        enum willow_status status = board_set_add(met, opening_key(ruleset, child.board), &added, error);
        if (!status && added)
            status = push(next, child, error);
        if (status)
            return status;
    }
    return WILLOW_OK;
}

/* Replaces the positions of one ply by those of the next. */
static enum willow_status advance(const struct willow_ruleset *ruleset, struct level *level, int ply,
                                  const struct willow_stop *stop, struct willow_error *error)
{
    struct board_set met = {0};
    struct level next = {0};
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; i < level->count && !status; i++) {
        if (stop && i % 1024 == 0 && willow_stop_get(stop))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped while listing openings");
        else
            status = expand(ruleset, &level->nodes[i], ply, &met, &next, error);
    }
    board_set_clear(&met);
    free(level->nodes);
    *level = next;
    return status;
}

enum willow_status opening_lines_enumerate(struct opening_lines *lines, const struct willow_ruleset *ruleset, int plies,
                                           const struct willow_stop *stop, struct willow_error *error)
{
    struct level level = {0};
    struct node root = {.board = ruleset->start};
    enum willow_status status = opening_settle(ruleset, &root.board) ? push(&level, root, error) : WILLOW_OK;
    for (int ply = 0; ply < plies && !status; ply++)
        status = advance(ruleset, &level, ply, stop, error);
    *lines = (struct opening_lines){.stride = plies > 0 ? (size_t)plies : 1};
    for (size_t i = 0; i < level.count && !status; i++)
        status = append(lines, level.nodes[i].moves, plies, error);
    free(level.nodes);
    if (!status)
        status = allocate_order(lines, error);
    if (status)
        opening_lines_clear(lines);
    return status;
}

/* What is read so far of a text of transcripts. */
struct list {
    struct opening_lines *lines;
    const struct willow_ruleset *ruleset;
    const char *name;
    size_t line; /* from 1 */
    struct board_set met;
    uint64_t doubles;
};

static bool is_blank_text(const char *text)
{
    return text[strspn(text, " \t\r")] == '\0';
}

static enum willow_status list_fail(const struct list *list, const char *column, const char *reason,
                                    struct willow_error *error)
{
    char place[128];
    snprintf(place, sizeof place, "line %zu%s%s", list->line, *column ? ", " : "", column);
    return willow_fail(error, WILLOW_ERR_FORMAT, list->name, place, "%s", reason);
}

/* Adds the opening of one line, which has neither a comment nor an end. */
static enum willow_status add_transcript(struct list *list, const char *text, struct willow_error *error)
{
    struct willow_game game;
    struct willow_error reason;
    willow_game_init(&game, list->ruleset);
    if (willow_transcript_parse(&game, text, &reason))
        return list_fail(list, reason.place, reason.reason, error);
    if (!game.length)
        return list_fail(list, "", "no move", error);
    struct willow_board board = willow_game_board(&game);
    if (!opening_settle(list->ruleset, &board))
        return list_fail(list, "", "the game is over after these moves", error);

    bool added;
    const enum willow_status status = board_set_add(&list->met, opening_key(list->ruleset, board), &added, error);
    if (status)
        return status;
    if (!added) {
        list->doubles++;
        return WILLOW_OK;
    }
    willow_square moves[OPENING_LINES_MOVES_MAX];
    int count = 0;
    for (int i = 0; i < game.length; i++)
        if (game.moves[i] != WILLOW_PASS)
            moves[count++] = game.moves[i];
    return append(list->lines, moves, count, error);
}

static enum willow_status add_line(struct list *list, const char *start, size_t length, struct willow_error *error)
{
    const char *comment = memchr(start, '#', length);
    char *text = strndup(start, comment ? (size_t)(comment - start) : length);
    if (!text)
        return no_memory(error);
    const enum willow_status status = is_blank_text(text) ? WILLOW_OK : add_transcript(list, text, error);
    free(text);
    return status;
}

enum willow_status opening_lines_parse(struct opening_lines *lines, const struct willow_ruleset *ruleset,
                                       const char *text, const char *name, uint64_t *doubles,
                                       struct willow_error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    struct list list = {.lines = lines, .ruleset = ruleset, .name = name};
    enum willow_status status = WILLOW_OK;
    *lines = (struct opening_lines){.stride = OPENING_LINES_MOVES_MAX};
    if (strncmp(text, byte_order_mark, 3) == 0)
        text += 3;
    while (*text && !status) {
        const size_t length = strcspn(text, "\n");
        list.line++;
        status = add_line(&list, text, length, error);
        text += length + (text[length] == '\n');
    }
    board_set_clear(&list.met);
    if (!status && !lines->count)
        status = willow_fail(error, WILLOW_ERR_FORMAT, name, NULL, "there is no opening in it");
    if (!status)
        status = allocate_order(lines, error);
    if (status)
        opening_lines_clear(lines);
    *doubles = list.doubles;
    return status;
}

void opening_lines_shuffle(struct opening_lines *lines, uint64_t seed, uint64_t stream)
{
    struct willow_random random;
    willow_random_init(&random, seed, stream);
    /* Fisher and Yates, from the inside out. */
    for (uint32_t i = 0; i < lines->count; i++) {
        const uint32_t j = willow_random_below(&random, i + 1);
        lines->order[i] = lines->order[j];
        lines->order[j] = i;
    }
}

const willow_square *opening_lines_at(const struct opening_lines *lines, size_t rank, int *count)
{
    const willow_square *moves = lines->moves + lines->order[rank] * lines->stride;
    const willow_square *end = memchr(moves, WILLOW_NO_SQUARE, lines->stride);
    *count = end ? (int)(end - moves) : (int)lines->stride;
    return moves;
}

void opening_lines_clear(struct opening_lines *lines)
{
    free(lines->moves);
    free(lines->order);
    *lines = (struct opening_lines){0};
}
