/* The state of an unfinished fit: taken up again to the same end, refused when it is not its own. */
#include "support/solver_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A fit that is stopped at each `every`-th point of the learning curve, or saves between all steps. */
struct interruption {
    struct willow_stop *stop;
    int points, every;
    unsigned char *bytes;
    size_t size;
    int saves;
    enum willow_status answer;
};

static void stop_at_points(void *context, const struct solver_point *point)
{
    struct interruption *interruption = context;
    (void)point;
    if (interruption->every > 0 && ++interruption->points % interruption->every == 0)
        willow_stop_set(interruption->stop, true);
}

static enum willow_status keep_bytes(void *context, const void *bytes, size_t size, struct willow_error *error)
{
    struct interruption *interruption = context;
    if (interruption->answer != WILLOW_OK)
        return willow_fail(error, interruption->answer, NULL, NULL, "refused");
    free(interruption->bytes);
    interruption->bytes = malloc(size);
    assert_non_null(interruption->bytes);
    memcpy(interruption->bytes, bytes, size);
    interruption->size = size;
    interruption->saves++;
    return WILLOW_OK;
}

static void interrupt(struct solver_fixture *fixture, struct interruption *interruption, int every)
{
    *interruption = (struct interruption){.every = every};
    assert_int_equal(willow_stop_new(&interruption->stop, NULL), WILLOW_OK);
    fixture->options.stop = interruption->stop;
    fixture->options.progress = stop_at_points;
    fixture->options.save = keep_bytes;
    fixture->options.save_seconds = 1e9;
    fixture->options.context = interruption;
}

static void clear_interruption(struct interruption *interruption)
{
    willow_stop_free(interruption->stop);
    free(interruption->bytes);
}

static void test_resumed_fit_is_the_same(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture whole, parts;
        solver_fixture_init(&whole, &solver_toy, 11, 1.0);
        solver_fixture_init(&parts, &solver_toy, 11, 1.0);
        solver_fixture_fill(&whole, truth, 15000, 500.0, 0);
        solver_fixture_fill(&parts, truth, 15000, 500.0, 0);
        whole.options.kind = parts.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&whole), WILLOW_OK);
        for (int every = 1; every <= 4; every++) {
            struct interruption interruption;
            interrupt(&parts, &interruption, every);
            parts.options.resume = NULL;
            enum willow_status status;
            int stops = 0;
            while ((status = solver_fixture_fit(&parts)) == WILLOW_ERR_STOPPED && stops < 100) {
                stops++;
                willow_stop_set(interruption.stop, false);
                parts.options.resume = interruption.bytes;
                parts.options.resume_size = interruption.size;
                parts.options.threads = 1 + stops % 3;
            }
            assert_int_equal(status, WILLOW_OK);
            assert_true(stops >= 6 / every); /* a step of conjugate gradients may have two points */
            assert_int_equal(interruption.saves, stops);
            assert_memory_equal(whole.weights, parts.weights, sizeof whole.weights);
            solver_fixture_same_reports(&whole.report, &parts.report);
            clear_interruption(&interruption);
        }
        solver_fixture_clear(&whole);
        solver_fixture_clear(&parts);
    }
}

static void test_damaged_states_are_refused(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        struct interruption interruption;
        solver_fixture_init(&fixture, &solver_toy, 6, 1.0);
        solver_fixture_fill(&fixture, truth, 2000, 500.0, 0);
        interrupt(&fixture, &interruption, 0);
        fixture.options.kind = kind;
        fixture.options.save_seconds = 0.0; /* between all steps */
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_true(interruption.saves >= 6);
        unsigned char *bytes = interruption.bytes;
        const size_t size = interruption.size;
        fixture.options.save = NULL;
        fixture.options.resume = bytes;
        for (size_t cut = 0; cut < size; cut += 1 + cut / 3) {
            fixture.options.resume_size = cut;
            assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
        }
        fixture.options.resume_size = size;
        for (size_t at = 0; at < size; at += 1 + at / 3) {
            bytes[at] ^= 4;
            assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
            bytes[at] ^= 4;
        }
        fixture.options.prior = 2.0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.options.prior = 1.0;
        fixture.options.kind = (kind + 1) % SOLVER_KINDS;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.options.kind = kind;
        fixture.start[3] = 1.0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
        fixture.start[3] = 0.0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        solver_fixture_add(&fixture, SAMPLE_TRAIN, 1, 1.0, 1.0);
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_FORMAT);
        clear_interruption(&interruption);
        solver_fixture_clear(&fixture);
    }
}

static void test_refused_save_ends_the_fit(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    struct solver_fixture fixture;
    struct interruption interruption;
    solver_fixture_init(&fixture, &solver_toy, 6, 1.0);
    solver_fixture_fill(&fixture, truth, 2000, 500.0, 0);
    interrupt(&fixture, &interruption, 0);
    fixture.options.save_seconds = 0.0;
    interruption.answer = WILLOW_ERR_IO;
    assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_IO);
    willow_stop_set(interruption.stop, true);
    assert_int_equal(solver_fixture_fit(&fixture), WILLOW_ERR_STOPPED); /* before there is anything to save */
    clear_interruption(&interruption);
    solver_fixture_clear(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resumed_fit_is_the_same),
        cmocka_unit_test(test_damaged_states_are_refused),
        cmocka_unit_test(test_refused_save_ends_the_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
