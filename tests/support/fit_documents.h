/* A document of a fit with figures of every kind, for tests of what is written, read and drawn of it. */
#ifndef TESTS_SUPPORT_FIT_DOCUMENTS_H
#define TESTS_SUPPORT_FIT_DOCUMENTS_H

#include "trainer/report/fit_document.h"

/* Of so many even stages, all but the second with rows; texts that a page and a terminal must not take literally. Free
 * it with fit_documents_free alone. */
struct fit_document *fit_documents_make(int stages, bool measured);
void fit_documents_free(struct fit_document *document);

#endif
