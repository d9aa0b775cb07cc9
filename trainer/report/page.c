/* Style sheet and frame of the trainer's pages; see page.h. Layer: trainer (program). */
#include "page.h"

#include "chart.h"

const char page_mark[] = "<!DOCTYPE html>\n<!-- Made by willow train -->\n";

static const char page_style[] =
    ":root{--back:#f7f8f6;--card:#fff;--text:#1d2420;--soft:#5d6861;--line:#dde2de;color-scheme:light dark;"
    "--s0:#1f7a4d;--s1:#c2571a;--s2:#2f63b5;--s3:#8a3f9c;--s4:#8b7500;--s5:#a12b44;--s6:#0f7f86;--s7:#6d6358}\n"
    "@media (prefers-color-scheme:dark){:root{--back:#121614;--card:#1b211e;--text:#e4eae6;--soft:#98a49d;"
    "--line:#313a35;--s0:#5cc492;--s1:#f0935a;--s2:#7fa9f0;--s3:#cc8ade;--s4:#d9c04a;--s5:#ee7f95;--s6:#58c7cf;--s7:#"
    "b5a999}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:70rem;margin:0 auto;padding:2rem 1rem 4rem}\n"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.2rem 0 .7rem}p{margin:.4rem 0}\n"
    ".soft{color:var(--soft)}.no{color:var(--s5)}.yes{color:var(--s0)}\n"
    ".card,figure,.scroll,pre{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:.8rem;margin:1.4rem 0}\n"
    ".card{padding:.9rem 1.1rem}.card span{color:var(--soft);font-size:.88rem}\n"
    ".card b{display:block;font-size:1.75rem;line-height:1.25;font-variant-numeric:tabular-nums}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(27rem,100%),1fr));gap:.8rem}\n"
    "figure{margin:0;padding:.8rem 1rem}figcaption{font-weight:600;margin-bottom:.3rem}\n"
    "svg{display:block;width:100%;height:auto}.grid{stroke:var(--line)}\n"
    ".tick,.axis{fill:var(--soft);font-size:14px;font-family:inherit}.same{stroke:var(--soft);stroke-dasharray:5 4}\n"
    ".small{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:.8rem}\n"
    ".boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.2rem,1fr));gap:.6rem}\n"
    ".small figure,.boards figure{padding:.5rem .6rem}.small figcaption,.boards figcaption{font-size:.88rem}\n"
    ".small text{font-size:13px}.boards .tick{font-size:10px}.board "
    "rect{stroke:var(--line)}.more{fill:var(--s2)}.less{fill:var(--s1)}\n"
    ".none{fill:none}.scale{max-width:26rem;margin:.6rem 0}rect{fill:var(--c)}\n"
    "polyline,.bar{fill:none;stroke:var(--c);stroke-width:2}.bar{stroke-width:1.3;opacity:.75}\n"
    "circle{fill:var(--c);stroke:var(--c);stroke-width:2}circle.hollow{fill:var(--card)}\n"
    ".s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}\n"
    ".s6{--c:var(--s6)}.s7{--c:var(--s7)}.band{opacity:.13}\n"
    "line.level{stroke:var(--c);stroke-width:1.5;stroke-dasharray:7 "
    "4}text.level{fill:var(--c);font-size:13px;paint-order:stroke;stroke:var(--card);stroke-width:4px}\n"
    ".note{font-size:.88rem;color:var(--soft)}td.cell{text-align:center}th.group{text-align:center}\n"
    ".legend{font-size:.85rem;color:var(--soft)}.legend span{margin-right:1rem;white-space:nowrap}\n"
    ".legend i{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.4em;background:var(--c)}\n"
    "@media (max-width:40rem){.charts .tick,.charts .axis{font-size:18px}}\n"
    ".scroll{overflow-x:auto;margin:.6rem 0}:focus-visible{outline:2px solid var(--s2);outline-offset:2px}\n"
    "nav{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.8rem 0}a{color:var(--s2)}summary{cursor:pointer}\n"
    "table{border-collapse:collapse;width:100%;font-size:.86rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.45rem .5rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}\n"
    "tr:last-child td{border-bottom:0}th{color:var(--soft);font-weight:600}td.name,th.name{text-align:left}\n"
    "pre{padding:1rem;overflow-x:auto;font-size:.85rem}code{font-size:.92em}\n";

void page_begin(FILE *out, const char *title)
{
    fprintf(out,
            "%s<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width,initial-scale=1\">\n<title>",
            page_mark);
    chart_escape(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body><main>\n<h1>", page_style);
    chart_escape(out, title);
    fprintf(out, "</h1>\n");
}

void page_end(FILE *out)
{
    fprintf(out, "</main></body>\n</html>\n");
}

void page_heading(FILE *out, const char *id, const char *title)
{
    fprintf(out, "<h2 id=\"%s\">", id);
    chart_escape(out, title);
    fprintf(out, "</h2>\n");
}

void page_note(FILE *out, const char *text)
{
    fprintf(out, "<p class=\"soft\">");
    chart_escape(out, text);
    fprintf(out, "</p>\n");
}

void page_cards_begin(FILE *out)
{
    fprintf(out, "<div class=\"cards\">\n");
}

void page_card(FILE *out, const char *figure, const char *words)
{
    fprintf(out, "<div class=\"card\"><b>");
    chart_escape(out, figure);
    fprintf(out, "</b><span>");
    chart_escape(out, words);
    fprintf(out, "</span></div>\n");
}

void page_cards_end(FILE *out)
{
    fprintf(out, "</div>\n");
}

void page_table_begin(FILE *out, const char *words)
{
    fprintf(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    chart_escape(out, words);
    fprintf(out, "\"><table>\n");
}

void page_table_end(FILE *out)
{
    fprintf(out, "</table></div>\n");
}
