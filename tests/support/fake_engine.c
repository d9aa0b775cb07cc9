/* An Othello program for tests: it speaks GTP or NBoard, checks all that it is told by Willow's rules, plays legal
 * moves that the board alone decides, writes down what it read, and misbehaves on request.
 *
 *   fake_engine --gtp|--nboard [--log FILE] [--delay MS] [--misbehave WHAT] [--at N] [--seed S] [--dialect WORD]...
 *
 * WHAT, at the N-th move (default 1): crash, exit, fail, close, hang, endless, long-line, garbage, illegal, pass,
 * refuse, resign, wrong-number; at once: exit-at-once, deaf, random. WORD: crlf, noise, no-numbers, no-list, no-pass,
 * capitals; sizes, it plays on smaller boards; rulesets, on all, and knows willow-ruleset; refuses, it says in NBoard
 * what it does not play.
 */
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include <willow/notation.h>
#include <willow/random.h>
#include <willow/records.h>

#include "support/require.h"

struct fake {
    bool nboard, crlf, noise, no_numbers, no_list, no_pass, capitals, sizes, rulesets, refuses;
    const struct willow_ruleset *ruleset;
    const char *misbehave;
    int at, moves; /* the move of its own at which it misbehaves; those asked for so far */
    unsigned delay_ms;
    uint64_t seed;
    FILE *log;
    struct willow_game game;
};

/* One line of output. */
__attribute__((format(printf, 2, 3))) static void say(const struct fake *fake, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    (void)fputs(fake->crlf ? "\r\n" : "\n", stdout);
    (void)fflush(stdout);
}

static void note(const struct fake *fake, const char *text)
{
    if (fake->log == NULL)
        return;
    (void)fprintf(fake->log, "%s\n", text);
    (void)fflush(fake->log);
}

static bool misbehaves(const struct fake *fake, const char *what)
{
    return fake->misbehave != NULL && strcmp(fake->misbehave, what) == 0;
}

/* Neither the end of its input nor SIGTERM ends it, and a child in a session of its own does the same. */
_Noreturn static void hang(const struct fake *fake)
{
    char text[32];

    (void)signal(SIGTERM, SIG_IGN);
    const pid_t child = fork();
    require(child >= 0, "cannot fork");
    if (child == 0)
        (void)setsid();
    (void)snprintf(text, sizeof text, "pid %ld", (long)getpid());
    note(fake, text);
    for (;;)
        (void)pause();
}

/* Words of both protocols in any order, and bytes that are none; then the end. */
_Noreturn static void babble(const struct fake *fake)
{
    static const char *const words[] = {
        "=",       "= ",    "?",      "=1 ",    "=2",      "\n",       "\n\n",
        "\r\n",    "d3",    "pass",   "F5",     "=== ",    "/",        "1.5",
        "nan/inf", "pong ", "pong 1", "pong 2", "\x1b[2J", "set_game", "=99999999999999999999",
        "resign"};
    struct willow_random random;

    willow_random_init(&random, fake->seed, 0);
    for (int i = 0; i < 2000; i++) {
        const uint32_t choice = willow_random_below(&random, 2 * sizeof words / sizeof *words);
        if (choice < sizeof words / sizeof *words)
            (void)fputs(words[choice], stdout);
        else if (choice % 2 == 0)
            (void)putchar((int)willow_random_below(&random, 256));
        else
            (void)putchar('\n');
    }
    (void)fflush(stdout);
    exit(0);
}

/* Never stops writing. */
_Noreturn static void flood(const char *text)
{
    for (;;)
        if (fputs(text, stdout) < 0)
            (void)pause();
}

/* The square is a function of the board, so that a test can tell what must come. */
static willow_square choose(const struct willow_game *game)
{
    const struct willow_board board = willow_game_board(game);
    willow_bits moves = willow_board_moves(game->ruleset, board);

    if (moves == 0)
        return WILLOW_PASS;
    for (uint64_t skip = willow_board_hash(board) % (uint64_t)willow_bits_count(moves); skip > 0; skip--)
        moves &= moves - 1;
    return (willow_square)willow_bits_first(moves);
}

/* The text of its answer when it is asked for a move; null = it has refused. */
static const char *answer_move(struct fake *fake, willow_square *move, char text[8])
{
    const bool now = ++fake->moves == fake->at;
    const struct timespec delay = {.tv_sec = fake->delay_ms / 1000, .tv_nsec = (long)(fake->delay_ms % 1000) * 1000000};

    (void)nanosleep(&delay, NULL);
    *move = choose(&fake->game);
    willow_square_format(*move, text);
    if (*move == WILLOW_PASS)
        (void)snprintf(text, 8, "%s", fake->nboard ? "PA" : "pass");
    for (char *c = text; fake->capitals && *c; c++)
        *c = (char)toupper((unsigned char)*c);
    if (!now)
        return text;
    if (misbehaves(fake, "crash"))
        (void)raise(SIGKILL);
    if (misbehaves(fake, "exit"))
        exit(3);
    if (misbehaves(fake, "fail"))
        exit(-1);
    if (misbehaves(fake, "close"))
        (void)close(STDOUT_FILENO);
    if (misbehaves(fake, "hang") || misbehaves(fake, "close"))
        hang(fake);
    if (misbehaves(fake, "endless"))
        flood("status still thinking\n");
    if (misbehaves(fake, "long-line"))
        flood("xxxxxxxxxxxxxxxx");
    if (misbehaves(fake, "garbage"))
        return "z9\x1b[2J";
    if (misbehaves(fake, "illegal"))
        return "d4";
    if (misbehaves(fake, "pass"))
        return "PA";
    if (misbehaves(fake, "resign"))
        return "Resign";
    return misbehaves(fake, "refuse") ? NULL : text;
}

