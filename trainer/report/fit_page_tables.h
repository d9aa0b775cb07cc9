/* The tables of the page of a fit. Layer: trainer (program). */
#ifndef TRAINER_FIT_PAGE_TABLES_H
#define TRAINER_FIT_PAGE_TABLES_H

#include "fit_document.h"

void fit_page_stages(FILE *out, const struct fit_document *document);
void fit_page_kinds(FILE *out, const struct fit_report *report);
void fit_page_effects(FILE *out, const struct fit_document *document);
void fit_page_loading(FILE *out, const struct fit_report *report);

#endif
