/* A GTP session: framing of lines and answers, the order of commands while a search runs, pondering. What the commands
 * do is in the files beside this one. Layer: protocol.
 */
#include "protocol/gtp_session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pause between two commands that is longer than any program needs: somebody thinks, and nobody's clock is known to
 * run. */
static const uint64_t PAUSE_NS = 100000000;

/* Pondering delays the answer: the processor is busy when the opponent's move comes. With less on the clock that costs
 * more than it gains: of 24 games of one second on a busy machine (eight programs on two cores) 5 were lost on time. */
static const uint64_t PONDER_LEAST_NS = 1000000000;

static const double ANALYSIS_SECONDS = 2;

/* Stands in the queue for a line that was too long; no line holds it. */
static const char too_long[] = "\1";

const struct gtp_command *const gtp_commands[] = {gtp_game_commands,  gtp_ruleset_commands, gtp_file_commands,
                                                  gtp_gogui_commands, gtp_param_commands,   NULL};

const struct gtp_command *gtp_find_command(const char *name)
{
    for (int table = 0; gtp_commands[table]; table++)
        for (const struct gtp_command *command = gtp_commands[table]; command->name; command++)
            if (strcmp(command->name, name) == 0)
                return command;
    return NULL;
}

enum willow_status gtp_new(const struct gtp_settings *settings, struct gtp **gtp, struct willow_error *error)
{
    *gtp = calloc(1, sizeof **gtp);
    if (!*gtp)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a session");
    (*gtp)->settings = *settings;
    (*gtp)->ruleset = settings->ruleset;
    (*gtp)->analysis_seconds = ANALYSIS_SECONDS;
    willow_game_init(&(*gtp)->game, (*gtp)->ruleset);
    return WILLOW_OK;
}

void gtp_free(struct gtp *gtp)
{
    free(gtp);
}

bool gtp_failed(const struct gtp *gtp)
{
    return gtp->failed;
}

static void append(struct gtp *gtp, const char *format, va_list arguments)
{
    const size_t room = sizeof gtp->answer - gtp->answer_length;
    const int length = vsnprintf(gtp->answer + gtp->answer_length, room, format, arguments);
    if (length > 0)
        gtp->answer_length += (size_t)length < room ? (size_t)length : room - 1;
}

void gtp_say(struct gtp *gtp, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(gtp, format, arguments);
    va_end(arguments);
}

enum gtp_outcome gtp_refuse(struct gtp *gtp, const char *format, ...)
{
    va_list arguments;
    gtp->answer_length = 0;
    va_start(arguments, format);
    append(gtp, format, arguments);
    va_end(arguments);
    return GTP_BAD;
}

enum gtp_outcome gtp_refuse_syntax(struct gtp *gtp)
{
    return gtp_refuse(gtp, "syntax error");
}

enum gtp_outcome gtp_think(struct gtp *gtp, enum gtp_errand errand, const struct think_request *request)
{
    gtp->errand = errand;
    gtp->settings.engine.start(gtp->settings.engine.context, request);
    return GTP_LATER;
}

/* An empty line would end an answer early, and a line end at its end would be one. */
static void close_answer(struct gtp *gtp)
{
    size_t kept = 0;
    for (size_t i = 0; i < gtp->answer_length; i++) {
        const char byte = gtp->answer[i];
        if (byte != '\n' || (kept > 0 && gtp->answer[kept - 1] != '\n'))
            gtp->answer[kept++] = byte;
    }
    while (kept > 0 && gtp->answer[kept - 1] == '\n')
        kept--;
    gtp->answer[kept] = '\0';
    gtp->answer_length = kept;
}

static void respond(struct gtp *gtp, enum gtp_outcome outcome)
{
    char text[GTP_ANSWER_MAX + GTP_ID_MAX + 8];
    close_answer(gtp);
    const int length = snprintf(text, sizeof text, "%c%s%s%s\n\n", outcome == GTP_GOOD ? '=' : '?', gtp->id,
                                gtp->answer_length > 0 ? " " : "", gtp->answer);
    if (!gtp->settings.write(gtp->settings.output, text, (size_t)length))
        gtp->failed = true;
}

