/* Standings and encounters of a match as members of a JSON object. Layer: selfplay (program). */
#include "match_table.h"

#include <math.h>

#include <willow/program.h>

/* ,"name":value with null for what is not known: JSON has no other word for it. */
static void print_real(FILE *stream, const char *name, double value, int decimals)
{
    if (isfinite(value))
        fprintf(stream, ",\"%s\":%.*f", name, decimals, value);
    else
        fprintf(stream, ",\"%s\":null", name);
}

static void print_count(FILE *stream, const char *name, uint64_t count)
{
    fprintf(stream, ",\"%s\":%llu", name, (unsigned long long)count);
}

static void print_player(FILE *stream, const char *name, const struct standings_player *row)
{
    fputs("{\"name\":", stream);
    willow_json_string(stream, name);
    print_count(stream, "games", row->wins + row->draws + row->losses);
    print_count(stream, "wins", row->wins);
    print_count(stream, "draws", row->draws);
    print_count(stream, "losses", row->losses);
    print_count(stream, "byes", row->byes);
    print_real(stream, "points", row->points, 1);
    print_real(stream, "discs", row->discs, 1);
    print_real(stream, "brightwell", row->brightwell, 1);
    print_real(stream, "elo", row->rating.elo, 2);
    print_real(stream, "elo_low", row->rating.elo_low, 2);
    print_real(stream, "elo_high", row->rating.elo_high, 2);
    print_count(stream, "faults", row->faults);
    fprintf(stream, ",\"withdrawn\":%s}", row->withdrawn ? "true" : "false");
}

void match_table_json_tally(FILE *stream, const struct statistics_tally *tally, int squares)
{
    struct statistics_estimate estimate;
    const uint64_t pairs = statistics_pairs(tally);

    statistics_estimate(tally, squares, &estimate);
    fprintf(stream, "\"games\":%llu", 2 * (unsigned long long)pairs);
    print_count(stream, "pairs", pairs);
    print_count(stream, "wins", tally->wins);
    print_count(stream, "draws", tally->draws);
    print_count(stream, "losses", tally->losses);
    fputs(",\"pentanomial\":[", stream);
    for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++)
        fprintf(stream, "%s%llu", points == 0 ? "" : ",", (unsigned long long)tally->pentanomial[points]);
    fputc(']', stream);

    const struct {
        const char *name;
        double value;
        int decimals;
    } estimates[] = {{"score", estimate.score, 6},
                     {"score_low", estimate.score_low, 6},
                     {"score_high", estimate.score_high, 6},
                     {"elo", estimate.elo, 2},
                     {"elo_low", estimate.elo_low, 2},
                     {"elo_high", estimate.elo_high, 2},
                     {"nelo", estimate.nelo, 2},
                     {"nelo_low", estimate.nelo_low, 2},
                     {"nelo_high", estimate.nelo_high, 2},
                     {"los", estimate.los, 6},
                     {"discs", estimate.discs, 3},
                     {"discs_low", estimate.discs_low, 3},
                     {"discs_high", estimate.discs_high, 3}};
    for (size_t i = 0; i < sizeof estimates / sizeof *estimates; i++)
        print_real(stream, estimates[i].name, pairs > 0 ? estimates[i].value : NAN, estimates[i].decimals);
}

void match_table_json(FILE *stream, const char *const *names, const struct standings *standings,
                      const struct rating_encounter *encounters, size_t count, int squares)
{
    fputs("\"players\":[", stream);
    for (int row = 0; row < standings->players; row++) {
        fputs(row == 0 ? "" : ",", stream);
        print_player(stream, names[standings->rows[row].player], &standings->rows[row]);
    }
    fputs("],\"encounters\":[", stream);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "{\"a\":" : ",{\"a\":", stream);
        willow_json_string(stream, names[encounters[i].a]);
        fputs(",\"b\":", stream);
        willow_json_string(stream, names[encounters[i].b]);
        fputc(',', stream);
        match_table_json_tally(stream, &encounters[i].tally, squares);
        fputc('}', stream);
    }
    fputc(']', stream);
}
