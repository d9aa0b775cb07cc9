/* Version text of the three programs: number and commit, fixed when the build is configured.
 * Layer: engine/cli (willow_program).
 */
#include <willow/program.h>

const char *willow_version(void)
{
    return WILLOW_VERSION " (" WILLOW_COMMIT ")";
}
