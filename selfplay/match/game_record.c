/* Names and kinds of the ends of a game. Layer: selfplay. */
#include "game_record.h"

const char *const game_end_names[GAME_ENDS] = {
    [GAME_PLAYED] = "played",   [GAME_RESIGNED] = "resigned", [GAME_TIME] = "time", [GAME_ILLEGAL] = "illegal",
    [GAME_GARBLED] = "garbled", [GAME_CRASHED] = "crashed",   [GAME_HUNG] = "hung"};

bool game_end_is_fault(enum game_end end)
{
    return end != GAME_PLAYED && end != GAME_RESIGNED;
}
