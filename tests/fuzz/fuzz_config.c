/* Configuration files of the programs. The first letter of the input says whose, the rest is the file: m = match, r = a
 * run of self-play, f = a fit, l = the loop. What is read is written as the resolved configuration and read back to the
 * same; what is refused names the file.
 */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <willow/program.h>

#include "selfplay/cli/match_file.h"
#include "selfplay/cli/run_command.h"
#include "trainer/cli/fit_settings.h"
#include "trainer/loop/loop_config.h"

/* A file without a disk; one for all runs. */
static char path[64];

static void set_file(const void *data, size_t size)
{
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("configuration", MFD_CLOEXEC);
        FUZZ_REQUIRE(descriptor >= 0);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    FUZZ_REQUIRE(ftruncate(descriptor, 0) == 0);
    FUZZ_REQUIRE(pwrite(descriptor, data, size, 0) == (ssize_t)size);
}

static bool accepted(enum willow_status status, const struct willow_error *error)
{
    if (status == WILLOW_OK)
        return true;
    /* A file that a configuration names may be missing. */
    FUZZ_REQUIRE(status == WILLOW_ERR_FORMAT || status == WILLOW_ERR_IO || status == WILLOW_ERR_ARGUMENT);
    fuzz_check_refusal(error, status, false);
    FUZZ_REQUIRE(error->file[0] != '\0');
    return false;
}

/* Text of the configuration in the file, null when it is refused or cannot be written. */
static char *read_run(void)
{
    static struct run_command command;
    struct willow_error error;
    char *text = NULL;
    command = (struct run_command){.config = run_config_default()};
    if (accepted(run_file_load(&command, path, &error), &error))
        FUZZ_REQUIRE(run_config_text(&command.config, &text, &error) == WILLOW_OK);
    return text;
}

/* What fit_settings_parse demands, and nothing else is ever written: data, an output, names that YAML can hold. */
static bool fit_is_named(const struct fit_settings *settings)
{
    const char *const names[] = {settings->out, settings->init, settings->patterns, settings->without,
                                 settings->scratch};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] != NULL && !willow_config_text_valid(names[i]))
            return false;
    for (size_t i = 0; i < settings->data_count; i++)
        if (!willow_config_text_valid(settings->data[i]))
            return false;
    return settings->out != NULL && settings->data_count > 0;
}

static char *read_fit(void)
{
    struct fit_settings settings = {.config = path, .last_ply = SAMPLE_PLIES - 1};
    struct willow_error error;
    char *text = NULL;
    size_t size;
    for (int i = 0; i < FIT_NUMBERS; i++)
        settings.number[i] = fit_numbers[i].standard;
    if (accepted(fit_file_load(&settings, &error), &error) && fit_is_named(&settings))
        FUZZ_REQUIRE(fit_settings_text(&settings, true, &text, &size, &error) == WILLOW_OK);
    fit_settings_clear(&settings);
    return text;
}

static char *read_loop(void)
{
    static struct loop_config config;
    struct willow_error error;
    char *text = NULL;
    /* Files that it names are copied elsewhere before the text is read again. */
    if (accepted(loop_config_load(path, NULL, &config, &error), &error) && config.inputs == 0)
        FUZZ_REQUIRE(loop_config_text(&config, &text, &error) == WILLOW_OK);
    loop_config_clear(&config);
    return text;
}

/* Of a match the engines are made, too; its settings are written with the weights' files at hand alone. */
static char *read_match(void)
{
    static struct match_command command;
    struct willow_error error;
    command = (struct match_command){.pairs = 1};
    if (accepted(match_file_load(&command, path, &error), &error))
        for (int i = 0; i < command.players; i++) {
            struct engine engine = {0};
            bool found = false;
            (void)accepted(match_file_engine(command.file, command.typed[i], &engine, &found, &error), &error);
            engine_clear(&engine);
        }
    match_file_free(command.file);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *(*read)(void) = NULL;
    switch (size > 0 ? *data : 0) {
    case 'm':
        read = read_match;
        break;
    case 'r':
        read = read_run;
        break;
    case 'f':
        read = read_fit;
        break;
    case 'l':
        read = read_loop;
        break;
    default:
        return 0;
    }
    set_file(data + 1, size - 1);
    char *text = read();
    if (text != NULL) {
        set_file(text, strlen(text));
        char *again = read();
        FUZZ_REQUIRE(again != NULL && strcmp(text, again) == 0);
        free(again);
    }
    free(text);
    return 0;
}
