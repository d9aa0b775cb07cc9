/* Games and positions that a game at the terminal saves and loads. Knows no format itself: willow/records.h does.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <willow/file.h>
#include <willow/notation.h>
#include <willow/records.h>

#include "play.h"

/* An archive of a hundred thousand games of WTHOR has seven megabytes. */
enum { FILE_BYTES_MAX = 64 << 20, RECORD_BYTES = 16 << 10, PATH_BYTES = 2048 };

static void print_error(const struct willow_error *error)
{
    char text[1024];
    printf("%s.\n", willow_error_text(error, text, sizeof text));
}

/* "~/game.txt" as a shell would take it. */
static void expand_home(const char *name, char *path, size_t size)
{
    const char *home = name[0] == '~' && name[1] == '/' ? getenv("HOME") : NULL;
    snprintf(path, size, "%s%s", home ? home : "", home ? name + 1 : name);
}

/* Reads a file in whichever format it has. *data is the caller's to free. */
static enum willow_status open_records(const char *path, const struct willow_ruleset *ruleset, unsigned char **data,
                                       struct willow_records *records, struct willow_error *error)
{
    size_t size = 0;
    enum willow_record_format format;
    enum willow_status status = willow_file_read(path, FILE_BYTES_MAX, data, &size, error);
    if (status == WILLOW_OK && !willow_records_guess(*data, size, &format))
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "no game and no position in any known format");
    if (status == WILLOW_OK)
        status = willow_records_open(records, ruleset, format, *data, size, error);
    if (status != WILLOW_OK && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", path);
    return status;
}

static bool is_usable(const struct willow_record *record)
{
    return record->kind == WILLOW_RECORD_COMPLETE || record->kind == WILLOW_RECORD_UNFINISHED ||
           record->kind == WILLOW_RECORD_OTHER_START;
}

/* Record `number` of the file, and how many there are. */
static enum willow_status read_record(const char *path, const struct willow_ruleset *ruleset, int number,
                                      struct willow_record *record, uint64_t *count, struct willow_error *error)
{
    unsigned char *data = NULL;
    struct willow_records records;
    struct willow_record each;
    bool found = false;
    enum willow_status status = open_records(path, ruleset, &data, &records, error);
    *count = 0;
    while (status == WILLOW_OK && willow_records_next(&records, &each)) {
        if (++*count == (uint64_t)number) {
            *record = each;
            found = true;
        }
    }
    free(data);
    if (status != WILLOW_OK)
        return status;
    if (!found)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "game %d is asked for; the file holds %llu", number,
                           (unsigned long long)*count);
    if (!is_usable(record)) {
        *error = record->error;
        snprintf(error->file, sizeof error->file, "%s", path);
        return WILLOW_ERR_FORMAT;
    }
    return WILLOW_OK;
}

/* "FILE" or "FILE N"; a file whose name ends in a number may be meant. */
static int split_number(char *path)
{
    int number = 1;
    char *blank = strrchr(path, ' ');
    if (blank && !willow_file_exists(path) && play_number(blank + 1, 1, 1000000000, &number))
        *blank = '\0';
    return number;
}

void play_load(struct play *play, const char *argument)
{
    char path[PATH_BYTES];
    struct willow_error error;
    struct willow_record record;
    uint64_t count;
    if (!argument[0]) {
        printf("'load' takes a file name.\n");
        return;
    }
    expand_home(argument, path, sizeof path);
    const int number = split_number(path);
    if (read_record(path, play->game.ruleset, number, &record, &count, &error) != WILLOW_OK) {
        print_error(&error);
        return;
    }
    snprintf(play->sides[WILLOW_BLACK].name, sizeof play->sides[WILLOW_BLACK].name, "%s", record.black);
    snprintf(play->sides[WILLOW_WHITE].name, sizeof play->sides[WILLOW_WHITE].name, "%s", record.white);
    play_begin(play, &record.game);
    if (count > 1)
        printf("Loaded game %d of %llu in %s; 'load FILE N' takes another.\n", number, (unsigned long long)count, path);
    else
        printf("Loaded %s.\n", path);
}

