/* Sessions of GTP: every command has one answer, in order, framed as the protocol says; and however it went, the game
 * is a legal one, which printsgf shows.
 */
#include "fuzz/fuzz.h"

#include <string.h>

#include <willow/records.h>

#include "fuzz/session.h"
#include "protocol/gtp.h"

enum { COMMANDS_MAX = 4096, ID_MAX = 24 };

struct session {
    struct gtp *gtp;
    struct fuzz_thinker thinker;
    int asked, answered;
    char ids[COMMANDS_MAX][ID_MAX]; /* of the commands that were asked */
    char last[1 << 16];             /* the last answer */
};

static void start(void *context, const struct think_request *request)
{
    fuzz_thinker_start(&((struct session *)context)->thinker, request);
}

static void stop(void *context)
{
    fuzz_thinker_stop(&((struct session *)context)->thinker);
}

static void clear(void *context)
{
    FUZZ_REQUIRE(!((struct session *)context)->thinker.busy);
}

static enum willow_status set_threads(void *context, int threads, struct willow_error *error)
{
    FUZZ_REQUIRE(!((struct session *)context)->thinker.busy);
    FUZZ_REQUIRE(threads >= 1 && threads <= WILLOW_SEARCH_THREADS_MAX);
    return threads <= 8 ? WILLOW_OK : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for threads");
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset,
                                      const struct willow_weights **weights, struct willow_error *error)
{
    const enum willow_status status = fuzz_thinker_set_ruleset(&((struct session *)context)->thinker, ruleset, error);
    if (status == WILLOW_OK)
        *weights = fuzz_weights(ruleset);
    return status;
}

/* "=ID TEXT" or "?ID TEXT", ended by an empty line, and none before that. */
static bool take_answer(void *output, const char *text, size_t length)
{
    struct session *session = output;
    FUZZ_REQUIRE(session->answered < session->asked);
    const char *id = session->ids[session->answered++];
    FUZZ_REQUIRE(length >= 3 && length < sizeof session->last && (text[0] == '=' || text[0] == '?'));
    FUZZ_REQUIRE(strncmp(text + 1, id, strlen(id)) == 0);
    FUZZ_REQUIRE(strchr(" \n", text[1 + strlen(id)]) != NULL);
    FUZZ_REQUIRE(memcmp(text + length - 2, "\n\n", 2) == 0);
    FUZZ_REQUIRE(memmem(text, length - 1, "\n\n", 2) == NULL && memchr(text, '\0', length) == NULL);
    for (size_t i = 0; i < length; i++)
        FUZZ_REQUIRE(text[i] == '\n' || text[i] == '\t' || (unsigned char)text[i] >= 32);
    memcpy(session->last, text, length);
    session->last[length] = '\0';
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_control(char c)
{
    return ((unsigned char)c < 32 && c != '\t') || c == 127;
}

/* Notes the id of a command, as the protocol's text has it; a line without a command is none. */
static void expect_answer(struct session *session, const char *line)
{
    char word[ID_MAX + 1];
    size_t length = 0;
    bool ended = false;
    /* What could not be read has no id. */
    if (line == NULL)
        line = "?";
    for (; *line != '\0' && *line != '#' && !ended; line++) {
        if (is_control(*line))
            continue;
        ended = length > 0 && is_blank(*line);
        if (!is_blank(*line) && length < ID_MAX)
            word[length++] = *line;
    }
    if (length == 0)
        return;
    word[length] = '\0';
    FUZZ_REQUIRE(session->asked < COMMANDS_MAX);
    const bool is_id = length < ID_MAX && strspn(word, "0123456789") == length;
    memcpy(session->ids[session->asked], is_id ? word : "", is_id ? length + 1 : 1);
    session->asked++;
}

static bool report(void *context)
{
    struct session *session = context;
    return gtp_report(session->gtp, fuzz_thinker_finish(&session->thinker), session->thinker.now_ns);
}

static bool say(void *context, const char *line)
{
    struct session *session = context;
    expect_answer(session, line);
    return gtp_line(session->gtp, line, session->thinker.now_ns);
}

static bool ready(void *context)
{
    return gtp_ready(((struct session *)context)->gtp);
}

static void check_game(struct session *session)
{
    static struct willow_record record;
    struct willow_records records;
    struct willow_error error;
    if (!say(session, "printsgf") || session->answered < session->asked || session->last[0] != '=')
        return;
    const size_t length = strlen(session->last);
    FUZZ_REQUIRE(willow_records_open(&records, session->thinker.ruleset, WILLOW_RECORDS_SGF, session->last + 2,
                                     length - 2, &error) == WILLOW_OK);
    FUZZ_REQUIRE(willow_records_next(&records, &record) && record.kind <= WILLOW_RECORD_OTHER_START);
    fuzz_check_game(&record.game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct session session;
    session.asked = session.answered = 0;
    session.thinker.busy = session.thinker.bad_move = false;
    session.thinker.now_ns = 1000000000;
    session.thinker.ruleset = willow_ruleset_default();
    const struct gtp_settings settings = {.name = "Willow",
                                          .version = "fuzz",
                                          .ruleset = willow_ruleset_default(),
                                          .weights = fuzz_weights(willow_ruleset_default()),
                                          .choice = {.level = 1},
                                          .choice_clocked = {.limits = {.depth = 3}},
                                          .threads = 1,
                                          .ponder = size % 2 == 0,
                                          .engine = {&session, start, stop, clear, set_threads, set_ruleset},
                                          .write = take_answer,
                                          .output = &session};
    struct willow_error error;
    FUZZ_REQUIRE(gtp_new(&settings, &session.gtp, &error) == WILLOW_OK);
    const struct fuzz_protocol protocol = {&session, &session.thinker, say, report, ready};
    if (fuzz_converse(&protocol, data, size)) {
        FUZZ_REQUIRE(session.answered == session.asked);
        check_game(&session);
        gtp_end(session.gtp);
        (void)fuzz_report_all(&protocol);
        FUZZ_REQUIRE(session.answered == session.asked);
    }
    gtp_free(session.gtp);
    return 0;
}
