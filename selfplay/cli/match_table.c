/* Cross table and standings of a match as text: all cells are formatted twice, to find the widths and to print.
 * Layer: selfplay (program).
 */
#include "match_table.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    CELL = 48,      /* bytes that hold any cell but a name */
    NAME_LEAST = 8, /* columns to which a name may be cut in a cross table, */
    NAME_FAIR = 16  /* and where its ratings stand */
};

/* What stands behind the cross table's cells, in this order. */
enum sum { SUM_POINTS, SUM_GAMES, SUM_BYES, SUM_BRIGHTWELL, SUM_DISCS, SUM_ELO, SUM_BOUNDS, SUM_FAULTS, SUMS };

static const char *const sum_titles[SUMS] = {"points", "games", "byes",  "Brightwell",
                                             "discs",  "Elo",   "[95%]", "faults"};

/* The table and the widths that its columns need. */
struct table {
    const char *const *names;
    const struct standings *standings;
    int number, name, cell; /* widths; those of cells and sums without the space before them */
    int sums[SUMS];         /* 0 = left out */
    bool withdrawn;         /* someone is */
};

/* Columns on a terminal: characters, not bytes. */
static int text_width(const char *text)
{
    int width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* The text behind its first characters. */
static const char *skip_characters(const char *text, int characters)
{
    for (; *text != '\0'; text++)
        if (((unsigned char)*text & 0xC0) != 0x80 && characters-- == 0)
            break;
    return text;
}

/* Names are often alike but for their ends ("generation-12"), so that the middle can best be spared. */
static void print_name(FILE *stream, const char *name, int width)
{
    const int length = text_width(name);

    if (length <= width) {
        fprintf(stream, "%s%*s", name, width - length, "");
        return;
    }
    const int head = (width - 1) / 2;
    fprintf(stream, "%.*s~%s", (int)(skip_characters(name, head) - name), name,
            skip_characters(name, length - (width - 1 - head)));
}

/* Row and column are ranks. */
static const char *cell_text(const struct table *table, int row, int column, char buffer[CELL])
{
    const struct standings *standings = table->standings;
    const size_t cell =
        (size_t)standings->rows[row].player * (size_t)standings->players + (size_t)standings->rows[column].player;

    if (standings->games[cell] == 0)
        return row == column ? "x" : ".";
    snprintf(buffer, CELL, "%.1f", standings->points[cell]);
    return buffer;
}

double match_whole(double elo)
{
    return rint(elo) + 0.0;
}

static const char *elo_text(const struct rating *rating, char buffer[CELL])
{
    if (!isfinite(rating->elo))
        return "-";
    snprintf(buffer, CELL, "%+.0f", match_whole(rating->elo));
    return buffer;
}

static const char *bounds_text(const struct rating *rating, char buffer[CELL])
{
    if (!isfinite(rating->elo_low) || !isfinite(rating->elo_high))
        return "-";
    if (rating->elo_low == rating->elo_high)
        return "anchor";
    snprintf(buffer, CELL, "[%+.0f, %+.0f]", match_whole(rating->elo_low), match_whole(rating->elo_high));
    return buffer;
}

static const char *sum_text(const struct standings_player *row, enum sum sum, char buffer[CELL])
{
    switch (sum) {
    case SUM_POINTS:
        snprintf(buffer, CELL, "%.1f", row->points);
        break;
    case SUM_GAMES:
        snprintf(buffer, CELL, "%llu", (unsigned long long)(row->wins + row->draws + row->losses));
        break;
    case SUM_BYES:
        snprintf(buffer, CELL, "%llu", (unsigned long long)row->byes);
        break;
    case SUM_BRIGHTWELL:
        snprintf(buffer, CELL, "%.1f", row->brightwell);
        break;
    case SUM_DISCS:
        snprintf(buffer, CELL, "%.15g", row->discs); /* whole on all boards but those of an odd number of squares */
        break;
    case SUM_ELO:
        return elo_text(&row->rating, buffer);
    case SUM_BOUNDS:
        return bounds_text(&row->rating, buffer);
    case SUM_FAULTS:
    default:
        snprintf(buffer, CELL, "%llu", (unsigned long long)row->faults);
        break;
    }
    return buffer;
}

static void widen(int *width, const char *text)
{
    const int needed = text_width(text);

    if (*width < needed)
        *width = needed;
}

static int digits(int number)
{
    return number >= 100 ? 3 : number >= 10 ? 2 : 1;
}

static void measure(struct table *table)
{
    const struct standings *standings = table->standings;
    bool wanted[SUMS] = {[SUM_POINTS] = true, [SUM_GAMES] = true, [SUM_BRIGHTWELL] = true,
                         [SUM_DISCS] = true,  [SUM_ELO] = true,   [SUM_BOUNDS] = true};
    char buffer[CELL];

    table->name = text_width("player");
    table->cell = digits(standings->players);
    for (int row = 0; row < standings->players; row++) {
        const struct standings_player *player = &standings->rows[row];

        table->withdrawn = table->withdrawn || player->withdrawn;
        wanted[SUM_BYES] = wanted[SUM_BYES] || player->byes > 0;
        wanted[SUM_FAULTS] = wanted[SUM_FAULTS] || player->faults > 0;
        widen(&table->name, table->names[player->player]);
        for (int column = 0; column < standings->players; column++)
            widen(&table->cell, cell_text(table, row, column, buffer));
    }
    table->number = digits(standings->players) + (table->withdrawn ? 1 : 0);
    for (enum sum sum = 0; sum < SUMS; sum++) {
        if (!wanted[sum])
            continue;
        widen(&table->sums[sum], sum_titles[sum]);
        for (int row = 0; row < standings->players; row++)
            widen(&table->sums[sum], sum_text(&standings->rows[row], sum, buffer));
    }
}

static int sums_width(const struct table *table)
{
    int width = 0;

    for (enum sum sum = 0; sum < SUMS; sum++)
        width += table->sums[sum] > 0 ? 1 + table->sums[sum] : 0;
    return width;
}

/* Number and name of a rank; the head's when it is -1. */
static void print_rank(FILE *stream, const struct table *table, int row)
{
    const int number = table->number - (table->withdrawn ? 1 : 0);

    if (row < 0)
        fprintf(stream, "%*s%s ", number, "#", table->withdrawn ? " " : "");
    else
        fprintf(stream, "%*d%s ", number, row + 1,
                table->standings->rows[row].withdrawn ? "*"
                : table->withdrawn                    ? " "
                                                      : "");
    print_name(stream, row < 0 ? "player" : table->names[table->standings->rows[row].player], table->name);
}

static void print_cells(FILE *stream, const struct table *table, int row, int first, int behind)
{
    char buffer[CELL];

    for (int column = first; column < behind; column++)
        if (row < 0)
            fprintf(stream, " %*d", table->cell, column + 1);
        else
            fprintf(stream, " %*s", table->cell, cell_text(table, row, column, buffer));
}

static void print_sums(FILE *stream, const struct table *table, int row)
{
    char buffer[CELL];

    for (enum sum sum = 0; sum < SUMS; sum++)
        if (table->sums[sum] > 0)
            fprintf(stream, " %*s", table->sums[sum],
                    row < 0 ? sum_titles[sum] : sum_text(&table->standings->rows[row], sum, buffer));
}

/* One table of the ranks against the ranks first .. behind-1, and of the sums if they are wanted. */
static void print_part(FILE *stream, const struct table *table, int first, int behind, bool sums)
{
    for (int row = -1; row < table->standings->players; row++) {
        print_rank(stream, table, row);
        print_cells(stream, table, row, first, behind);
        if (sums && behind > first)
            fputs(" |", stream);
        if (sums)
            print_sums(stream, table, row);
        fputc('\n', stream);
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Columns for names when there is room for so many: `floor` of them at least, but no more than any name has. */
static int fit_name(int longest, int room, int floor)
{
    return least(longest, room > floor ? room : floor);
}

/* The cross table by itself, in parts side by side that are printed below each other. */
static void print_parts(FILE *stream, const struct table *table, int room)
{
    const int players = table->standings->players;
    const int most = (room - table->name) / (1 + table->cell);
    const int step = most < 1 ? 1 : most;

    for (int first = 0; first < players; first += step) {
        fputc('\n', stream);
        print_part(stream, table, first, least(first + step, players), false);
    }
}

void match_table_print(FILE *stream, const char *const *names, const struct standings *standings, int columns)
{
    struct table table = {.names = names, .standings = standings};

    measure(&table);
    const int longest = table.name;
    const int room = columns - table.number - 1; /* for all behind the number */
    const int cells = standings->players * (1 + table.cell);
    const int bar = 2;
    const int together = room - cells - bar - sums_width(&table); /* for a name, if all is one table */

    if (together >= least(longest, NAME_FAIR)) {
        table.name = fit_name(longest, together, NAME_FAIR);
        print_part(stream, &table, 0, standings->players, true);
    } else {
        table.name = fit_name(longest, room - sums_width(&table), NAME_FAIR);
        print_part(stream, &table, 0, 0, true);
        table.name = fit_name(longest, room - cells, NAME_LEAST);
        print_parts(stream, &table, room);
    }
    if (table.withdrawn)
        fputs("* withdrawn: its games stand, those that it left out are byes of the others\n", stream);
}
