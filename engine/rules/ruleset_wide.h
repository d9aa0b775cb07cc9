/* The ruleset that only a wide build plays, for those who must know it by name although they cannot play it.
 * Layer: rules.
 */
#ifndef RULES_RULESET_WIDE_H
#define RULES_RULESET_WIDE_H

#define RULESET_WIDE_NAME "10x10"
enum { RULESET_WIDE_ID = 7 };

#endif
