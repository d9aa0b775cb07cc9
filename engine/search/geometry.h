/* What the search wants to know of the shape of a board: where its corners and edges are, and which shortcuts its shape
 * allows. Layer: search.
 */
#ifndef SEARCH_GEOMETRY_H
#define SEARCH_GEOMETRY_H

#include <stdbool.h>

#include <willow/bits.h>
#include <willow/ruleset.h>

struct geometry {
    willow_bits playable;
    willow_bits corners;        /* of the drawn board, where they are playable */
    willow_bits beside_corners; /* the squares next to them, along the edges and inwards */
    willow_bits edges;          /* the outermost rows and columns */
    int squares;                /* playable ones */
    int side;                   /* the longer one */
    int centring;               /* shift that brings the board to the middle of the word, where quadrants meet */
    bool full; /* square and without a hole: every square that is not a disc of one side can become one of the other */
};

void geometry_init(struct geometry *geometry, const struct willow_ruleset *ruleset);

/* The squares one step away from those given, on the word's board. */
willow_bits geometry_beside(willow_bits squares);

#endif