/* Cuts a line that has no tabs or control characters any more. */
static int split(char *line, char **words)
{
    int count = 0;
    char *rest = line;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == GTP_WORDS_MAX)
            return count + 1;
        words[count++] = word;
    }
    return count;
}

static bool is_id(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0' && strlen(word) < GTP_ID_MAX;
}

static enum gtp_outcome run_command(struct gtp *gtp, int count, char **words)
{
    const struct gtp_command *command = count > 0 ? gtp_find_command(words[0]) : NULL;
    if (!command)
        return gtp_refuse(gtp, "unknown command");
    if (count - 1 < command->least || count - 1 > command->most)
        return gtp_refuse_syntax(gtp);
    return command->run(gtp, count - 1, words + 1);
}

/* Runs the command in gtp->line. */
static void execute(struct gtp *gtp, uint64_t came_ns)
{
    char *words[GTP_WORDS_MAX];
    gtp->now_ns = came_ns > gtp->answered_ns ? came_ns : gtp->answered_ns;
    if (gtp->turn_ns == 0 || gtp->now_ns > gtp->answered_ns + PAUSE_NS)
        gtp->turn_ns = gtp->now_ns;
    gtp->answer_length = 0;
    gtp->id[0] = '\0';
    enum gtp_outcome outcome = GTP_BAD;
    if (strcmp(gtp->line, too_long) == 0) {
        gtp_refuse(gtp, "line too long");
    } else {
        int count = split(gtp->line, words), first = 0;
        if (is_id(words[0])) {
            memcpy(gtp->id, words[0], strlen(words[0]) + 1);
            first = 1;
        }
        if (count > GTP_WORDS_MAX)
            gtp_refuse_syntax(gtp);
        else
            outcome = run_command(gtp, count - first, words + first);
    }
    if (outcome != GTP_LATER)
        respond(gtp, outcome);
}

/* Control characters count for nothing, a tab is a blank, '#' begins a comment. False for a blank line. */
static bool clean(const char *line, char *cleaned)
{
    size_t length = 0;
    bool blank = true;
    for (; *line && *line != '#' && length < SERVE_LINE_MAX; line++) {
        const unsigned char byte = (unsigned char)*line;
        if (byte != '\t' && (byte < ' ' || byte == 127))
            continue;
        cleaned[length] = byte == '\t' ? ' ' : *line;
        blank = blank && cleaned[length] == ' ';
        length++;
    }
    cleaned[length] = '\0';
    return !blank;
}

/* The comment by which GoGui ends a search. */
static bool is_interrupt(const char *line)
{
    static const char word[] = "interrupt";
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line++;
    line += strspn(line, " \t");
    if (strncmp(line, word, sizeof word - 1) != 0)
        return false;
    line += sizeof word - 1;
    return line[strspn(line, " \t\r")] == '\0';
}

static void stop(struct gtp *gtp)
{
    gtp->settings.engine.stop(gtp->settings.engine.context);
}

/* Bytes that a line takes in the queue besides its own: its time and the zero. */
enum { QUEUE_EXTRA = sizeof(uint64_t) + 1 };

static void push(struct gtp_queue *queue, const char *line, uint64_t now_ns)
{
    const size_t length = strlen(line);
    if (sizeof queue->bytes - queue->end < length + QUEUE_EXTRA) {
        memmove(queue->bytes, queue->bytes + queue->begin, queue->end - queue->begin);
        queue->end -= queue->begin;
        queue->begin = 0;
    }
    if (sizeof queue->bytes - queue->end < length + QUEUE_EXTRA)
        return;
    memcpy(queue->bytes + queue->end, &now_ns, sizeof now_ns);
    memcpy(queue->bytes + queue->end + sizeof now_ns, line, length + 1);
    queue->end += length + QUEUE_EXTRA;
}

static bool pop(struct gtp_queue *queue, char *line, uint64_t *came_ns)
{
    if (queue->begin == queue->end)
        return false;
    memcpy(came_ns, queue->bytes + queue->begin, sizeof *came_ns);
    const char *text = queue->bytes + queue->begin + sizeof *came_ns;
    const size_t length = strlen(text);
    memcpy(line, text, length + 1);
    queue->begin += length + QUEUE_EXTRA;
    return true;
}

