/* A conversation in the NBoard protocol, driven by hand. */
#include "support/nboard_talk.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/require.h"

enum { NODES = 20000, HINT_DEPTH = 3 };

static void keep(void *context, const char *line)
{
    struct talk *talk = context;
    const size_t length = strlen(line);
    if (talk->size + length + 2 > talk->capacity) {
        talk->capacity = 2 * (talk->size + length + 2);
        talk->output = realloc(talk->output, talk->capacity);
        require(talk->output != NULL, "no memory");
    }
    memcpy(talk->output + talk->size, line, length);
    memcpy(talk->output + talk->size + length, "\n", 2);
    talk->size += length + 1;
}

static void start(void *context, const struct think_request *request)
{
    struct talk *talk = context;
    require(!talk->pending, "a search is started while another one runs");
    talk->request = *request;
    talk->pending = true;
    talk->stops = 0;
}

static void stop(void *context)
{
    struct talk *talk = context;
    require(talk->pending, "nothing runs that could be stopped");
    talk->stops++;
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    struct talk *talk = context;
    require(!talk->pending, "another ruleset while a search runs");
    if (talk->refuses)
        return willow_fail(error, WILLOW_ERR_MISMATCH, "a.wlw", NULL, "not for %s", ruleset->name);
    willow_search_free(talk->search);
    willow_weights_free(talk->weights);
    require(willow_weights_open("zero", ruleset, &talk->weights, NULL) == WILLOW_OK, "no weights");
    require(willow_search_new(talk->weights, 1 << 20, &talk->search, NULL) == WILLOW_OK, "no search");
    talk->ruleset = ruleset;
    return WILLOW_OK;
}

void talk_open(struct talk *talk, const struct nboard_settings *settings)
{
    const struct willow_choice choice = {.limits = {.depth = 4, .exact_empties = 6}};
    const struct nboard_settings plain = {.ruleset = willow_ruleset_default(), .choice = choice, .clocked = choice};
    const struct nboard_driver driver = {
        .context = talk, .write = keep, .start = start, .stop = stop, .set_ruleset = set_ruleset};

    *talk = (struct talk){.goes_on = true, .ruleset = willow_ruleset_default()};
    require(willow_weights_open(NULL, NULL, &talk->weights, NULL) == WILLOW_OK, "no weights");
    require(willow_search_new(talk->weights, 1 << 20, &talk->search, NULL) == WILLOW_OK, "no search");
    require(nboard_new(settings != NULL ? settings : &plain, &driver, &talk->nboard, NULL) == WILLOW_OK, "no memory");
    keep(talk, "");
    talk_clear(talk);
}

void talk_close(struct talk *talk)
{
    nboard_free(talk->nboard);
    willow_search_free(talk->search);
    willow_weights_free(talk->weights);
    free(talk->output);
}

void talk_clear(struct talk *talk)
{
    talk->size = 0;
    talk->output[0] = '\0';
}

void talk_line(struct talk *talk, const char *line)
{
    require(nboard_ready(talk->nboard), "a line comes too early");
    talk->goes_on = nboard_line(talk->nboard, line);
}

static void hand_in(struct talk *talk, const struct think_report *report)
{
    require(talk->pending, "a report without a request");
    talk->pending = !report->final;
    talk->goes_on = nboard_report(talk->nboard, report);
}

void talk_report(struct talk *talk, bool final, willow_square move, willow_score score, int depth)
{
    struct think_report report = {.kind = talk->request.kind, .final = final, .count = 1};
    report.result = (struct willow_result){
        .move = move, .score = score, .depth = depth, .selectivity = 73, .nodes = 100, .time_ns = 250000000};
    report.result.pv[0] = report.pv[0][0] = move;
    report.result.pv_length = report.pv_length[0] = 1;
    report.moves[0] = (struct willow_scored_move){.move = move, .score = score};
    hand_in(talk, &report);
}

static void run_move(struct talk *talk)
{
    struct think_request *request = &talk->request;
    struct think_report report = {.kind = THINK_MOVE, .final = true};
    request->choice.limits.nodes = NODES;
    willow_choice_run(&request->choice, talk->search, talk->ruleset, request->board, request->ply,
                      request->clocked ? &request->timer : NULL, &report.result);
    hand_in(talk, &report);
}

static void run_hint(struct talk *talk)
{
    const struct think_request request = talk->request;
    for (int depth = 1; depth <= HINT_DEPTH && talk->pending && talk->goes_on; depth++) {
        const struct willow_limits limits = {.depth = depth};
        struct think_report report = {.kind = THINK_HINT, .final = depth == HINT_DEPTH || talk->stops > 0};
        const int count = willow_search_moves(talk->search, request.board, &limits, report.moves);
        report.count = count < request.count ? count : request.count;
        report.result = (struct willow_result){.depth = depth, .selectivity = WILLOW_NOT_SELECTIVE};
        for (int i = 0; i < report.count; i++) {
            report.pv[i][0] = report.moves[i].move;
            report.pv_length[i] = 1;
        }
        hand_in(talk, &report);
    }
}

void talk_settle(struct talk *talk)
{
    while (talk->pending && talk->goes_on) {
        if (talk->request.kind == THINK_MOVE) {
            run_move(talk);
        } else if (talk->request.kind == THINK_HINT) {
            run_hint(talk);
        } else {
            const struct think_report report = {.kind = THINK_PONDER, .final = true};
            hand_in(talk, &report);
        }
    }
}

void talk_say(struct talk *talk, const char *line)
{
    talk_line(talk, line);
    talk_settle(talk);
}

bool talk_has(const struct talk *talk, const char *line)
{
    const size_t length = strlen(line);
    for (const char *at = talk->output; at[0] != '\0'; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, length) == 0 && at[length] == '\n')
            return true;
    return false;
}

int talk_count(const struct talk *talk, const char *prefix)
{
    int count = 0;
    for (const char *at = talk->output; at[0] != '\0'; at = strchr(at, '\n') + 1)
        count += strncmp(at, prefix, strlen(prefix)) == 0;
    return count;
}

const char *talk_answer(const struct talk *talk)
{
    const char *found = NULL;
    for (const char *at = talk->output; at[0] != '\0'; at = strchr(at, '\n') + 1)
        if (strncmp(at, "=== ", 4) == 0)
            found = at + 4;
    return found;
}

const char *talk_foreign(const struct talk *talk)
{
    static const char form[] = "^(set myname [^ ]+|status( [ -~]*)?|nodestats [0-9]+ [0-9]+\\.[0-9][0-9]|"
                               "search ([A-H][1-8]|PA)+ -?[0-9]+\\.[0-9][0-9] 0 [0-9]+(%W?)?|"
                               "=== (PA|[A-H][1-8]/-?[0-9]+\\.[0-9][0-9]/[0-9]+\\.[0-9][0-9])|pong [ -~]*|learned|"
                               "analysis [0-9]+ -?[0-9]+\\.[0-9][0-9])$";
    char line[1024];
    regex_t compiled;
    const char *foreign = NULL;
    require(regcomp(&compiled, form, REG_EXTENDED | REG_NOSUB) == 0, "the form of a line");
    for (const char *at = talk->output; at[0] != '\0' && foreign == NULL; at = strchr(at, '\n') + 1) {
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (length >= sizeof line || regexec(&compiled, line, 0, NULL, 0) != 0)
            foreign = at;
    }
    regfree(&compiled);
    return foreign;
}
