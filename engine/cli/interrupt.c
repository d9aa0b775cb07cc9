/* Ctrl-C and SIGTERM as a stop flag that searches and loops look at.
 * Does not end the program: what was finished is kept, and main returns as always. Layer: engine/cli (willow_program).
 */
#include <signal.h>
#include <string.h>

#include <willow/program.h>

/* A signal handler reaches nothing but static storage. Set once, before the handler is installed; never freed. */
static struct willow_stop *interrupt_stop;

static void on_signal(int number)
{
    (void)number;
    willow_stop_set(interrupt_stop, true);
    /* The next one, of either kind, kills. */
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
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
