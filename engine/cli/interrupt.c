/* Ctrl-C and SIGTERM as a stop flag that searches and loops look at.
 * Does not end the program: what was finished is kept, and main returns as always. Layer: engine/cli (willow_program).
 */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/program.h>

/* A signal handler reaches nothing but static storage. Set once, before the handler is installed; never freed. */
static struct willow_stop *interrupt_stop;

static atomic_uint_least64_t first_ns; /* when the first signal came; 0 = none has */

/* Supervisors such as timeout(1) signal a program and then its group: what follows the first signal so closely is its
 * echo and no impatience. */
static const uint64_t ECHO_NS = 100000000;

static void on_signal(int number)
{
    const uint64_t now_ns = willow_clock_ns();
    uint64_t none = 0;
    willow_stop_set(interrupt_stop, true);
    if (atomic_compare_exchange_strong(&first_ns, &none, now_ns) || now_ns - first_ns < ECHO_NS)
        return;
    /* Delivered on return from the handler: the user means it. */
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

const struct willow_stop *willow_interrupt(void)
{
    if (interrupt_stop || willow_stop_new(&interrupt_stop, NULL) != WILLOW_OK)
        return interrupt_stop;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    /* Reads and writes go on: HDF5 and stdio would take EINTR for a failure. */
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    /* In this order, so that whoever sees SIGINT handled may send either. */
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    return interrupt_stop;
}
