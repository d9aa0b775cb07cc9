/* `willow selfplay run` and `willow selfplay resume`: command line, configuration file, progress, summary.
 * Layer: selfplay (program).
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/clock.h>
#include <willow/file.h>
#include <willow/program.h>
#include <willow/weights.h>

#include "run/run.h"
#include "verbs.h"

enum { PATH_BYTES = 4096 };

_Static_assert((int)RUN_THREADS_MAX == (int)WILLOW_THREADS_MAX, "one limit of threads for all verbs");

/* A configuration file as libcyaml loads it; null = the key is not there. */
struct run_file {
    uint64_t *games, *seed, *shard_games;
    int64_t *depth, *exact, *opening_min, *opening_max, *noise_plies, *hash, *threads;
    double *noise, *random_move, *keep;
    char *label, *policy, *weights, *weights_checksum, *ruleset, *out;
};

#define UNSIGNED(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define SIGNED(key) CYAML_FIELD_INT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define REAL(key) CYAML_FIELD_FLOAT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define TEXT(key)                                                                                                      \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key, 0, RUN_NAME_MAX - 1)

static const cyaml_schema_field_t file_fields[] = {
    UNSIGNED(games), UNSIGNED(seed),      UNSIGNED(shard_games),  SIGNED(depth),
    SIGNED(exact),   SIGNED(opening_min), SIGNED(hash),           SIGNED(opening_max),
    REAL(noise),     SIGNED(noise_plies), REAL(random_move),      REAL(keep),
    TEXT(label),     TEXT(policy),        TEXT(weights),          SIGNED(threads),
    TEXT(ruleset),   TEXT(out),           TEXT(weights_checksum), CYAML_FIELD_END};

static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct run_file, file_fields)};

/* Options without a short form. */
enum {
    KEY_GAMES = 256,
    KEY_SEED,
    KEY_DEPTH,
    KEY_EXACT,
    KEY_THREADS,
    KEY_SHARD_GAMES,
    KEY_OUT,
    KEY_WEIGHTS,
    KEY_OPENING,
    KEY_NOISE,
    KEY_NOISE_PLIES,
    KEY_RANDOM_MOVE,
    KEY_KEEP,
    KEY_LABEL,
    KEY_POLICY,
    KEY_HASH,
    KEY_QUIET
};

struct run_command {
    struct run_config config;
    struct run_file *file; /* read before the options, which override it */
    const char *file_name, *folder;
    char out[PATH_BYTES];
    int threads;
    bool quiet;
    struct willow_progress progress;
};

