/* What becomes of the rows of several datasets, by number of the row: which are dropped (a bit for each, in memory) and
 * which get new labels (in a file without a name). Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_AMENDMENTS_H
#define WILLOW_SELFPLAY_AMENDMENTS_H

#include "duplicates.h"

struct amendments_run;

struct amendments {
    uint64_t rows;
    uint64_t *dropped; /* bits */
    int fd;            /* -1 = no labels yet */
    const char *folder;
    struct amendments_run *runs; /* of labels in the file, each sorted by number */
    size_t runs_count, runs_capacity;
    uint64_t labels_count;
};

/* `folder` is where labels may be kept: it needs 16 bytes for each. WILLOW_ERR_MEMORY. The caller clears. */
enum willow_status amendments_init(struct amendments *amendments, uint64_t rows, const char *folder,
                                   struct willow_error *error);
void amendments_clear(struct amendments *amendments);

/* Memory for so many rows. */
size_t amendments_bytes(uint64_t rows);

void amendments_drop(struct amendments *amendments, uint64_t number);

/* Labels sorted by number, no row twice in all calls. WILLOW_ERR_IO, _MEMORY. */
enum willow_status amendments_add(struct amendments *amendments, const struct duplicates_labels *labels, size_t count,
                                  struct willow_error *error);

/* Relabels the rows of these numbers, and moves up those that are not dropped; *count becomes their number.
 * WILLOW_ERR_IO. */
enum willow_status amendments_apply(const struct amendments *amendments, uint64_t first_number, struct willow_row *rows,
                                    uint64_t *count, struct willow_error *error);

#endif
