/* Help as text and as a manual page; see writer.h.
 *
 * In roff a backslash begins an escape, a line that begins with a point or an apostrophe is a
 * request, and a hyphen, a caret, a tilde or a quote is set as another character unless it is
 * named: all of them are named wherever they stand.
 */
#include "cli/writer.h"

#include "arcfit/version.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 80, PAGE_COLUMNS = 78, INDENT = 2 };

/* Of the manual: a page must have a date, and the same program writes the same bytes. */
static const char date[] = "2026-12-01";

/* A character as roff wants it. */
static const char *roff_of(char c, char plain[2])
{
    switch (c) {
    case '\\':
        return "\\(rs";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    default:
        plain[0] = c;
        plain[1] = '\0';
        return plain;
    }
}

static void put_characters(FILE *stream, const char *text, size_t length)
{
    char plain[2];
    for (size_t i = 0; i < length; i++)
        fputs(roff_of(text[i], plain), stream);
}

/* The same where a line may begin. */
static void put_roff(FILE *stream, const char *text, size_t length)
{
    if (length > 0 && text[0] == '.')
        fputs("\\&", stream);
    put_characters(stream, text, length);
}

/* A word, whose backquotes turn bold on and off. */
static void put_roff_word(FILE *stream, const char *text, size_t length, bool *is_bold)
{
    size_t from = 0;
    if (length > 0 && text[0] == '.')
        fputs("\\&", stream);
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != '`')
            continue;
        put_characters(stream, text + from, i - from);
        from = i + 1;
        if (i < length) {
            *is_bold = !*is_bold;
            fputs(*is_bold ? "\\fB" : "\\fR", stream);
        }
    }
}

/* Bytes of a word in a line of the page, or in text. */
static int width_of(const ArcWriter *writer, const char *word, size_t length)
{
    char plain[2];
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += !writer->is_man ? 1 : word[i] == '`' ? 3 : strlen(roff_of(word[i], plain));
    return (int)n;
}

/* Words in lines; column is where the stream stands, indent where further lines begin. */
static void put_wrapped(ArcWriter *writer, const char *words, size_t size, int column, int indent)
{
    int most = writer->is_man ? PAGE_COLUMNS : COLUMNS;
    bool is_first = true, is_bold = false;
    const char *end = words + size;
    while (words < end) {
        while (words < end && (*words == ' ' || *words == '\n'))
            words++;
        size_t length = 0;
        while (words + length < end && words[length] != ' ' && words[length] != '\n')
            length++;
        if (length == 0)
            break;
        int width = width_of(writer, words, length);
        if (!is_first && column + 1 + width > most) {
            fprintf(writer->stream, "\n%*s", indent, "");
            column = indent;
        } else if (!is_first) {
            fputc(' ', writer->stream);
            column++;
        }
        if (writer->is_man)
            put_roff_word(writer->stream, words, length, &is_bold);
        else
            fwrite(words, 1, length, writer->stream);
        column += width;
        words += length;
        is_first = false;
    }
    fputc('\n', writer->stream);
}

static void put_upper(ArcWriter *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        char upper = (char)toupper((unsigned char)*text);
        put_roff(writer->stream, &upper, 1);
    }
}

void arc_writer_title(ArcWriter *writer, const char *name, int section, const char *doc)
{
    FILE *stream = writer->stream;
    if (writer->is_man) {
        fprintf(stream, ".\\\" Written by `arcfit help --as man`.\n.TH ");
        put_upper(writer, name);
        fprintf(stream, " %d %s \"arcfit %s\" \"arcfit manual\"\n.nh\n.ad l\n.SH NAME\n", section,
                date, ARC_VERSION);
        put_roff(stream, name, strlen(name));
        fprintf(stream, " \\- ");
        put_wrapped(writer, doc, strlen(doc), (int)strlen(name) + 3, 0);
    } else {
        int column = fprintf(stream, "%s: ", name);
        put_wrapped(writer, doc, strlen(doc), column, INDENT);
    }
    writer->is_separated = false;
}

void arc_writer_heading(ArcWriter *writer, const char *heading)
{
    if (writer->is_man) {
        fprintf(writer->stream, ".SH ");
        put_upper(writer, heading);
        fputc('\n', writer->stream);
    } else {
        fprintf(writer->stream, "\n%s\n", heading);
    }
    writer->is_separated = true;
}

