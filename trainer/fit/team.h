/* Threads that wait for work: one call spreads a job over them and returns when it is done. They live as long as the
 * team, since a pass has several short jobs and starting threads for each would cost more than the jobs. Knows nothing
 * of passes. Layer: trainer.
 */
#ifndef TRAINER_TEAM_H
#define TRAINER_TEAM_H

#include <willow/status.h>

struct team;

/* threads >= 1, the caller of team_run being one of them. Where the system refuses a thread, the others do its work.
 * WILLOW_ERR_MEMORY. */
enum willow_status team_new(int threads, struct team **team, struct willow_error *error);
void team_free(struct team *team);

/* Calls task(context, i) once for each i in 0 .. tasks - 1, from any thread and in any order, several at once; returns
 * after the last. One call at a time. What the tasks wrote is visible to the caller. */
void team_run(struct team *team, void (*task)(void *context, int i), void *context, int tasks);

#endif