/* The name that a record gives a player. */
static void format_name(const struct play_side *side, char *buffer, size_t size)
{
    if (side->name[0])
        snprintf(buffer, size, "%s", side->name);
    else if (side->human)
        snprintf(buffer, size, "Human");
    else if (side->choice.level > 0)
        snprintf(buffer, size, "Willow level %d", side->choice.level);
    else
        snprintf(buffer, size, "Willow");
}

/* What GGF can say of a clock: main time, increment. Null when the side has none, or byo-yomi. */
enum { GGF_CLOCK_BYTES = 64 };
static const char *format_clock(const struct play_side *side, char *buffer)
{
    const struct willow_time_control *control = &side->timer.control;
    const unsigned main_s = (unsigned)(control->main_ms / 1000), added_s = (unsigned)(control->increment_ms / 1000);
    if (!side->clocked || control->period_ms > 0)
        return NULL;
    const int used = snprintf(buffer, GGF_CLOCK_BYTES, "%u:%02u", main_s / 60, main_s % 60);
    if (added_s > 0)
        snprintf(buffer + used, GGF_CLOCK_BYTES - (size_t)used, "/%u:%02u", added_s / 60, added_s % 60);
    return buffer;
}

/* 0 when the format has no word for the ruleset. */
static size_t format_record(const struct play *play, const char *path, char *buffer, size_t size)
{
    char names[2][96];
    const struct play_side *sides = play->sides;
    for (int side = 0; side < 2; side++)
        format_name(&sides[side], names[side], sizeof names[side]);
    const int squares = willow_ruleset_squares(play->game.ruleset);
    const int lost = play->game.side == WILLOW_BLACK ? -squares : squares;
    char clock[GGF_CLOCK_BYTES];
    const struct willow_ggf_game record = {
        .game = &play->game,
        .place = "Willow",
        .black = names[WILLOW_BLACK],
        .white = names[WILLOW_WHITE],
        .clock = format_clock(&sides[WILLOW_BLACK], clock),
        .moves = play->notes,
        .result_unknown = !play_over(play),
        .result_discs = play->ending == PLAY_ON ? willow_game_final_discs(&play->game) : lost,
        .ending = play->ending == PLAY_RESIGNED      ? 'r'
                  : play->ending == PLAY_OUT_OF_TIME ? 't'
                                                     : '\0',
    };
    const char *extension = strrchr(path, '.');
    if (extension && strcasecmp(extension, ".ggf") == 0)
        return willow_ggf_format(&record, buffer, size);
    if (extension && strcasecmp(extension, ".sgf") == 0)
        return willow_sgf_format(&record, buffer, size);
    char line[WILLOW_TRANSCRIPT_LINE];
    return (size_t)snprintf(buffer, size, "%s", willow_transcript_line(&play->game, line));
}

void play_save(struct play *play, const char *argument)
{
    char path[PATH_BYTES];
    struct willow_error error;
    struct willow_record replaced;
    uint64_t count;
    if (!argument[0]) {
        printf("'save' takes a file name.\n");
        return;
    }
    expand_home(argument, path, sizeof path);
    char *text = malloc(RECORD_BYTES + 1);
    size_t length = text ? format_record(play, path, text, RECORD_BYTES) : 0;
    const bool unknown = text && length == 0;
    if (text && length < RECORD_BYTES)
        text[length++] = '\n';
    if (!text || length > RECORD_BYTES)
        printf("No memory to save the game.\n");
    else if (unknown)
        printf("GGF has no word for %s; a name that ends in .sgf or .txt does it.\n", play->game.ruleset->name);
    else if (willow_file_exists(path) &&
             read_record(path, play->game.ruleset, 1, &replaced, &count, &error) != WILLOW_OK)
        printf("%s exists and is no saved game; it is left alone.\n", path);
    else if (willow_file_exists(path) && count > 1)
        printf("%s exists and holds %llu games; it is left alone.\n", path, (unsigned long long)count);
    else if (willow_file_replace(path, text, length, &error) != WILLOW_OK)
        print_error(&error);
    else
        printf("Saved to %s.\n", path);
    free(text);
}
