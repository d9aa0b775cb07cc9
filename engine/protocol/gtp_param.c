/* The GTP command willow-param: settings of the engine while it runs, in the form that GoGui shows as a dialogue.
 * Layer: protocol.
 */
#include "protocol/gtp_session.h"

#include <inttypes.h>
#include <string.h>

static const double SECONDS_MAX = 86400;
static const char NO_LEVEL[] = "none";

static enum gtp_outcome refuse_range(struct gtp *gtp, const char *name, const char *range)
{
    return gtp_refuse(gtp, "%s: %s is expected", name, range);
}

static enum gtp_outcome set_level(struct gtp *gtp, const char *value)
{
    int level;
    /* A dialogue sends back what it was told. */
    if (gtp->settings.choice.level == 0 && strcmp(value, NO_LEVEL) == 0)
        return GTP_GOOD;
    if (!gtp_parse_integer(value, WILLOW_LEVEL_MAX, &level) || level < WILLOW_LEVEL_MIN)
        return refuse_range(gtp, "level", "a whole number from 1 to 30");
    gtp->settings.choice.level = gtp->settings.choice_clocked.level = level;
    return GTP_GOOD;
}

/* Without any limit the first move would take years. */
static enum gtp_outcome set_time(struct gtp *gtp, const char *value)
{
    double seconds;
    const struct willow_choice *choice = &gtp->settings.choice;
    const bool limited = choice->level > 0 || choice->limits.depth > 0 || choice->limits.nodes > 0;
    if (!gtp_parse_real(value, &seconds) || seconds > SECONDS_MAX || (seconds > 0 && seconds < 0.001))
        return refuse_range(gtp, "time", "seconds a move from 0.001 to 86400, or 0 for no limit,");
    if (seconds <= 0 && !limited)
        return gtp_refuse(gtp, "time: without a limit of time a level is needed first");
    gtp->settings.choice.limits.time_ms = gtp->settings.choice_clocked.limits.time_ms = (uint64_t)(seconds * 1000);
    return GTP_GOOD;
}

static enum gtp_outcome set_loss(struct gtp *gtp, const char *value)
{
    double discs;
    if (!gtp_parse_real(value, &discs) || discs > WILLOW_LOSS_MAX)
        return refuse_range(gtp, "loss", "a number of discs from 0 to 64");
    gtp->settings.choice.loss_discs = gtp->settings.choice_clocked.loss_discs = discs;
    return GTP_GOOD;
}

static enum gtp_outcome set_threads(struct gtp *gtp, const char *value)
{
    int threads;
    struct willow_error error;
    if (!gtp_parse_integer(value, WILLOW_SEARCH_THREADS_MAX, &threads) || threads < 1)
        return refuse_range(gtp, "threads", "a whole number from 1 to 256");
    const enum willow_status status = gtp->settings.engine.set_threads(gtp->settings.engine.context, threads, &error);
    /* After a failure the search goes on with one. */
    gtp->settings.threads = status == WILLOW_OK ? threads : 1;
    return status == WILLOW_OK ? GTP_GOOD : gtp_refuse(gtp, "%s; there is one thread now", error.reason);
}

static enum gtp_outcome set_ponder(struct gtp *gtp, const char *value)
{
    const bool on = strcmp(value, "1") == 0 || strcmp(value, "true") == 0;
    if (!on && strcmp(value, "0") != 0 && strcmp(value, "false") != 0)
        return refuse_range(gtp, "ponder", "0 or 1");
    gtp->settings.ponder = on;
    return GTP_GOOD;
}

static enum gtp_outcome set_analysis_time(struct gtp *gtp, const char *value)
{
    double seconds;
    if (!gtp_parse_real(value, &seconds) || seconds > SECONDS_MAX || seconds < 0.001)
        return refuse_range(gtp, "analysis_time", "seconds from 0.001 to 86400");
    gtp->analysis_seconds = seconds;
    return GTP_GOOD;
}

static const struct {
    const char *name;
    enum gtp_outcome (*set)(struct gtp *gtp, const char *value);
} params[] = {{"level", set_level},     {"time", set_time},     {"loss", set_loss},
              {"threads", set_threads}, {"ponder", set_ponder}, {"analysis_time", set_analysis_time}};

static void say_params(struct gtp *gtp)
{
    const struct willow_choice *choice = &gtp->settings.choice;
    if (choice->level > 0)
        gtp_say(gtp, "[string] level %d\n", choice->level);
    else
        gtp_say(gtp, "[string] level %s\n", NO_LEVEL);
    gtp_say(gtp, "[string] time %g\n", (double)choice->limits.time_ms / 1000);
    gtp_say(gtp, "[string] loss %g\n", choice->loss_discs);
    gtp_say(gtp, "[string] threads %d\n", gtp->settings.threads);
    gtp_say(gtp, "[bool] ponder %d\n", gtp->settings.ponder);
    gtp_say(gtp, "[string] analysis_time %g\n", gtp->analysis_seconds);
}

static enum gtp_outcome do_param(struct gtp *gtp, int count, char **words)
{
    if (count == 0) {
        say_params(gtp);
        return GTP_GOOD;
    }
    if (count == 1)
        return gtp_refuse_syntax(gtp);
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
        if (strcmp(words[0], params[i].name) == 0)
            return params[i].set(gtp, words[1]);
    return gtp_refuse(gtp, "unknown parameter");
}

const struct gtp_command gtp_param_commands[] = {
    {"willow-param", 0, 2, do_param},
    {NULL, 0, 0, NULL},
};