static const struct argp_option run_options[] = {
    {"games", KEY_GAMES, "N", 0, "Games of the whole run", 0},
    {"seed", KEY_SEED, "S", 0, "Seed of the run (default: 1)", 0},
    {"depth", KEY_DEPTH, "D", 0, "Plies of each search (default: 6)", 0},
    {"exact", KEY_EXACT, "EMPTIES", 0, "Solve exactly at this many empties or fewer (default: 14)", 0},
    {"weights", KEY_WEIGHTS, "FILE", 0, "Weights file, 'default' or 'zero'", 0},
    {"opening", KEY_OPENING, "A-B", 0, "Random plies at the start of a game (default: 4-12)", 0},
    {"noise", KEY_NOISE, "DISCS", 0, "Temperature of the choice among scored moves (default: 0, the best)", 0},
    {"noise-plies", KEY_NOISE_PLIES, "N", 0, "Noise applies below this ply (default: 0)", 0},
    {"random-move", KEY_RANDOM_MOVE, "P", 0, "Probability of a random move after the opening (default: 0)", 0},
    {"keep", KEY_KEEP, "P", 0, "Share of positions to store (default: 1)", 0},
    {"label", KEY_LABEL, "search|none", 0, "Store the score of the search or none (default: search)", 0},
    {"policy", KEY_POLICY, "search|mobility", 0,
     "Choose moves by search, or leave the other side few moves (no knowledge needed; default: search)", 0},
    {"hash", KEY_HASH, "MB", 0, "Transposition table of each thread (default: 4)", 0},
    {"shard-games", KEY_SHARD_GAMES, "G", 0, "Games of one shard (default: 4096)", 0},
    {"out", KEY_OUT, "DIR", 0, "Folder of the dataset; an unfinished run of the same configuration is finished", 0},
    {"threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t take_label(struct run_command *command, const char *text, struct argp_state *state)
{
    if (!run_label_find(text, &command->config.label))
        argp_error(state, "--label: '%s' is neither search nor none", text);
    return 0;
}

static error_t take_policy(struct run_command *command, const char *text, struct argp_state *state)
{
    if (!run_policy_find(text, &command->config.policy))
        argp_error(state, "--policy: '%s' is neither search nor mobility", text);
    return 0;
}

static error_t take_weights(struct run_command *command, const char *text, struct argp_state *state)
{
    if (strlen(text) >= sizeof command->config.weights)
        argp_error(state, "--weights: the name is too long");
    if (text[0] == '\0')
        argp_error(state, "--weights: the name is empty");
    if (!willow_config_text_valid(text))
        argp_error(state, "--weights '%s': the configuration of the run can hold only names in UTF-8", text);
    (void)snprintf(command->config.weights, sizeof command->config.weights, "%s", text);
    command->config.weights_checksum[0] = '\0';
    return 0;
}

static error_t parse_real(int key, char *text, struct argp_state *state)
{
    struct run_config *config = &((struct run_command *)state->input)->config;
    switch (key) {
    case KEY_NOISE:
        config->noise = willow_option_real(text, 0, RUN_NOISE_MAX, "--noise", state);
        return 0;
    case KEY_RANDOM_MOVE:
        config->random_move = willow_option_real(text, 0, 1, "--random-move", state);
        return 0;
    case KEY_KEEP:
        config->keep = willow_option_real(text, 0, 1, "--keep", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_integer(int key, char *text, struct argp_state *state)
{
    struct run_config *config = &((struct run_command *)state->input)->config;
    switch (key) {
    case KEY_GAMES:
        config->games = (uint64_t)willow_option_integer(text, 1, (int64_t)1 << 48, "--games", state);
        return 0;
    case KEY_SEED:
        config->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    case KEY_SHARD_GAMES:
        config->shard_games = (uint64_t)willow_option_integer(text, 1, RUN_SHARD_GAMES_MAX, "--shard-games", state);
        return 0;
    case KEY_DEPTH:
        config->depth = (int)willow_option_integer(text, 1, RUN_DEPTH_MAX, "--depth", state);
        return 0;
    case KEY_EXACT:
        config->exact = (int)willow_option_integer(text, 0, 60, "--exact", state);
        return 0;
    case KEY_NOISE_PLIES:
        config->noise_plies = (int)willow_option_integer(text, 0, RUN_PLIES_MAX, "--noise-plies", state);
        return 0;
    case KEY_HASH:
        config->hash_mb = (int)willow_option_integer(text, 1, RUN_HASH_MAX_MB, "--hash", state);
        return 0;
    default:
        return parse_real(key, text, state);
    }
}

/* The option of both verbs. */
static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    switch (key) {
    case KEY_THREADS:
        command->threads = (int)willow_option_integer(text, 1, RUN_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    switch (key) {
    case KEY_OPENING:
        willow_option_range(text, 0, RUN_PLIES_MAX, &command->config.opening_min, &command->config.opening_max,
                            "--opening", state);
        return 0;
    case KEY_LABEL:
        return take_label(command, text, state);
    case KEY_POLICY:
        return take_policy(command, text, state);
    case KEY_WEIGHTS:
        return take_weights(command, text, state);
    case KEY_OUT:
        command->folder = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one configuration file is expected; '%s' is a second", text);
        command->file_name = text;
        return 0;
    default:
        break;
    }
    error_t result = parse_common(key, text, state);
    return result == ARGP_ERR_UNKNOWN ? parse_integer(key, text, state) : result;
}

/* First pass over the command line: only the file's name, so that the options of the second pass override its content.
 */
static error_t parse_file_name(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG && state->arg_num == 0)
        ((struct run_command *)state->input)->file_name = text;
    return key == ARGP_KEY_ARG || (key >= KEY_GAMES && key <= KEY_QUIET) ? 0 : ARGP_ERR_UNKNOWN;
}

static enum willow_status bad_key(const char *file, const char *key, const char *what, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_FORMAT, file, key, "%s", what);
}

struct integer_key {
    const char *name;
    const int64_t *from;
    int *to;
};

static enum willow_status take_integers(const struct integer_key *keys, size_t count, const char *name,
                                        struct willow_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!keys[i].from)
            continue;
        if (*keys[i].from < INT32_MIN || *keys[i].from > INT32_MAX)
            return bad_key(name, keys[i].name, "out of range", error);
        *keys[i].to = (int)*keys[i].from;
    }
    return WILLOW_OK;
}

static enum willow_status take_texts(struct run_command *command, const char *name, struct willow_error *error)
{
    struct run_config *config = &command->config;
    const struct run_file *file = command->file;
    if (file->label && !run_label_find(file->label, &config->label))
        return bad_key(name, "label", "neither search nor none", error);
    if (file->policy && !run_policy_find(file->policy, &config->policy))
        return bad_key(name, "policy", "neither search nor mobility", error);
    if (file->weights_checksum && strlen(file->weights_checksum) >= sizeof config->weights_checksum)
        return bad_key(name, "weights_checksum", "not a checksum", error);
    if (file->ruleset && strlen(file->ruleset) >= sizeof config->ruleset)
        return bad_key(name, "ruleset", "no ruleset has so long a name", error);
    /* The schema bounds the length of the others. */
    if (file->weights)
        (void)snprintf(config->weights, sizeof config->weights, "%s", file->weights);
    if (file->weights_checksum)
        (void)snprintf(config->weights_checksum, sizeof config->weights_checksum, "%s", file->weights_checksum);
    if (file->ruleset)
        (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", file->ruleset);
    if (file->out)
        (void)snprintf(command->out, sizeof command->out, "%s", file->out);
    return WILLOW_OK;
}

static enum willow_status load_file(struct run_command *command, const char *name, struct willow_error *error)
{
    void *value = NULL;
    enum willow_status status = willow_config_load(name, &file_schema, &value, error);
    if (status)
        return status;
    const struct run_file *file = command->file = value;
    struct run_config *config = &command->config;
    const struct integer_key integers[] = {{"depth", file->depth, &config->depth},
                                           {"exact", file->exact, &config->exact},
                                           {"opening_min", file->opening_min, &config->opening_min},
                                           {"opening_max", file->opening_max, &config->opening_max},
                                           {"noise_plies", file->noise_plies, &config->noise_plies},
                                           {"hash", file->hash, &config->hash_mb},
                                           {"threads", file->threads, &command->threads}};
    if (file->games)
        config->games = *file->games;
    if (file->seed)
        config->seed = *file->seed;
    if (file->shard_games)
        config->shard_games = *file->shard_games;
    if (file->noise)
        config->noise = *file->noise;
    if (file->random_move)
        config->random_move = *file->random_move;
    if (file->keep)
        config->keep = *file->keep;
    status = take_integers(integers, sizeof integers / sizeof *integers, name, error);
    if (!status && (command->threads < 1 || command->threads > RUN_THREADS_MAX))
        status = bad_key(name, "threads", "must be 1 .. 256", error);
    if (!status)
        status = take_texts(command, name, error);
    struct willow_error fault;
    if (!status && run_config_check(config, &fault) != WILLOW_OK)
        status = bad_key(name, fault.file, fault.reason, error);
    return status;
}

/* Fills what follows from the weights of that name, or refuses weights that are not those of the configuration. */
static enum willow_status resolve(struct run_config *config, const struct willow_weights *weights, const char *name,
                                  struct willow_error *error)
{
    const char *checksum = willow_weights_checksum(weights), *ruleset = willow_weights_ruleset(weights)->name;
    if (config->weights_checksum[0] && strcmp(config->weights_checksum, checksum) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, name, NULL,
                           "these are not the weights whose checksum the configuration names");
    if (config->ruleset[0] && strcmp(config->ruleset, ruleset) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, name, NULL, "the weights are of ruleset %s, not %s", ruleset,
                           config->ruleset);
    (void)snprintf(config->weights_checksum, sizeof config->weights_checksum, "%s", checksum);
    (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", ruleset);
    return WILLOW_OK;
}

static void show_progress(void *context, const struct run_progress *progress)
{
    struct run_command *command = context;
    char left[32];
    double seconds = (double)(willow_clock_ns() - command->progress.start_ns) * 1e-9;
    double rate = seconds > 0 ? (double)progress->new_games / seconds : 0;
    const char *time_left = "?";
    if (rate > 0)
        time_left = willow_duration_text((double)(progress->games_total - progress->games_done) / rate, left);
    willow_progress_line(
        &command->progress, false,
        "%" PRIu64 "/%" PRIu64 " games, %.1f games/s, %.0f positions/s, %" PRIu64 "/%" PRIu64 " shards, %s left",
        progress->games_done, progress->games_total, rate, seconds > 0 ? (double)progress->new_rows / seconds : 0,
        progress->shards_done, progress->shards_total, time_left);
}

static void show_note(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "willow: %s\n", text);
}

static void print_summary(const struct run_command *command, const struct run_summary *summary)
{
    double seconds = (double)summary->time_ns * 1e-9;
    printf("%s: %" PRIu64 " games, %" PRIu64 " positions, %.1f bytes a position; %.0f positions/s; seed %" PRIu64 "\n",
           command->folder, summary->games, summary->rows,
           summary->rows > 0 ? (double)summary->size_bytes / (double)summary->rows : 0,
           seconds > 0 ? (double)summary->new_rows / seconds : 0, command->config.seed);
}

static int play(struct run_command *command, const struct willow_weights *weights, struct willow_error *error)
{
    const struct run_options options = {.config = &command->config,
                                        .weights = weights,
                                        .folder = command->folder,
                                        .tool = willow_version(),
                                        .threads = command->threads,
                                        .stop = willow_interrupt(),
                                        .progress = show_progress,
                                        .note = show_note,
                                        .context = command};
    struct run_summary summary;
    willow_progress_start(&command->progress, command->quiet);
    enum willow_status status = run_dataset(&options, &summary, error);
    bool failed = status && status != WILLOW_ERR_STOPPED;
    /* A live line is ended before an error is printed; without one the error stays alone. */
    if (!failed || command->progress.width > 0)
        willow_progress_line(&command->progress, true, "%" PRIu64 "/%" PRIu64 " games in shards", summary.games,
                             command->config.games);
    if (failed)
        return willow_report(error);
    print_summary(command, &summary);
    if (status != WILLOW_ERR_STOPPED)
        return willow_finish(WILLOW_EXIT_OK);
    (void)fprintf(stderr, "stopped; finished shards are kept; go on with: willow selfplay resume %s\n",
                  command->folder);
    /* Whoever asked for these games has not got them. */
    return willow_finish(WILLOW_EXIT_FAILED);
}

/* Loads the weights, resolves and plays. A write beyond a limit on file sizes shall fail like a full disk, not kill. */
static int play_with(struct run_command *command, const char *weights_name, struct willow_error *error)
{
    struct willow_weights *weights = NULL;
    (void)signal(SIGXFSZ, SIG_IGN);
    enum willow_status status = run_config_check(&command->config, error);
    if (!status)
        status = willow_weights_open(weights_name, &weights, error);
    if (!status)
        status = resolve(&command->config, weights, weights_name ? weights_name : "the default weights", error);
    int code = status ? willow_report(error) : play(command, weights, error);
    willow_weights_free(weights);
    willow_config_free(&file_schema, command->file);
    return code;
}

static const char run_documentation[] =
    "Plays games against itself by threads and writes labelled positions to DIR in shards. The rows depend on seed, "
    "configuration and weights alone. Ctrl-C keeps finished shards.\v"
    "Example:\n  willow selfplay run --games 1000 --depth 6 --exact 14 --out data/first\n"
    "  willow selfplay run configs/selfplay.yaml --seed 7 --out data/second";

int verb_run(int argc, char **argv)
{
    static const struct argp names = {run_options, parse_file_name, "[CONFIG.yaml]", run_documentation, NULL, NULL,
                                      NULL};
    static const struct argp argp = {run_options, parse_run, "[CONFIG.yaml]", run_documentation, NULL, NULL, NULL};
    struct run_command command = {.config = run_config_default(), .threads = willow_default_threads()};
    struct willow_error error = {0};
    willow_parse_options(&names, argc, argv, &command);
    if (command.file_name && load_file(&command, command.file_name, &error) != WILLOW_OK) {
        willow_config_free(&file_schema, command.file);
        return willow_report(&error);
    }
    willow_parse_options(&argp, argc, argv, &command);
    if (!command.folder && command.out[0])
        command.folder = command.out;
    if (!command.folder) {
        willow_config_free(&file_schema, command.file);
        (void)willow_fail(&error, WILLOW_ERR_ARGUMENT, "--out", NULL, "a folder for the dataset is needed");
        return willow_report(&error);
    }
    return play_with(&command, command.config.weights[0] ? command.config.weights : NULL, &error);
}

static const struct argp_option resume_options[] = {
    {"threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_resume(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    const error_t result = parse_common(key, text, state);
    return result == ARGP_ERR_UNKNOWN ? parse_folder(key, text, state, &command->folder) : result;
}

static const char resume_documentation[] =
    "Plays the games of a run that are still missing, with the configuration and weights stored in its folder.\v"
    "Example:\n  willow selfplay resume data/first";

/* The folder must hold a run before anything is loaded from it. */
static enum willow_status open_resumed(struct run_command *command, char *weights_path, struct willow_error *error)
{
    char config_path[PATH_BYTES];
    struct willow_manifest manifest;
    int threads = command->threads;
    enum willow_status status = willow_manifest_read(command->folder, &manifest, error);
    if (status)
        return status;
    willow_manifest_clear(&manifest);
    status = willow_path_join(config_path, sizeof config_path, command->folder, RUN_CONFIG_FILE, error);
    if (!status)
        status = willow_path_join(weights_path, PATH_BYTES, command->folder, RUN_WEIGHTS_FILE, error);
    if (!status)
        status = load_file(command, config_path, error);
    command->threads = threads;
    return status;
}

int verb_resume(int argc, char **argv)
{
    static const struct argp argp = {resume_options, parse_resume, "DIR", resume_documentation, NULL, NULL, NULL};
    struct run_command command = {.config = run_config_default(), .threads = willow_default_threads()};
    struct willow_error error = {0};
    char weights_path[PATH_BYTES];
    willow_parse_options(&argp, argc, argv, &command);
    if (open_resumed(&command, weights_path, &error) != WILLOW_OK) {
        willow_config_free(&file_schema, command.file);
        return willow_report(&error);
    }
    return play_with(&command, weights_path, &error);
}
