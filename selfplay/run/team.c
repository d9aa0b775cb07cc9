/* What the ranks of a run tell each other. Layer: selfplay. */
#include "team.h"

#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

#define TELL_NS UINT64_C(1000000000)

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

/* What rank 0 knows of the run. */
struct assignment {
    char configuration_checksum[WILLOW_CHECKSUM_TEXT];
    uint64_t missing_count;
};

static enum willow_status take_assignment(struct run_folder *folder, const struct assignment *assignment,
                                          const char *own_checksum, struct willow_error *error)
{
    if (strcmp(assignment->configuration_checksum, own_checksum) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL,
                           "a rank was given another configuration or other weights than rank 0");
    if (folder->options.rank == 0)
        return WILLOW_OK;
    free(folder->missing);
    folder->missing_count = (size_t)assignment->missing_count;
    folder->missing = calloc(folder->missing_count + 1, sizeof *folder->missing);
    return folder->missing ? WILLOW_OK : out_of_memory(error);
}

enum willow_status team_deal(struct willow_ranks *ranks, struct run_folder *folder, enum willow_status own,
                             struct willow_error *error)
{
    struct assignment assignment = {.missing_count = folder->missing_count};
    char checksum[WILLOW_CHECKSUM_TEXT] = "";
    enum willow_status status = willow_ranks_agree(ranks, own, error);
    if (status || willow_ranks_count(ranks) == 1)
        return status;
    willow_checksum128_text(folder->configuration, strlen(folder->configuration), checksum);
    memcpy(assignment.configuration_checksum, checksum, sizeof checksum);
    status = willow_ranks_broadcast(ranks, &assignment, sizeof assignment, error);
    if (!status)
        status = willow_ranks_agree(ranks, take_assignment(folder, &assignment, checksum, error), error);
    if (!status)
        status = willow_ranks_broadcast(ranks, folder->missing, folder->missing_count * sizeof *folder->missing, error);
    size_t kept = 0, step = (size_t)willow_ranks_count(ranks);
    for (size_t i = (size_t)willow_ranks_self(ranks); !status && i < folder->missing_count; i += step)
        folder->missing[kept++] = folder->missing[i];
    folder->missing_count = kept;
    return status;
}

enum willow_status team_init(struct team *team, struct willow_ranks *ranks, struct willow_error *error)
{
    *team = (struct team){.ranks = ranks};
    team->others = calloc((size_t)willow_ranks_count(ranks), sizeof *team->others);
    return team->others ? WILLOW_OK : out_of_memory(error);
}

void team_clear(struct team *team)
{
    free(team->others);
    *team = (struct team){0};
}

/* Rank 0. A rank that stopped followed somebody's stop; a real failure comes first. */
static void take_leave(struct team *team, const struct team_message *message)
{
    team->others[message->rank].done = true;
    team->done++;
    if (message->status && (!team->status || team->status == WILLOW_ERR_STOPPED)) {
        team->status = message->status;
        team->error = message->error;
    }
}

static enum willow_status hear(struct team *team, struct writer *writer, const struct team_message *message,
                               struct willow_error *error)
{
    switch (message->kind) {
    case TEAM_PROGRESS:
    case TEAM_DONE:
        team->others[message->rank].games = message->games;
        team->others[message->rank].rows = message->rows;
        if (message->kind == TEAM_DONE)
            take_leave(team, message);
        return WILLOW_OK;
    case TEAM_SHARD:
        return writer_list(writer, &message->shard, error);
    case TEAM_STOP:
        break;
    }
    return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
}

static enum willow_status say_to(struct team *team, int rank, struct team_message *message, struct willow_error *error)
{
    message->rank = willow_ranks_self(team->ranks);
    enum willow_status status = willow_ranks_send(team->ranks, rank, message, sizeof *message, error);
    team->broken = team->broken || status;
    return status;
}

static enum willow_status say_shards(struct team *team, struct writer *writer, struct willow_error *error)
{
    struct team_message message = {.kind = TEAM_SHARD};
    enum willow_status status = WILLOW_OK;
    while (!status && writer_take_entry(writer, &message.shard))
        status = say_to(team, 0, &message, error);
    return status;
}

static enum willow_status say_all(struct team *team, struct writer *writer, uint64_t games, uint64_t rows,
                                  struct willow_error *error)
{
    uint64_t now = willow_clock_ns();
    enum willow_status status = say_shards(team, writer, error);
    if (status || now - team->told_ns < TELL_NS)
        return status;
    team->told_ns = now;
    struct team_message message = {.kind = TEAM_PROGRESS, .games = games, .rows = rows};
    return say_to(team, 0, &message, error);
}

enum willow_status team_talk(struct team *team, struct writer *writer, uint64_t games, uint64_t rows,
                             struct willow_error *error)
{
    if (willow_ranks_count(team->ranks) == 1)
        return WILLOW_OK;
    enum willow_status status =
        willow_ranks_self(team->ranks) > 0 ? say_all(team, writer, games, rows, error) : WILLOW_OK;
    for (bool arrived = true; !status && arrived;) {
        struct team_message message;
        status = willow_ranks_receive(team->ranks, &message, sizeof message, &arrived, error);
        team->broken = team->broken || status;
        if (!status && arrived)
            status = hear(team, writer, &message, error);
    }
    if (status || !team->status)
        return status;
    if (error)
        *error = team->error;
    return team->status;
}

enum willow_status team_end(struct team *team, struct willow_error *error)
{
    struct team_message message = {.kind = TEAM_STOP};
    enum willow_status status = WILLOW_OK;
    for (int rank = 1; !team->ended && !status && rank < willow_ranks_count(team->ranks); rank++)
        if (!team->others[rank].done)
            status = say_to(team, rank, &message, error);
    team->ended = true;
    return status;
}

bool team_alone(const struct team *team)
{
    return team->done == willow_ranks_count(team->ranks) - 1;
}

enum willow_status team_leave(struct team *team, struct writer *writer, uint64_t games, uint64_t rows,
                              enum willow_status own, const struct willow_error *report, struct willow_error *error)
{
    struct team_message message = {.kind = TEAM_DONE, .games = games, .rows = rows, .status = own};
    if (own && report)
        message.error = *report;
    enum willow_status status = say_shards(team, writer, error);
    return status ? status : say_to(team, 0, &message, error);
}

void team_sum(const struct team *team, uint64_t *games, uint64_t *rows)
{
    *games = *rows = 0;
    for (int rank = 1; rank < willow_ranks_count(team->ranks); rank++) {
        *games += team->others[rank].games;
        *rows += team->others[rank].rows;
    }
}
