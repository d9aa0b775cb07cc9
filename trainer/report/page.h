/* What the trainer's HTML pages share: style sheet, head, cards. A page is one file that needs no script and nothing
 * from outside, follows a light or dark scheme, and can be read on a phone. Layer: trainer (program).
 */
#ifndef TRAINER_PAGE_H
#define TRAINER_PAGE_H

#include <stdio.h>

/* Every page begins like this. */
extern const char page_mark[];

/* Everything up to the first heading, which says the title; and what ends the page. */
void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* A heading that links can point to, and a paragraph of explanation below it. */
void page_heading(FILE *out, const char *id, const char *title);
void page_note(FILE *out, const char *text);

/* A large figure with some words below it; several stand between page_cards_begin and page_cards_end. */
void page_cards_begin(FILE *out);
void page_card(FILE *out, const char *figure, const char *words);
void page_cards_end(FILE *out);

/* A wide table that scrolls by itself, also with the keyboard; `words` names it for who cannot see it. */
void page_table_begin(FILE *out, const char *words);
void page_table_end(FILE *out);

#endif