bool gtp_ready(const struct gtp *gtp)
{
    return sizeof gtp->queue.bytes - (gtp->queue.end - gtp->queue.begin) >= SERVE_LINE_MAX + QUEUE_EXTRA;
}

static bool short_of_time(const struct gtp *gtp)
{
    const enum willow_side own = gtp->game.side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
    return gtp->clock.used && willow_timer_left_ns(&gtp->clock.timers[own]) < PONDER_LEAST_NS;
}

/* The opponent's time is used when nothing is left to do. */
static void ponder(struct gtp *gtp)
{
    if (gtp->errand != GTP_IDLE || !gtp->settings.ponder || !gtp->ponder_due || gtp->ended || gtp->quit ||
        short_of_time(gtp))
        return;
    const struct think_request request = {.kind = THINK_PONDER, .board = willow_game_board(&gtp->game)};
    (void)gtp_think(gtp, GTP_PONDER, &request);
}

/* Runs what has waited, each command at its own time. */
static bool go_on(struct gtp *gtp, uint64_t now_ns)
{
    uint64_t came_ns;
    while (gtp->errand == GTP_IDLE && !gtp->quit && !gtp->failed && pop(&gtp->queue, gtp->line, &came_ns)) {
        execute(gtp, came_ns);
        gtp->answered_ns = gtp->now_ns;
        if (gtp->queue.begin == gtp->queue.end)
            gtp->answered_ns = now_ns;
    }
    if (gtp->interrupted && gtp->errand != GTP_IDLE)
        stop(gtp);
    gtp->interrupted = false;
    ponder(gtp);
    return !gtp->quit;
}

bool gtp_line(struct gtp *gtp, const char *line, uint64_t now_ns)
{
    if (gtp->quit)
        return false;
    if (line && is_interrupt(line)) {
        if (gtp->errand == GTP_PONDER)
            gtp->interrupted = gtp->queue.begin < gtp->queue.end;
        else if (gtp->errand != GTP_IDLE)
            stop(gtp);
        return true;
    }
    char cleaned[SERVE_LINE_MAX + 1];
    if (line && !clean(line, cleaned))
        return true;
    const char *kept = line ? cleaned : too_long;
    if (gtp->errand != GTP_IDLE) {
        push(&gtp->queue, kept, now_ns);
        if (gtp->errand == GTP_PONDER)
            stop(gtp);
        return true;
    }
    memcpy(gtp->line, kept, strlen(kept) + 1);
    execute(gtp, now_ns);
    gtp->answered_ns = now_ns;
    return go_on(gtp, now_ns);
}

bool gtp_report(struct gtp *gtp, const struct think_report *report, uint64_t now_ns)
{
    if (!report->final || gtp->errand == GTP_IDLE)
        return !gtp->quit;
    const enum gtp_errand errand = gtp->errand;
    gtp->errand = GTP_IDLE;
    gtp->now_ns = now_ns;
    /* Analyses are nobody's turn. */
    if (errand != GTP_MOVE && errand != GTP_PONDER)
        gtp->turn_ns = 0;
    switch (errand) {
    case GTP_IDLE:
        break;
    case GTP_MOVE:
    case GTP_MOVE_UNPLAYED:
        respond(gtp, gtp_answer_move(gtp, report, errand == GTP_MOVE));
        break;
    case GTP_BEST_MOVES:
        respond(gtp, gtp_answer_best_moves(gtp, report));
        break;
    case GTP_LINE:
        respond(gtp, gtp_answer_line(gtp, report));
        break;
    case GTP_PONDER:
        /* Unless a line has stopped it, there is nothing more to find out. */
        gtp->ponder_due = gtp->ponder_due && gtp->queue.begin < gtp->queue.end;
        break;
    }
    /* The end of pondering is no answer: the line that ended it has its own time. */
    if (errand != GTP_PONDER)
        gtp->answered_ns = now_ns;
    return go_on(gtp, now_ns);
}

void gtp_end(struct gtp *gtp)
{
    gtp->ended = true;
    if (gtp->errand == GTP_PONDER)
        stop(gtp);
}
