/* What a test program does when it is started as a child of itself: programs that behave, and ones that do not. */
#ifndef TESTS_CHILD_ROLES_H
#define TESTS_CHILD_ROLES_H

/* The first argument of a test program that plays a role; the role and its own arguments follow. */
#define CHILD_ROLE "--play-the-role"

/* Plays arguments[0] and returns what main shall return. Some roles end only when they are killed. */
int child_role_play(char **arguments);

#endif
