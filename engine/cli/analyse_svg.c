/* The score over a game as an SVG picture that stands alone, on light and dark pages. Layer: engine/cli (target
 * willow_analysis).
 */
#include <stdlib.h>
#include <string.h>

#include <willow/notation.h>

#include "analyse.h"
#include "base/utf8.h"

enum {
    WIDTH = 960,
    LEFT = 60,
    RIGHT = 24,
    HEAD = 84,  /* title and the line below it */
    PLOT = 260, /* height of what the scores take */
    FOOT = 62,  /* move numbers and their title */
    LANE = 22,  /* height of a row of labels */
    LANES = 3,  /* rows at most, on each side */
    TITLE = 20, /* size of the title, unless it would be too wide */
    LETTER = 7, /* about the width of a character of a label */
    NAME_LETTERS = 30
};

static const char style[] =
    "svg{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif}\n"
    ".page{fill:#fff}.title{font-weight:600;fill:#1b232e}.text{font-size:13px;fill:#57616e}\n"
    ".rule{stroke:#e4e8ed;fill:none}.zero{stroke:#57616e;fill:none}.solved{stroke:#8a95a3;stroke-dasharray:4 4}\n"
    ".dark{fill:#39424e}.light{fill:#e9edf2}.score{fill:none;stroke:#1b232e;stroke-width:1.8;stroke-linejoin:round}\n"
    ".lead{stroke:#b9c1cb}.tag{fill:#fff}.mistake{fill:#b3660a}.blunder{fill:#c3262f}\n"
    ".label{font-size:12px;font-weight:600}circle{stroke:#fff;stroke-width:1.5}\n"
    "@media (prefers-color-scheme:dark){.page,.tag{fill:#12161c}.title{fill:#e8ecf1}.text{fill:#a7b1bd}\n"
    ".rule{stroke:#29303a}.zero{stroke:#a7b1bd}.solved{stroke:#6b7683}.dark{fill:#2b333e}.light{fill:#cfd6de}\n"
    ".score{stroke:#e8ecf1}.lead{stroke:#4a5562}.mistake{fill:#f0a04b}.blunder{fill:#ff6b6b}circle{stroke:#12161c}}\n";

/* Labels of one side's marked moves, in rows outside the scores. lane[move] = -1: no room, the point alone is marked.
 */
struct lanes {
    int used;
    int lane[WILLOW_GAME_MAX + 1];
};

struct picture {
    FILE *stream;
    const struct analyse_game *analysis;
    struct analyse_curve curve;
    struct lanes lanes[2];
    double top, bottom; /* of the scores */
};

/* Characters that XML forbids, or that would turn the direction of what follows. */
static bool is_harmless(uint32_t point)
{
    return point >= 0x20 && !(point >= 0x7f && point < 0xa0) && point != 0xfffe && point != 0xffff &&
           !(point >= 0x202a && point <= 0x202e) && !(point >= 0x2066 && point <= 0x2069);
}

