/* Two runs of random games and what is made of them; see two_runs.h. */
#include "support/two_runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/require.h"

struct two_runs *two_runs_new(uint32_t shards, uint32_t games, datasets_label *label)
{
    struct two_runs *runs = calloc(1, sizeof *runs);
    require(runs != NULL, "out of memory");
    scratch_make(runs->scratch);
    scratch_join(runs->first, runs->scratch, "first");
    scratch_join(runs->second, runs->scratch, "second");
    require(datasets_write_random(runs->first, 1, shards, games, label, NULL) &&
                datasets_write_random(runs->second, 2, shards, games, label, NULL),
            "two runs could not be written");
    return runs;
}

void two_runs_free(struct two_runs *runs)
{
    scratch_remove(runs->scratch);
    free(runs);
}

const char *two_runs_folder(struct two_runs *runs, char path[SCRATCH_PATH])
{
    char name[32];
    (void)snprintf(name, sizeof name, "made-%d", runs->made++);
    return scratch_join(path, runs->scratch, name);
}

void two_runs_shard(const char *folder, uint32_t number, struct willow_shard_info *info, struct willow_row **rows,
                    struct willow_game_row **games)
{
    char name[32], path[SCRATCH_PATH];
    (void)snprintf(name, sizeof name, "shard-%06u.h5", (unsigned)number);
    require(willow_shard_read(scratch_join(path, folder, name), info, rows, games, NULL) == WILLOW_OK,
            "a shard could not be read");
}

static int compare_rows(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->ply > b->ply) - (a->ply < b->ply);
}

void two_runs_sort(struct willow_row *rows, size_t count)
{
    qsort(rows, count, sizeof *rows, compare_rows);
}
