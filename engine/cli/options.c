/* Command lines through argp with this project's conventions: whole option names only, one line on bad usage, exit 2.
 * Layer: engine/cli (willow_program).
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

/* argp answers bad usage with the reason and a second line of advice. This stream passes the first line on. It is not
 * buffered, so that the end of the line comes at the end of a write: any other belongs to an argument that is quoted,
 * and neither it nor an escape sequence may reach the terminal. */
struct first_line {
    bool ended;
};

static ssize_t write_first_line(void *cookie, const char *data, size_t size)
{
    struct first_line *line = cookie;
    if (line->ended)
        return (ssize_t)size;
    line->ended = size > 0 && data[size - 1] == '\n';
    for (size_t i = 0; i < size; i++) {
        const bool end = line->ended && i + 1 == size;
        (void)fputc(iscntrl((unsigned char)data[i]) && !end ? '?' : data[i], stderr);
    }
    return (ssize_t)size;
}

struct parse {
    const struct argp *inner;
    void *input;
    FILE *errors;
};

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == ARGP_KEY_INIT && parse->errors)
        state->err_stream = parse->errors;
    if (!parse->inner->parser)
        return ARGP_ERR_UNKNOWN;
    state->input = parse->input;
    const error_t result = parse->inner->parser(key, argument, state);
    state->input = parse;
    if (key == ARGP_KEY_ARGS && result == ARGP_ERR_UNKNOWN)
        argp_failure(state, argp_err_exit_status, 0, "unexpected argument '%s'", state->argv[state->next]);
    return result;
}

/* The options of a vector by long name (with its length) or by key. argp's own are added by hand. */
static const struct argp_option *find_option(const struct argp *argp, const char *name, size_t length, int key)
{
    static const struct argp_option builtin[] = {{"help", '?', NULL, 0, NULL, 0},
                                                 {"usage", 0, NULL, 0, NULL, 0},
                                                 {"version", 'V', NULL, 0, NULL, 0},
                                                 {NULL, 0, NULL, 0, NULL, 0}};
    for (int set = 0; set < 2; set++) {
        const struct argp_option *option = set == 0 ? argp->options : builtin;
        for (; option && (option->name || option->key || option->doc || option->group); option++) {
            if (name && option->name && strlen(option->name) == length && strncmp(option->name, name, length) == 0)
                return option;
            if (!name && option->key == key)
                return option;
        }
    }
    const struct argp_option *found = NULL;
    for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
        found = find_option(child->argp, name, length, key);
    return found;
}

static const char *option_argument(const struct argp_option *option, bool *optional)
{
    /* An alias has the argument of the option before it; argp forbids one at the start of a vector. */
    while (option->flags & OPTION_ALIAS)
        option--;
    *optional = (option->flags & OPTION_ARG_OPTIONAL) != 0;
    return option->arg;
}

static void usage_failure(const char *program, const char *problem, const char *option)
{
    struct willow_error error;
    char text[1024];
    willow_fail(&error, WILLOW_ERR_ARGUMENT, program, NULL, "%s '%.200s'; see '%.64s --help'", problem, option,
                program);
    fprintf(stderr, "%s\n", willow_error_text(&error, text, sizeof text));
    exit(argp_err_exit_status);
}

/* getopt would accept every abbreviation, so that a new option could change the meaning of an old script, and would
 * print in its own words. So names are checked before it sees them. Returns how many arguments belong together. */
static int check_option(const struct argp *argp, int argc, char **argv, int at)
{
    const char *text = argv[at];
    bool optional = false;
    if (text[1] == '-') {
        const size_t length = strcspn(text + 2, "=");
        const struct argp_option *option = find_option(argp, text + 2, length, 0);
        if (!option)
            usage_failure(argv[0], "unknown option", text);
        const char *argument = option_argument(option, &optional);
        if (!argument && text[2 + length] == '=')
            usage_failure(argv[0], "no value can follow the option", text);
        if (!argument || optional || text[2 + length] == '=')
            return 1;
        if (at + 1 >= argc)
            usage_failure(argv[0], "a value is missing after", text);
        return 2;
    }
    for (const char *letter = text + 1; *letter; letter++) {
        const struct argp_option *option = find_option(argp, NULL, 0, (unsigned char)*letter);
        if (!option)
            usage_failure(argv[0], "unknown option", text);
        if (!option_argument(option, &optional))
            continue;
        if (letter[1] || optional)
            return 1;
        if (at + 1 >= argc)
            usage_failure(argv[0], "a value is missing after", text);
        return 2;
    }
    return 1;
}

