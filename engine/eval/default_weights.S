/* The default weights file, as it stands in the tree, as read-only bytes of the library. */
    .section .rodata
    .balign 64
    .globl willow_default_weights_begin
    .hidden willow_default_weights_begin
willow_default_weights_begin:
    .incbin WILLOW_DEFAULT_WEIGHTS
    .globl willow_default_weights_end
    .hidden willow_default_weights_end
willow_default_weights_end:
    .byte 0
#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
