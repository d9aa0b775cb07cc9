/* A game or a position as JSON, one object in a line. Layer: engine/cli (program willow). */
#include <inttypes.h>

#include <willow/program.h>

#include "convert.h"

static void print_moves(FILE *stream, const struct willow_game *game)
{
    char name[WILLOW_SQUARE_TEXT];
    for (int i = 0; i < game->length; i++)
        (void)fprintf(stream, "%s\"%s\"", i ? ", " : "", willow_square_format(game->moves[i], name));
}

static void print_scores(FILE *stream, const struct willow_obf *scores)
{
    char name[WILLOW_SQUARE_TEXT];
    for (int i = 0; i < scores->count; i++)
        (void)fprintf(stream, "%s\"%s\": %d", i ? ", " : "", willow_square_format(scores->moves[i], name),
                      scores->scores_discs[i]);
}

static void print_result(FILE *stream, const struct willow_record *record)
{
    const struct willow_game *game = &record->game;
    const bool over = willow_game_over(game);
    if (over)
        (void)fprintf(stream, ", \"over\": true, \"result\": %d", willow_game_final_discs(game));
    else
        (void)fprintf(stream, ", \"over\": false, \"result\": null");
    if (record->has_result)
        (void)fprintf(stream, ", \"recorded_result\": %d", record->result_discs);
    if (record->ending)
        (void)fprintf(stream, ", \"recorded_ending\": \"%s\"",
                      record->ending == 'r'   ? "resigned"
                      : record->ending == 't' ? "time"
                                              : (char[]){record->ending, '\0'});
}

void convert_print_json(FILE *stream, const struct convert_item *item, bool scores)
{
    const struct willow_record *record = &item->record;
    const struct willow_game *game = &record->game;
    const struct willow_board board = willow_game_board(game);
    const bool black_view = game->side == WILLOW_BLACK;
    char text[WILLOW_BOARD_TEXT];
    (void)fprintf(stream, "{\"file\": ");
    willow_json_string(stream, item->file);
    (void)fprintf(stream, ", \"number\": %" PRIu64 ", \"ruleset\": \"%s\", \"black\": ", record->number,
                  game->ruleset->name);
    willow_json_string(stream, record->black);
    (void)fprintf(stream, ", \"white\": ");
    willow_json_string(stream, record->white);
    (void)fprintf(stream, ", \"start\": \"%s\", \"moves\": [",
                  willow_board_format(game->ruleset, game->boards[0], game->start_side, text));
    print_moves(stream, game);
    (void)fprintf(stream, "], \"board\": \"%s\", \"side\": \"%s\", \"discs\": {\"black\": %d, \"white\": %d}",
                  willow_board_format(game->ruleset, board, game->side, text), black_view ? "black" : "white",
                  willow_bits_count(black_view ? board.player : board.opponent),
                  willow_bits_count(black_view ? board.opponent : board.player));
    print_result(stream, record);
    if (scores && item->scores.count > 0 && game->length == 0) {
        (void)fprintf(stream, ", \"scores\": {");
        print_scores(stream, &item->scores);
        (void)fprintf(stream, "}");
    }
    (void)fprintf(stream, "}\n");
}