void arc_writer_subheading(ArcWriter *writer, const char *heading)
{
    if (writer->is_man) {
        fprintf(writer->stream, ".SS ");
        put_roff(writer->stream, heading, strlen(heading));
        fputc('\n', writer->stream);
    } else {
        fprintf(writer->stream, "%s%s\n", writer->is_separated ? "" : "\n", heading);
    }
    writer->is_separated = true;
}

/* The lines up to the first that does not begin with a blank, as they are; what follows them. */
static const char *put_literal(ArcWriter *writer, const char *lines)
{
    FILE *stream = writer->stream;
    if (!writer->is_separated)
        fputs(writer->is_man ? ".PP\n" : "\n", stream);
    if (writer->is_man)
        fputs(".RS 4\n.nf\n", stream);
    while (lines[0] == ' ') {
        size_t length = strcspn(lines, "\n"), blanks = strspn(lines, " ");
        size_t from = blanks < INDENT ? blanks : INDENT;
        if (writer->is_man)
            put_roff(stream, lines + from, length - from);
        else
            fwrite(lines, 1, length, stream);
        fputc('\n', stream);
        lines += length + (lines[length] == '\n');
    }
    if (writer->is_man)
        fputs(".fi\n.RE\n", stream);
    return lines;
}

/* The lines up to one that is empty, begins with a blank, or is a heading; what follows them. */
static const char *put_paragraph(ArcWriter *writer, const char *words)
{
    size_t length = 0;
    do {
        length += strcspn(words + length, "\n");
        length += words[length] == '\n';
    } while (strchr("\n #", words[length]) == NULL);
    if (!writer->is_separated)
        fputs(writer->is_man ? ".PP\n" : "\n", writer->stream);
    put_wrapped(writer, words, length, 0, 0);
    return words + length;
}

void arc_writer_words(ArcWriter *writer, const char *words)
{
    while (*words != '\0') {
        if (words[0] == '\n') {
            words++;
        } else if (words[0] == '#') {
            char heading[64];
            size_t length = strcspn(words, "\n");
            snprintf(heading, sizeof heading, "%.*s", (int)length - 2, words + 2);
            arc_writer_subheading(writer, heading);
            words += length;
        } else {
            words = words[0] == ' ' ? put_literal(writer, words) : put_paragraph(writer, words);
            writer->is_separated = false;
        }
    }
}

/* "-o, --out FILE": words in capitals stand for others. */
static void put_term(ArcWriter *writer, const char *term)
{
    FILE *stream = writer->stream;
    while (*term != '\0') {
        size_t length = strcspn(term, " ");
        bool stands = length > 0 && isupper((unsigned char)term[strspn(term, "[")]) != 0;
        fputs(stands ? "\\fI" : "\\fB", stream);
        put_roff(stream, term, length);
        fputs("\\fR", stream);
        term += length;
        if (*term == ' ')
            fputc(*term++, stream);
    }
}

void arc_writer_item(ArcWriter *writer, const char *term, const char *words)
{
    FILE *stream = writer->stream;
    int indent = writer->is_man ? 0 : writer->column;
    if (writer->is_man) {
        fprintf(stream, ".TP\n");
        put_term(writer, term);
        fputc('\n', stream);
    } else {
        int column = fprintf(stream, "%*s%s", INDENT, "", term);
        if (column + 2 > indent) {
            fprintf(stream, "\n");
            column = 0;
        }
        fprintf(stream, "%*s", indent - column, "");
    }
    for (bool is_first = true; *words != '\0'; is_first = false) {
        size_t length = strcspn(words, "\n");
        if (!is_first)
            fprintf(stream, "%s%*s", writer->is_man ? ".br\n" : "", indent, "");
        put_wrapped(writer, words, length, indent, indent);
        words += length + (words[length] == '\n');
    }
    writer->is_separated = false;
}

void arc_writer_synopsis(ArcWriter *writer, const char *usage)
{
    if (writer->is_man) {
        arc_writer_heading(writer, "Synopsis");
        put_term(writer, usage);
        fputc('\n', writer->stream);
    } else {
        fprintf(writer->stream, "\nUsage\n%*s%s\n", INDENT, "", usage);
    }
    writer->is_separated = false;
}
