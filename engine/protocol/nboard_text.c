/* The words of the NBoard protocol. Layer: protocol. */
#include "protocol/nboard_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/level.h>
#include <willow/notation.h>

/* From so many empty squares on a game is solved at any depth: it takes milliseconds, and a program that shows scores
 * of the last moves expects true ones. */
enum { ALWAYS_EXACT = 12 };

static bool is_selectivity(long percent)
{
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] == percent)
            return true;
    return false;
}

bool nboard_depth_parse(const char *text, struct nboard_depth *depth)
{
    char *end;
    text += strspn(text, " \t");
    const long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    if (number < 1 || number > 100)
        return false;
    const bool percent = *end == '%';
    const bool win_loss = percent && end[1] == 'W';
    end += percent + win_loss;
    if (end[strspn(end, " \t")] != '\0' || (percent ? !is_selectivity(number) : number > NBOARD_DEPTH_MAX))
        return false;
    *depth = (struct nboard_depth){.plies = percent ? NBOARD_DEPTH_MAX : (int)number,
                                   .selectivity = percent ? (int)number : 0,
                                   .win_loss = win_loss};
    return true;
}

void nboard_depth_limit(const struct nboard_depth *depth, int empties, struct willow_limits *limits)
{
    limits->win_loss = depth->win_loss;
    if (depth->selectivity > 0) {
        limits->depth = depth->plies;
        limits->selectivity = depth->selectivity;
        limits->exact_empties = 0;
        return;
    }
    int level = WILLOW_LEVEL_MIN;
    while (level < WILLOW_LEVEL_MAX && willow_level_find(level + 1)->depth <= depth->plies)
        level++;
    willow_level_limit(level, empties, limits);
    /* Between two levels, or behind the last. */
    if (limits->depth < depth->plies)
        limits->depth = depth->plies;
    if (limits->exact_empties < ALWAYS_EXACT)
        limits->exact_empties = ALWAYS_EXACT;
}

char *nboard_move_format(willow_square move, char *buffer)
{
    willow_square_format(move, buffer);
    for (char *c = buffer; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    return buffer;
}

double nboard_eval(willow_score score)
{
    return (double)score / WILLOW_SCORE_DISC;
}

static char *depth_format(const struct nboard_reach *reach, char *buffer, size_t size)
{
    if (reach->exact)
        snprintf(buffer, size, "100%%%s", reach->win_loss ? "W" : "");
    else if (reach->depth >= reach->empties)
        snprintf(buffer, size, "%d%%%s", reach->selectivity, reach->win_loss ? "W" : "");
    else
        snprintf(buffer, size, "%d", reach->depth);
    return buffer;
}

char *nboard_search_format(willow_square move, const willow_square *pv, int pv_length, willow_score score,
                           const struct nboard_reach *reach, char *buffer)
{
    char line[NBOARD_LINE] = "", depth[16];
    char *at = line + strlen(nboard_move_format(move, line));
    for (int i = 1; i < pv_length && i < WILLOW_PV_MAX; i++)
        at += strlen(nboard_move_format(pv[i], at));
    snprintf(buffer, NBOARD_LINE, "search %s %.2f 0 %s", line, nboard_eval(score),
             depth_format(reach, depth, sizeof depth));
    return buffer;
}
