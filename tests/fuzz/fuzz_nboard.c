/* Conversations in the NBoard protocol: every line is one of the protocol's, every ping has its pong, and however it
 * went, the positions that are looked at in the end are those of a legal game.
 */
#include "fuzz/fuzz.h"

#include <ctype.h>
#include <string.h>

#include "fuzz/session.h"
#include "protocol/nboard.h"
#include "support/referee.h"

struct session {
    struct nboard *nboard;
    struct fuzz_thinker thinker;
    int pings, pongs, goes, answers;
};

static void start(void *context, const struct think_request *request)
{
    fuzz_thinker_start(&((struct session *)context)->thinker, request);
}

static void stop(void *context)
{
    fuzz_thinker_stop(&((struct session *)context)->thinker);
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    return fuzz_thinker_set_ruleset(&((struct session *)context)->thinker, ruleset, error);
}

/* Each passes what it names and says whether it was there. */
static bool pass_word(const char **line, const char *word)
{
    const size_t length = strlen(word);
    const bool there = strncmp(*line, word, length) == 0;
    *line += there ? length : 0;
    return there;
}

static bool pass_number(const char **line, bool fraction)
{
    const char *at = *line + (fraction && **line == '-');
    const size_t digits = strspn(at, "0123456789");
    at += digits;
    if (digits == 0 || (fraction && (at[0] != '.' || !isdigit((unsigned char)at[1]) || !isdigit((unsigned char)at[2]))))
        return false;
    *line = at + (fraction ? 3 : 0);
    return true;
}

static bool pass_move(const char **line)
{
    const char *at = *line;
    const bool there = pass_word(line, "PA") || (at[0] >= 'A' && at[0] <= 'H' && at[1] >= '1' && at[1] <= '8');
    *line = there ? at + 2 : at;
    return there;
}

static bool pass_depth(const char **line)
{
    if (!pass_number(line, false))
        return false;
    if (pass_word(line, "%"))
        (void)pass_word(line, "W");
    return true;
}

static bool is_search(const char *line)
{
    if (!pass_word(&line, "search ") || !pass_move(&line))
        return false;
    while (pass_move(&line))
        ;
    return pass_word(&line, " ") && pass_number(&line, true) && pass_word(&line, " 0 ") && pass_depth(&line) &&
           *line == '\0';
}

static bool is_answer(const char *line)
{
    if (!pass_word(&line, "=== "))
        return false;
    if (strcmp(line, "PA") == 0)
        return true;
    return pass_move(&line) && pass_word(&line, "/") && pass_number(&line, true) && pass_word(&line, "/") &&
           pass_number(&line, true) && *line == '\0';
}

static bool is_analysis(const char *line)
{
    return pass_word(&line, "analysis ") && pass_number(&line, false) && pass_word(&line, " ") &&
           pass_number(&line, true) && *line == '\0';
}

static bool is_stats(const char *line)
{
    return pass_word(&line, "nodestats ") && pass_number(&line, false) && pass_word(&line, " ") &&
           pass_number(&line, true) && *line == '\0';
}

static void take_line(void *context, const char *line)
{
    struct session *session = context;
    for (const char *c = line; *c != '\0'; c++)
        FUZZ_REQUIRE(*c >= ' ' && *c <= '~');
    session->pongs += strncmp(line, "pong ", 5) == 0;
    session->answers += strncmp(line, "=== ", 4) == 0;
    FUZZ_REQUIRE(is_search(line) || is_answer(line) || is_analysis(line) || is_stats(line) ||
                 strncmp(line, "pong ", 5) == 0 || strncmp(line, "status", 6) == 0 || strcmp(line, "learned") == 0 ||
                 strncmp(line, "set myname ", 11) == 0);
    FUZZ_REQUIRE(session->pongs <= session->pings && session->answers <= session->goes);
}

static bool is_command(const char *line, const char *word)
{
    const size_t length = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, length) == 0 && strchr(" \t", line[length]) != NULL;
}

static bool report(void *context)
{
    struct session *session = context;
    return nboard_report(session->nboard, fuzz_thinker_finish(&session->thinker));
}

static bool say(void *context, const char *line)
{
    struct session *session = context;
    session->pings += line != NULL && is_command(line, "ping");
    session->goes += line != NULL && is_command(line, "go");
    return nboard_line(session->nboard, line);
}

static bool ready(void *context)
{
    return nboard_ready(((struct session *)context)->nboard);
}

static bool follows(const struct willow_ruleset *ruleset, struct willow_board before, struct willow_board after)
{
    const struct referee referee = referee_of(ruleset, before);
    const willow_bits moves = referee_moves(&referee);
    for (int move = moves == 0 ? WILLOW_PASS : 0; move <= WILLOW_PASS; move++) {
        if (move < WILLOW_PASS && (moves >> move & 1) == 0)
            continue;
        if (move == WILLOW_PASS && moves != 0)
            break;
        const struct referee next = referee_play(&referee, move);
        struct willow_board board;
        referee_to_words(&next, &board.player, &board.opponent);
        if (fuzz_same_board(board, after))
            return true;
    }
    return false;
}

/* An analysis goes from the last position to the first. */
static bool check_game(struct session *session)
{
    struct willow_board after = {0};
    bool open = say(session, "analyze");
    for (int count = 0; open && session->thinker.busy; count++) {
        const struct willow_board board = session->thinker.request.board;
        if (session->thinker.request.kind == THINK_MOVE) {
            FUZZ_REQUIRE(count == 0 || follows(session->thinker.ruleset, board, after));
            after = board;
        }
        open = report(session);
    }
    return open;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct session session;
    session = (struct session){.thinker = {.ruleset = willow_ruleset_default(), .now_ns = 1, .always_legal = true}};
    const struct nboard_settings settings = {.ruleset = willow_ruleset_default(),
                                             .choice = {.level = 1},
                                             .clocked = {.limits = {.depth = 3}},
                                             .ponder = size % 2 == 0};
    const struct nboard_driver driver = {&session, take_line, start, stop, set_ruleset};
    struct willow_error error;
    FUZZ_REQUIRE(nboard_new(&settings, &driver, &session.nboard, &error) == WILLOW_OK);
    const struct fuzz_protocol protocol = {&session, &session.thinker, say, report, ready};
    if (fuzz_converse(&protocol, data, size)) {
        FUZZ_REQUIRE(nboard_ready(session.nboard) && session.pongs == session.pings);
        const bool open = check_game(&session) && nboard_end(session.nboard) && fuzz_report_all(&protocol);
        FUZZ_REQUIRE(!open);
    }
    nboard_free(session.nboard);
    return 0;
}