/* Any bytes as the text of an element, at most so many characters of them. */
static void print_escaped(FILE *stream, const char *text, int most)
{
    for (int count = 0; *text; count++) {
        if (count == most) {
            fputs("…", stream);
            return;
        }
        uint32_t point;
        const size_t length = utf8_read(text, &point);
        if (length == 0 || !is_harmless(point))
            fputs("\uFFFD", stream);
        else if (point == '<' || point == '>' || point == '&')
            fputs(point == '<' ? "&lt;" : point == '>' ? "&gt;" : "&amp;", stream);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
}

/* About how wide a text is in a wide bold font of TITLE pixels, at most so many characters of it. */
static double title_width(const char *text, int most)
{
    double width = 0;
    for (int count = 0; *text && count <= most; count++) {
        uint32_t point;
        const size_t length = utf8_read(text, &point);
        const bool ascii = length > 0 && point < 128;
        if ((ascii && strchr("MWmw@%", (int)point)) || (length > 0 && point >= 0x1100))
            width += 1.15 * TITLE;
        else
            width += (ascii && point >= 'A' && point <= 'Z' ? 0.8 : 0.65) * TITLE;
        text += length > 0 ? length : 1;
    }
    return width;
}

static double x_at(const struct picture *picture, int point)
{
    const int moves = picture->curve.moves > 0 ? picture->curve.moves : 1;
    return LEFT + (double)point / moves * (WIDTH - LEFT - RIGHT);
}

static double y_at(const struct picture *picture, double discs)
{
    return picture->top + PLOT / 2.0 * (1 - discs / picture->curve.scale_discs);
}

static double y_of(const struct picture *picture, int point)
{
    return y_at(picture, (double)picture->curve.black[point] / WILLOW_SCORE_DISC);
}

/* Middle of a text of so many letters that would like to stand at x, within the picture. */
static double within(double x, double half)
{
    return x - half < LEFT ? LEFT + half : x + half > WIDTH - RIGHT ? WIDTH - RIGHT - half : x;
}

static const struct analyse_move *move_at(const struct picture *picture, int move)
{
    const struct analyse_position *position = &picture->analysis->positions[picture->curve.indices[move]];
    return &position->moves[position->played_at];
}

/* "24. e7 −8.5" */
static int format_label(const struct picture *picture, int move, char *buffer, size_t size)
{
    char text[WILLOW_SQUARE_TEXT];
    const struct analyse_move *played = move_at(picture, move);
    const bool whole = played->loss % WILLOW_SCORE_DISC == 0;
    snprintf(buffer, size, whole ? "%d. %s \u2212%.0f" : "%d. %s \u2212%.1f", move,
             willow_square_format(played->move, text), (double)played->loss / WILLOW_SCORE_DISC);
    return (int)strlen(buffer) - 2; /* letters: the sign takes three bytes */
}

/* Blunders get their labels first. */
static void lay_out(struct picture *picture, enum willow_side side)
{
    struct lanes *lanes = &picture->lanes[side];
    double from[LANES][WILLOW_GAME_MAX + 1], to[LANES][WILLOW_GAME_MAX + 1];
    int count[LANES] = {0};
    memset(lanes->lane, -1, sizeof lanes->lane);
    for (int mark = ANALYSE_BLUNDER; mark >= ANALYSE_MISTAKE; mark--)
        for (int move = 1; move <= picture->curve.moves; move++) {
            char text[32];
            if ((int)picture->curve.marks[move] != mark || picture->curve.movers[move] != side)
                continue;
            const double half = LETTER * format_label(picture, move, text, sizeof text) / 2.0 + 4;
            const double x = within(x_at(picture, move), half);
            for (int lane = 0; lane < LANES && lanes->lane[move] < 0; lane++) {
                bool room = true;
                for (int i = 0; i < count[lane]; i++)
                    room = room && (x + half < from[lane][i] || x - half > to[lane][i]);
                if (!room)
                    continue;
                from[lane][count[lane]] = x - half;
                to[lane][count[lane]++] = x + half;
                lanes->lane[move] = lane;
                lanes->used = lane >= lanes->used ? lane + 1 : lanes->used;
            }
        }
}

static void print_name(const struct picture *picture, enum willow_side side)
{
    const char *name = picture->analysis->names[side];
    print_escaped(picture->stream, name[0] ? name : analyse_side_name(side), NAME_LETTERS);
    if (name[0])
        fprintf(picture->stream, " (%s)", analyse_side_name(side));
}

/* "A (Black) 40 – 24 B (White)"; the winner takes the empty squares. */
static void print_title(const struct picture *picture)
{
    const struct willow_game *game = &picture->analysis->game;
    print_name(picture, WILLOW_BLACK);
    if (willow_game_over(game)) {
        const int squares = willow_ruleset_squares(game->ruleset);
        const int difference = willow_game_final_discs(game);
        fprintf(picture->stream, " %d – %d ", (squares + difference) / 2, (squares - difference) / 2);
    } else {
        fprintf(picture->stream, " – ");
    }
    print_name(picture, WILLOW_WHITE);
    if (!willow_game_over(game))
        fprintf(picture->stream, ", after move %d", picture->curve.moves);
}

/* Pixels, so that the title stays within the picture whatever the names are. */
static double title_size(const struct picture *picture)
{
    const struct analyse_game *analysis = picture->analysis;
    const double width = title_width(analysis->names[WILLOW_BLACK], NAME_LETTERS) +
                         title_width(analysis->names[WILLOW_WHITE], NAME_LETTERS) +
                         title_width(" (Black) -  (White), after move 60", WIDTH);
    return width > WIDTH - LEFT - RIGHT ? TITLE * (WIDTH - LEFT - RIGHT) / width : TITLE;
}

static void print_lost(const struct picture *picture, enum willow_side side)
{
    const struct analyse_summary summary = analyse_summarise(picture->analysis, side);
    fprintf(picture->stream, "%s lost %.2f disc%s in %d move%s", analyse_side_name(side),
            (double)summary.lost / WILLOW_SCORE_DISC, summary.lost == WILLOW_SCORE_DISC ? "" : "s", summary.moves,
            summary.moves == 1 ? "" : "s");
    if (summary.blunders == 1)
        fprintf(picture->stream, ", one of them a blunder");
    else if (summary.blunders > 1)
        fprintf(picture->stream, ", %d of them blunders", summary.blunders);
}

static void print_head(const struct picture *picture, int height)
{
    FILE *stream = picture->stream;
    fprintf(stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>", WIDTH,
            height);
    print_title(picture);
    fprintf(stream, "</title>\n<style>\n%s</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", style, WIDTH,
            height);
    fprintf(stream, "<text class=\"title\" x=\"%d\" y=\"36\" style=\"font-size:%.1fpx\">", LEFT, title_size(picture));
    print_title(picture);
    fprintf(stream, "</text>\n<text class=\"text\" x=\"%d\" y=\"60\">", LEFT);
    print_lost(picture, WILLOW_BLACK);
    fprintf(stream, "; ");
    print_lost(picture, WILLOW_WHITE);
    fprintf(stream, "</text>\n");
}

static void print_axes(const struct picture *picture, double foot)
{
    FILE *stream = picture->stream;
    const int scale = picture->curve.scale_discs;
    for (int discs = -scale; discs <= scale; discs += scale / 4) {
        const double y = y_at(picture, discs);
        fprintf(stream,
                "<path class=\"rule\" d=\"M%d %.1fH%d\"/><text class=\"text\" x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%s%d</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4.5,
                discs < 0   ? "\u2212"
                : discs > 0 ? "+"
                            : "",
                abs(discs));
    }
    const int apart = picture->curve.moves > 12 ? 5 : 1;
    for (int move = 0; move <= picture->curve.moves; move += apart)
        fprintf(stream, "<text class=\"text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n",
                x_at(picture, move), foot + 20, move);
    fprintf(stream, "<text class=\"text\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">move</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, foot + 42);
    for (int side = 0; side < 2; side++)
        fprintf(stream,
                "<text class=\"text\" transform=\"translate(18 %.1f) rotate(-90)\" text-anchor=\"middle\">%s ahead"
                "</text>\n",
                picture->top + (side == WILLOW_BLACK ? 0.25 : 0.75) * PLOT, analyse_side_name((enum willow_side)side));
}

/* Runs of points that are known: as a line, or as an area down to zero. */
static void print_runs(const struct picture *picture, bool area)
{
    const struct analyse_curve *curve = &picture->curve;
    const double zero = y_at(picture, 0);
    for (int point = 0; point <= curve->moves; point++) {
        if (!curve->known[point])
            continue;
        int last = point;
        while (last < curve->moves && curve->known[last + 1])
            last++;
        fprintf(picture->stream, "M%.1f %.1f", x_at(picture, point), area ? zero : y_of(picture, point));
        for (int i = area ? point : point + 1; i <= last; i++)
            fprintf(picture->stream, "L%.1f %.1f", x_at(picture, i), y_of(picture, i));
        if (area)
            fprintf(picture->stream, "L%.1f %.1fZ", x_at(picture, last), zero);
        point = last;
    }
}

static void print_scores(const struct picture *picture)
{
    FILE *stream = picture->stream;
    const double zero = y_at(picture, 0);
    fprintf(stream,
            "<clipPath id=\"up\"><rect x=\"0\" y=\"0\" width=\"%d\" height=\"%.1f\"/></clipPath>"
            "<clipPath id=\"down\"><rect x=\"0\" y=\"%.1f\" width=\"%d\" height=\"%d\"/></clipPath>\n",
            WIDTH, zero, zero, WIDTH, PLOT);
    for (int side = 0; side < 2; side++) {
        fprintf(stream, "<path class=\"%s\" clip-path=\"url(#%s)\" d=\"", side == WILLOW_BLACK ? "dark" : "light",
                side == WILLOW_BLACK ? "up" : "down");
        print_runs(picture, true);
        fprintf(stream, "\"/>\n");
    }
    fprintf(stream, "<path class=\"zero\" d=\"M%d %.1fH%d\"/>\n<path class=\"score\" d=\"", LEFT, zero, WIDTH - RIGHT);
    print_runs(picture, false);
    fprintf(stream, "\"/>\n");
    const int solved = picture->curve.solved_from;
    if (solved > 0 && solved < picture->curve.moves) {
        const double x = x_at(picture, solved);
        const bool right = x > WIDTH - RIGHT - 60;
        fprintf(stream,
                "<path class=\"solved\" d=\"M%.1f %.1fV%.1f\"/><text class=\"text\" x=\"%.1f\" y=\"%.1f\"%s>"
                "exact</text>\n",
                x, picture->top, picture->bottom, right ? x - 5 : x + 5, picture->bottom - 6,
                right ? " text-anchor=\"end\"" : "");
    }
}

/* The middle of a row of labels: black's stand above the scores, white's below. */
static double lane_y(const struct picture *picture, enum willow_side side, int lane)
{
    return side == WILLOW_BLACK ? picture->top - (lane + 0.5) * LANE : picture->bottom + (lane + 0.5) * LANE;
}

static void print_mark(const struct picture *picture, int move)
{
    FILE *stream = picture->stream;
    const enum willow_side side = picture->curve.movers[move];
    const bool blunder = picture->curve.marks[move] == ANALYSE_BLUNDER;
    const char *kind = blunder ? "blunder" : "mistake";
    const double x = x_at(picture, move);
    const int lane = picture->lanes[side].lane[move];
    char text[32];
    const double half = LETTER * format_label(picture, move, text, sizeof text) / 2.0 + 2;
    if (lane >= 0) {
        const double y = lane_y(picture, side, lane), at = within(x, half);
        fprintf(stream,
                "<rect class=\"tag\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"16\"/><text class=\"label %s\" "
                "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                at - half, y - 8, 2 * half, kind, at, y + 4.5, text);
    }
    fprintf(stream, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>%s, %s, %s</title></circle>\n", kind,
            x, y_of(picture, move), blunder ? "5" : "4", text, analyse_side_name(side), kind);
}

/* Lines from the labels to their points lie below all labels. */
static void print_marks(const struct picture *picture)
{
    for (int move = 1; move <= picture->curve.moves; move++) {
        const enum willow_side side = picture->curve.movers[move];
        const int lane = picture->curve.marks[move] == ANALYSE_GOOD ? -1 : picture->lanes[side].lane[move];
        if (lane >= 0)
            fprintf(picture->stream, "<path class=\"lead\" d=\"M%.1f %.1fV%.1f\"/>\n", x_at(picture, move),
                    lane_y(picture, side, lane), y_of(picture, move));
    }
    for (int move = 1; move <= picture->curve.moves; move++)
        if (picture->curve.marks[move] != ANALYSE_GOOD)
            print_mark(picture, move);
}

void analyse_print_svg(FILE *stream, const struct analyse_game *analysis)
{
    struct picture picture = {.stream = stream, .analysis = analysis};
    analyse_curve_make(analysis, &picture.curve);
    lay_out(&picture, WILLOW_BLACK);
    lay_out(&picture, WILLOW_WHITE);
    picture.top = HEAD + picture.lanes[WILLOW_BLACK].used * LANE;
    picture.bottom = picture.top + PLOT;
    const double foot = picture.bottom + picture.lanes[WILLOW_WHITE].used * LANE;
    print_head(&picture, (int)foot + FOOT);
    print_axes(&picture, foot);
    print_scores(&picture);
    print_marks(&picture);
    fprintf(stream, "</svg>\n");
}
