/* The report of a fit for people: one HTML page with drawings, and plain text. Both only print; the caller checks the
 * stream. Layer: trainer (program).
 */
#ifndef TRAINER_FIT_PAGE_H
#define TRAINER_FIT_PAGE_H

#include "fit_document.h"

/* WILLOW_ERR_MEMORY: the page is not complete. */
enum willow_status fit_page_print(FILE *out, const struct fit_document *document, struct willow_error *error);

/* At most 100 columns wide. */
void fit_text_print(FILE *out, const struct fit_document *document);

/* How many rows there were and what became of those that are not in the fit. */
void fit_text_rows(FILE *out, const struct fit_report *report);

/* The table of the stages alone. */
void fit_text_stages(FILE *out, const struct fit_report *report);

#endif
