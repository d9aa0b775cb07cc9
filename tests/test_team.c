/* Every task once, whatever the number of threads, and what tasks wrote is there afterwards. */
#include "trainer/fit/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TASKS_MAX = 50 };

struct counters {
    int plain[TASKS_MAX]; /* not atomic: each belongs to one task */
    int extra;            /* added by every task */
};

static void count(void *context, int i)
{
    struct counters *counters = context;
    counters->plain[i] += 1 + counters->extra;
}

static void test_runs_every_task_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        struct team *team = NULL;
        assert_int_equal(team_new(threads, &team, NULL), 0);
        struct counters counters = {.extra = 0};
        int expected[TASKS_MAX] = {0};
        for (int job = 0; job < 200; job++) {
            const int tasks = job % (TASKS_MAX + 1);
            counters.extra = job;
            team_run(team, count, &counters, tasks);
            for (int i = 0; i < tasks; i++)
                expected[i] += 1 + job;
            assert_memory_equal(counters.plain, expected, sizeof expected);
        }
        team_free(team);
    }
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs_every_task_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
