/* The result of a match as one JSON object. Layer: selfplay (program). */
#include <stdio.h>

#include "match_file.h"
#include "match_output.h"
#include "match_table.h"

static void print_settings(const struct match_report *report)
{
    const struct match_command *command = report->command;
    const struct match_limits *limits = &command->limits;

    if (command->players == 2) {
        printf("\"a\":");
        willow_json_string(stdout, command->typed[0]);
        printf(",\"b\":");
        willow_json_string(stdout, command->typed[1]);
    } else {
        printf("\"format\":\"%s\"", match_format_name(command->format));
    }
    printf(",\"depth\":%d,\"selectivity\":%d,\"exact\":%d,\"nodes\":%llu", match_command_depth(command),
           limits->selectivity != 0 ? limits->selectivity : WILLOW_NOT_SELECTIVE, limits->exact,
           (unsigned long long)limits->nodes);
    if (limits->level > 0)
        printf(",\"level\":%d", limits->level);
    if (limits->time_ms > 0)
        printf(",\"time\":%.3f", (double)limits->time_ms / 1000.0);
    printf(",\"ruleset\":\"%s\"", command->ruleset->name);
    if (command->list[0] != '\0') {
        printf(",\"openings\":");
        willow_json_string(stdout, command->list);
    } else {
        printf(",\"opening\":%d,\"balance\":%d", command->opening_plies, report->result->balance_discs);
    }
    printf(",\"seed\":%llu,\"complete\":%s", (unsigned long long)command->seed,
           report->result->complete ? "true" : "false");
}

static void print_sprt(const struct match_report *report)
{
    const struct sprt_test *test = &report->command->sprt;
    const struct sprt_state *state = &report->result->sprt;

    printf(",\"sprt\":{\"nelo0\":%.17g,\"nelo1\":%.17g,\"alpha\":%.17g,\"beta\":%.17g,\"llr\":%.4f,\"lower\":%.4f,"
           "\"upper\":%.4f,\"verdict\":\"%s\"}",
           test->nelo0, test->nelo1, test->alpha, test->beta, state->llr, state->lower, state->upper,
           match_verdict_name(state->verdict));
}

static void print_clock(const struct match_report *report)
{
    const struct match_time *times = report->result->times;
    char text[WILLOW_TIME_CONTROL_TEXT];

    printf(",\"clock\":\"%s\",\"time_forfeits\":[%llu,%llu]", willow_time_control_format(&report->command->clock, text),
           (unsigned long long)report->result->ends[0][GAME_TIME],
           (unsigned long long)report->result->ends[1][GAME_TIME]);
    printf(",\"moves\":[%llu,%llu],\"time_used\":[%.3f,%.3f],\"longest_move\":[%.6f,%.6f]",
           (unsigned long long)times[0].moves, (unsigned long long)times[1].moves, (double)times[0].used_ns * 1e-9,
           (double)times[1].used_ns * 1e-9, (double)times[0].longest_ns * 1e-9, (double)times[1].longest_ns * 1e-9);
}

/* By name: how each player plays, and the games that it lost otherwise than on the board. */
static void print_engines(const struct match_report *report)
{
    char line[1024];

    printf(",\"engines\":{");
    for (int player = 0; player < report->command->players; player++) {
        printf("%s", player == 0 ? "" : ",");
        willow_json_string(stdout, report->names[player]);
        printf(":");
        willow_json_string(stdout, engine_describe(&report->command->engines[player], line, sizeof line));
    }
    printf("},\"faults\":{");
    for (int player = 0; player < report->command->players; player++) {
        printf("%s", player == 0 ? "" : ",");
        willow_json_string(stdout, report->names[player]);
        for (int end = GAME_PLAYED + 1; end < GAME_ENDS; end++)
            printf("%s\"%s\":%llu", end == GAME_PLAYED + 1 ? ":{" : ",", game_end_names[end],
                   (unsigned long long)report->result->ends[player][end]);
        printf("}");
    }
    printf("}");
}

void match_json_print(const struct match_report *report)
{
    const struct match_result *result = report->result;
    const int squares = willow_ruleset_squares(result->ruleset);

    printf("{");
    print_settings(report);
    printf(",");
    if (report->command->players == 2) {
        match_table_json_tally(stdout, &result->encounters[0].tally, squares);
        if (report->command->has_sprt)
            print_sprt(report);
        if (report->command->has_clock)
            print_clock(report);
        printf(",");
    }
    match_table_json(stdout, report->names, report->standings, result->encounters, result->encounters_count, squares);
    print_engines(report);
    printf("}\n");
}
