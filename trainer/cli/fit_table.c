/* The report of a fit in print; see fit_table.h. Layer: trainer (program). */
#include "fit_table.h"

#include "report/fit_document.h"
#include "report/fit_page.h"

void fit_table_print(FILE *stream, const struct fit_report *report, const char *out)
{
    fit_text_rows(stream, report);
    fputc('\n', stream);
    fit_text_stages(stream, report);
    if (report->held_out_rows > 0)
        fprintf(stream, "%llu rows, mean absolute error on %llu held-out rows %.3f discs, %.1f s\n%s written\n",
                (unsigned long long)report->rows, (unsigned long long)report->held_out_rows, report->held_out_mae_discs,
                report->seconds, out);
    else
        fprintf(stream, "%llu rows, none held out: errors are those of the fitted rows, %.1f s\n%s written\n",
                (unsigned long long)report->rows, report->seconds, out);
}

void fit_json_print(FILE *stream, const struct fit_report *report, const struct willow_weights *weights)
{
    fputs("{\"stages\":[", stream);
    for (int i = 0; i < report->count; i++) {
        fputs(i > 0 ? ",{" : "{", stream);
        fit_document_print_stage(stream, &report->stages[i]);
        fputs("}", stream);
    }
    fprintf(stream, "],\"rows\":%llu,\"held_out_rows\":%llu,\"held_out_mae\":%.6f,\"seconds\":%.3f,",
            (unsigned long long)report->rows, (unsigned long long)report->held_out_rows, report->held_out_mae_discs,
            report->seconds);
    fprintf(stream, "\"weights\":\"%s\"}\n", willow_weights_checksum(weights));
}