void willow_parse_options(const struct argp *argp, int argc, char **argv, void *input)
{
    for (int at = 1; at < argc && strcmp(argv[at], "--") != 0;)
        at += argv[at][0] == '-' && argv[at][1] ? check_option(argp, argc, argv, at) : 1;

    struct first_line line = {false};
    struct parse parse = {argp, input, NULL};
    parse.errors = fopencookie(&line, "w", (cookie_io_functions_t){.write = write_first_line});
    if (parse.errors)
        setbuf(parse.errors, NULL);
    struct argp wrapped = *argp;
    wrapped.parser = parse_key;
    const error_t result = argp_parse(&wrapped, argc, argv, 0, NULL, &parse);
    if (parse.errors)
        fclose(parse.errors);
    if (result != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(result));
        exit(argp_err_exit_status);
    }
}

/* Ends the program unless the caller gave ARGP_NO_EXIT. */
static void bad_value(struct argp_state *state, const char *option, const char *text, const char *wanted)
{
    argp_failure(state, argp_err_exit_status, 0, "%s '%s': %s is expected", option, text, wanted);
}

static bool parse_integer(const char *text, int64_t *value)
{
    errno = 0;
    if (!isdigit((unsigned char)text[0]) && !(text[0] == '-' && isdigit((unsigned char)text[1])))
        return false;
    char *end = NULL;
    const long long parsed = strtoll(text, &end, 10);
    *value = parsed;
    return errno == 0 && *end == '\0';
}

int64_t willow_option_integer(const char *text, int64_t low, int64_t high, const char *option, struct argp_state *state)
{
    int64_t value = low;
    if (!parse_integer(text, &value) || value < low || value > high) {
        char wanted[96];
        const bool beyond = errno == ERANGE; /* then the limit is the news */
        if (high == INT64_MAX && !beyond)
            snprintf(wanted, sizeof wanted, "a whole number from %lld", (long long)low);
        else
            snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low, (long long)high);
        bad_value(state, option, text, wanted);
        return low;
    }
    return value;
}

int willow_option_selectivity(const char *text, struct argp_state *state)
{
    char wanted[96] = "";
    size_t used = 0;
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++) {
        char percent[8];
        snprintf(percent, sizeof percent, "%d", willow_selectivities[i]);
        if (strcmp(text, percent) == 0)
            return willow_selectivities[i];
        const char *separator = i == 0 ? "" : i + 1 < WILLOW_SELECTIVITIES ? ", " : " or ";
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s", separator, percent);
    }
    bad_value(state, "--selectivity", text, wanted);
    return WILLOW_NOT_SELECTIVE;
}

double willow_option_real(const char *text, double low, double high, const char *option, struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    const double value = strtod(text, &end);
    /* strtod would also take leading blanks, "inf", "nan" and hexadecimal. */
    const bool plain = text[0] && text[strspn(text, "0123456789+-.eE")] == '\0';
    if (!plain || *end || errno || !(value >= low && value <= high)) {
        char wanted[96];
        snprintf(wanted, sizeof wanted, "a number from %g to %g", low, high);
        bad_value(state, option, text, wanted);
        return low;
    }
    return value;
}

bool willow_parse_range(const char *text, int low, int high, int *first, int *last)
{
    char part[32];
    int64_t from = 0, to = 0;
    const char *dash = text[0] ? strchr(text + 1, '-') : NULL;
    const size_t length = dash ? (size_t)(dash - text) : strlen(text);
    if (length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    if (!parse_integer(part, &from) || !parse_integer(dash ? dash + 1 : part, &to))
        return false;
    if (from < low || to > high || from > to)
        return false;
    *first = (int)from;
    *last = (int)to;
    return true;
}

void willow_option_range(const char *text, int low, int high, int *first, int *last, const char *option,
                         struct argp_state *state)
{
    if (willow_parse_range(text, low, high, first, last))
        return;
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a number or A-B within %d-%d", low, high);
    bad_value(state, option, text, wanted);
    *first = *last = low;
}
