/* Placeholder for the move kernels; see the contract in the rules layer: static inline
 *   uint64_t kernel_moves(uint64_t player, uint64_t opponent);               legal moves, playable mask not applied
 *   uint64_t kernel_flips(uint64_t player, uint64_t opponent, int square);   flips of a move on an empty square
 */