/* Where passes are not told, they are played when the other side moves. */
static bool play(struct fake *fake, char colour, willow_square move)
{
    const char turn = fake->game.side == WILLOW_BLACK ? 'b' : 'w';

    if (fake->no_pass && turn != tolower((unsigned char)colour))
        (void)willow_game_play(&fake->game, WILLOW_PASS, NULL);
    return tolower((unsigned char)colour) == (fake->game.side == WILLOW_BLACK ? 'b' : 'w') &&
           willow_game_play(&fake->game, move, NULL) == WILLOW_OK;
}

__attribute__((format(printf, 4, 5))) static void gtp_answer(const struct fake *fake, const char *number, bool good,
                                                             const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (fake->noise) {
        say(fake, "%s", "");
        say(fake, "# thinking");
        say(fake, "Fake engine 1.0, pong 7 === d3");
    }
    say(fake, "%c%s %s", good ? '=' : '?', fake->no_numbers ? "" : number, text);
    say(fake, "%s", "");
}

static void gtp_genmove(struct fake *fake, const char *number, char colour)
{
    willow_square move;
    char text[8];

    if (fake->no_pass && tolower((unsigned char)colour) != (fake->game.side == WILLOW_BLACK ? 'b' : 'w'))
        (void)willow_game_play(&fake->game, WILLOW_PASS, NULL);
    const char *answer = answer_move(fake, &move, text);
    (void)willow_game_play(&fake->game, move, NULL);
    if (answer == NULL)
        gtp_answer(fake, number, false, "I would rather not");
    else
        gtp_answer(fake, misbehaves(fake, "wrong-number") && fake->moves == fake->at ? "77777" : number, true, "%s",
                   answer);
}

/* The usual game on a board of that size, unless it plays another of that size already. */
static bool gtp_boardsize(struct fake *fake, const char *text)
{
    const int size = atoi(text);
    const char *name = size == 4 ? "4x4" : size == 6 ? "6x6" : "othello";

    if (fake->ruleset->width != size && fake->sizes)
        fake->ruleset = willow_ruleset_find(name);
    willow_game_init(&fake->game, fake->ruleset);
    return fake->ruleset->width == size;
}

static bool gtp_ruleset(struct fake *fake, const char *name)
{
    const struct willow_ruleset *ruleset = fake->rulesets ? willow_ruleset_find(name) : NULL;

    if (ruleset != NULL)
        fake->ruleset = ruleset;
    return ruleset != NULL;
}

/* False at the end of the conversation. */
static bool gtp_line(struct fake *fake, const char *line)
{
    char number[16] = "", name[32] = "", first[32] = "", second[32] = "";

    if (sscanf(line, "%15[0-9] %31s %31s %31s", number, name, first, second) < 2)
        (void)sscanf(line, "%31s %31s %31s", name, first, second);
    if (strcmp(name, "list_commands") == 0 && !fake->no_list) {
        gtp_answer(fake, number, true,
                   "list_commands\nboardsize\nclear_board\nplay\ngenmove\nset_game\ntime_settings\n"
                   "time_left\nquit%s",
                   fake->rulesets ? "\nwillow-ruleset" : "");
    } else if (strcmp(name, "clear_board") == 0 || (strcmp(name, "set_game") == 0 && strcmp(first, "Othello") == 0)) {
        willow_game_init(&fake->game, fake->ruleset);
        gtp_answer(fake, number, true, "%s", "");
    } else if (strcmp(name, "boardsize") == 0) {
        const bool good = gtp_boardsize(fake, first);
        gtp_answer(fake, number, good, "%s", good ? "" : "unacceptable size");
    } else if (strcmp(name, "willow-ruleset") == 0) {
        const bool good = gtp_ruleset(fake, first);
        gtp_answer(fake, number, good, "%s", good ? first : "unknown command");
    } else if (strcmp(name, "play") == 0) {
        const willow_square move = willow_square_parse(second);
        const bool good = (move != WILLOW_PASS || !fake->no_pass) && play(fake, first[0], move);
        gtp_answer(fake, number, good, "%s", good ? "" : "illegal move");
    } else if (strcmp(name, "genmove") == 0) {
        gtp_genmove(fake, number, first[0]);
    } else if (strncmp(name, "time_", 5) == 0 || strcmp(name, "tune") == 0 || strcmp(name, "quit") == 0) {
        gtp_answer(fake, number, true, "%s", "");
    } else {
        gtp_answer(fake, number, false, "unknown command");
    }
    return strcmp(name, "quit") != 0;
}

