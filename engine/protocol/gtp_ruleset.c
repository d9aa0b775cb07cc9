/* GTP commands that say what is played: the size of the board, the ruleset by its name, a new game.
 * Layer: protocol.
 */
#include "protocol/gtp_session.h"

#include <string.h>
#include <strings.h>

static void start_game(struct gtp *gtp)
{
    struct willow_game game;
    willow_game_init(&game, gtp->ruleset);
    gtp_set_game(gtp, &game);
}

enum gtp_outcome gtp_set_ruleset(struct gtp *gtp, const struct willow_ruleset *ruleset, const char *refusal)
{
    struct willow_error error;
    if (ruleset != gtp->ruleset) {
        const struct gtp_engine *engine = &gtp->settings.engine;
        if (engine->set_ruleset(engine->context, ruleset, &gtp->settings.weights, &error) != WILLOW_OK) {
            char reason[sizeof error.file + sizeof error.place + sizeof error.reason + 8];
            (void)willow_error_text(&error, reason, sizeof reason);
            return gtp_refuse(gtp, "%s%s%s", refusal ? refusal : "", refusal ? ": " : "", reason);
        }
        gtp->ruleset = ruleset;
    }
    start_game(gtp);
    return GTP_GOOD;
}

/* Names of the usual game on boards that some build of this program has. */
static const struct {
    int size;
    const char *name;
} usual_games[] = {{4, "4x4"}, {6, "6x6"}, {8, "othello"}, {10, "10x10"}};
enum { USUAL_GAMES = sizeof usual_games / sizeof usual_games[0] };

static const char *usual_name(int size)
{
    for (int i = 0; i < USUAL_GAMES; i++)
        if (usual_games[i].size == size)
            return usual_games[i].name;
    return NULL;
}

static bool is_usual(const struct willow_ruleset *ruleset)
{
    const char *name = usual_name(ruleset->width);
    return name && strcmp(name, ruleset->name) == 0;
}

const char *gtp_game_name(const struct gtp *gtp)
{
    return is_usual(gtp->ruleset) ? "Othello" : gtp->ruleset->name;
}

/* A board of the size that is played already, or was at first, is for what is played on it then. */
static enum gtp_outcome do_boardsize(struct gtp *gtp, int count, char **words)
{
    static const char refusal[] = "unacceptable size";
    (void)count;
    int size;
    if (!gtp_parse_integer(words[0], 999999999, &size))
        return gtp_refuse_syntax(gtp);
    const char *name = usual_name(size);
    const struct willow_ruleset *ruleset = name ? willow_ruleset_find(name) : NULL;
    if (gtp->settings.ruleset->width == size)
        ruleset = gtp->settings.ruleset;
    if (gtp->ruleset->width == size)
        ruleset = gtp->ruleset;
    if (ruleset)
        return gtp_set_ruleset(gtp, ruleset, refusal);
    return name ? gtp_refuse(gtp, "%s; start with --ruleset %s", refusal, name) : gtp_refuse(gtp, "%s", refusal);
}

static enum gtp_outcome do_clear_board(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    start_game(gtp);
    return GTP_GOOD;
}

/* willow-ruleset [NAME]: what is played, and from now on. "hole:random" draws by the session's seed; the answer names
 * the square. */
static enum gtp_outcome do_ruleset(struct gtp *gtp, int count, char **words)
{
    const struct willow_ruleset *ruleset = gtp->ruleset;
    struct willow_error error;
    if (count > 0 && willow_ruleset_parse(words[0], gtp->settings.choice.seed, &ruleset, &error) != WILLOW_OK) {
        for (int i = 0; i < USUAL_GAMES; i++)
            if (strcmp(usual_games[i].name, words[0]) == 0)
                return gtp_refuse(gtp, "another program plays it; start with --ruleset %s", words[0]);
        return gtp_refuse(gtp, "%s", error.reason);
    }
    if (count > 0 && gtp_set_ruleset(gtp, ruleset, NULL) != GTP_GOOD)
        return GTP_BAD;
    gtp_say(gtp, "%s", gtp->ruleset->name);
    return GTP_GOOD;
}

static const struct willow_ruleset *find_game(const char *name)
{
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++)
        if (strcasecmp(ruleset->name, name) == 0)
            return ruleset;
    return NULL;
}

/* The game as gogui-rules_game_id names it, which leaves the size to "boardsize", or a ruleset. */
static enum gtp_outcome do_set_game(struct gtp *gtp, int count, char **words)
{
    (void)count;
    const bool present = strcasecmp(words[0], gtp_game_name(gtp)) == 0;
    const struct willow_ruleset *ruleset = present ? gtp->ruleset : find_game(words[0]);
    return ruleset ? gtp_set_ruleset(gtp, ruleset, "unacceptable game") : gtp_refuse(gtp, "unacceptable game");
}

/* Without the holes, of which there are too many. */
static enum gtp_outcome do_list_games(struct gtp *gtp, int count, char **words)
{
    (void)count;
    (void)words;
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++)
        if (ruleset == willow_ruleset_default())
            gtp_say(gtp, "Othello\n");
        else if (!strchr(ruleset->name, ':'))
            gtp_say(gtp, "%s\n", ruleset->name);
    return GTP_GOOD;
}

const struct gtp_command gtp_ruleset_commands[] = {
    {"boardsize", 1, 1, do_boardsize},   {"clear_board", 0, 0, do_clear_board}, {"set_game", 1, 1, do_set_game},
    {"list_games", 0, 0, do_list_games}, {"willow-ruleset", 0, 1, do_ruleset},  {NULL, 0, 0, NULL},
};