static bool read_game(struct fake *fake, const struct willow_ruleset *ruleset, const char *text)
{
    struct willow_records records;
    static struct willow_record record;

    if (willow_records_open(&records, ruleset, WILLOW_RECORDS_GGF, text, strlen(text), NULL) != WILLOW_OK ||
        !willow_records_next(&records, &record) || record.kind > WILLOW_RECORD_OTHER_START)
        return false;
    fake->game = record.game;
    return true;
}

/* An error has no form in this protocol: the fake ends with an exit code of its own, or says so as Willow does. */
static void nboard_game(struct fake *fake, const char *text)
{
    const struct willow_ruleset *ruleset;
    bool good = read_game(fake, willow_ruleset_default(), text);

    for (int i = 0; fake->rulesets && !good && (ruleset = willow_ruleset_at(i)) != NULL; i++)
        good = read_game(fake, ruleset, text);
    if (!good && !fake->refuses)
        exit(41);
    if (!good)
        say(fake, "status The game was refused: no such board");
}

static void nboard_go(struct fake *fake)
{
    willow_square move;
    char text[8];

    say(fake, "status Thinking");
    const char *answer = answer_move(fake, &move, text);
    say(fake, "search %s 1.5 0 3", text);
    say(fake, "nodestats 100 0.25");
    if (answer != NULL)
        say(fake, "=== %s/1.50/0.25", answer);
}

static void nboard_line(struct fake *fake, const char *line)
{
    char move[8] = "", number[16] = "";

    if (fake->noise && strcmp(line, "go") != 0) {
        /* Before the pong, and so an answer to no question. */
        say(fake, "=== a1/64.00/0");
        say(fake, "pong 99");
        say(fake, "I think %s", line);
    }
    if (strncmp(line, "set game ", 9) == 0)
        nboard_game(fake, line + 9);
    else if (sscanf(line, "move %7[^/]", move) == 1) {
        if (willow_game_play(&fake->game, willow_square_parse(move), NULL) != WILLOW_OK)
            exit(42);
    } else if (sscanf(line, "ping %15s", number) == 1)
        say(fake, "pong %s", number);
    else if (strcmp(line, "go") == 0)
        nboard_go(fake);
}

static void parse_dialect(struct fake *fake, const char *word)
{
    const struct {
        const char *word;
        bool *flag;
    } words[] = {{"crlf", &fake->crlf},       {"noise", &fake->noise},       {"no-numbers", &fake->no_numbers},
                 {"no-list", &fake->no_list}, {"no-pass", &fake->no_pass},   {"capitals", &fake->capitals},
                 {"sizes", &fake->sizes},     {"rulesets", &fake->rulesets}, {"refuses", &fake->refuses}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0) {
            *words[i].flag = true;
            return;
        }
    require(false, "no such dialect");
}

static void parse(struct fake *fake, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "--gtp") == 0 || strcmp(option, "--nboard") == 0) {
            fake->nboard = option[2] == 'n';
            continue;
        }
        require(i + 1 < argc, "an option without its value");
        const char *value = argv[++i];
        if (strcmp(option, "--log") == 0) {
            fake->log = fopen(value, "ae");
            require(fake->log != NULL, "cannot open the log");
        } else if (strcmp(option, "--delay") == 0)
            fake->delay_ms = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(option, "--misbehave") == 0)
            fake->misbehave = value;
        else if (strcmp(option, "--at") == 0)
            fake->at = (int)strtol(value, NULL, 10);
        else if (strcmp(option, "--seed") == 0)
            fake->seed = strtoull(value, NULL, 10);
        else if (strcmp(option, "--dialect") == 0)
            parse_dialect(fake, value);
        else
            require(false, "no such option");
    }
}

int main(int argc, char **argv)
{
    struct fake fake = {.at = 1, .ruleset = willow_ruleset_default()};
    char line[8192], text[32];
    bool goes_on = true;

    parse(&fake, argc, argv);
    (void)snprintf(text, sizeof text, "pid %ld", (long)getpid());
    note(&fake, text);
    if (misbehaves(&fake, "exit-at-once"))
        return 7;
    if (misbehaves(&fake, "random"))
        babble(&fake);
    if (misbehaves(&fake, "deaf"))
        hang(&fake);
    willow_game_init(&fake.game, fake.ruleset);
    if (fake.nboard)
        say(&fake, "set myname Fake");
    while (goes_on && fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        note(&fake, line);
        if (fake.nboard)
            nboard_line(&fake, line);
        else
            goes_on = gtp_line(&fake, line);
    }
    note(&fake, "end");
    return 0;
}
