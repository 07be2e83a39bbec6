/* One pass tells which encoding it is, a second one translates where it is not UTF-8. */
#include "io/encoding.h"

#include <stdint.h>
#include <string.h>

enum { BINARY_BYTES = 8192, EVIDENCE_BYTES = 4096 };

/* Bytes 0x80 to 0x9f of Windows-1252; 0: none. All others are the character of their number. */
static const uint16_t windows_1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

/* What one pass over bytes that may be UTF-8 finds. */
typedef struct Survey {
    size_t n_wide;    /* well-formed characters of several bytes */
    size_t n_bad;     /* bytes that belong to none */
    size_t first_bad; /* offset */
    bool is_text;     /* no zero and no control byte but for line breaks, tab, form feed, ^Z */
    size_t first_control;
} Survey;

const char *arc_encoding_name(ArcEncoding encoding)
{
    switch (encoding) {
    case ARC_ENCODING_UTF8:
        return "UTF-8";
    case ARC_ENCODING_UTF16_LE:
        return "UTF-16 (low byte first)";
    case ARC_ENCODING_UTF16_BE:
        return "UTF-16 (high byte first)";
    case ARC_ENCODING_WINDOWS_1252:
        return "Windows-1252 (Latin-1)";
    }
    return "";
}

bool arc_encoding_counts_characters(ArcEncoding encoding)
{
    return encoding != ARC_ENCODING_UTF8;
}

/* Bytes of the well-formed UTF-8 character at the start, 0 where there is none (Unicode 15.0, table
 * 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *c, size_t size)
{
    if (c[0] < 0x80)
        return 1;
    size_t n = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || size < n)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    bool is_low = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool is_high = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return is_low || is_high ? 0 : n;
}

/* Line and column (in bytes, from 1) of an offset. */
static ArcPlace place_of(const char *file, const char *bytes, size_t offset)
{
    ArcPlace at = {file, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        at.column++;
        if (bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n')) {
            at.line++;
            at.column = 1;
        }
    }
    return at;
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1a) || c == 0x7f;
}

static Survey survey(const unsigned char *bytes, size_t size)
{
    Survey result = {.is_text = true};
    for (size_t i = 0, n; i < size; i += n) {
        n = utf8_length(bytes + i, size - i);
        if (n == 0 && result.n_bad++ == 0)
            result.first_bad = i;
        if (result.is_text && is_control(bytes[i])) {
            result.is_text = false;
            result.first_control = i;
        }
        if (bytes[i] == 0)
            break;
        result.n_wide += n > 1;
        n = n == 0 ? 1 : n;
    }
    return result;
}

static bool is_windows_1252(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] >= 0x80 && bytes[i] < 0xa0 && windows_1252[bytes[i] - 0x80] == 0)
            return false;
    }
    return true;
}

/* Appends a character in UTF-8 and gives the end. */
static char *utf8_put(char *end, uint32_t c)
{
    if (c < 0x80) {
        *end++ = (char)c;
        return end;
    }
    if (c < 0x800) {
        *end++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *end++ = (char)(0xe0 | c >> 12);
        } else {
            *end++ = (char)(0xf0 | c >> 18);
            *end++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *end++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *end++ = (char)(0x80 | (c & 0x3f));
    return end;
}

static ArcStatus windows_1252_decode(const unsigned char *bytes, size_t size, ArcArena *arena,
                                     ArcDecoded *decoded, ArcError *err)
{
    char *text = arc_arena_alloc(arena, size, 3);
    if (text == NULL)
        return arc_error_no_memory(err);
    char *end = text;
    for (size_t i = 0; i < size; i++) {
        bool is_special = bytes[i] >= 0x80 && bytes[i] < 0xa0;
        end = utf8_put(end, is_special ? windows_1252[bytes[i] - 0x80] : bytes[i]);
    }
    *decoded = (ArcDecoded){text, (size_t)(end - text), ARC_ENCODING_WINDOWS_1252};
    return ARC_OK;
}

/* The encoding that the mark or, without one, the zero bytes tell; UTF-8 where they tell none. */
static ArcEncoding utf16_find(const unsigned char *bytes, size_t size, size_t *mark)
{
    *mark = 2;
    if (size >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe)
        return ARC_ENCODING_UTF16_LE;
    if (size >= 2 && bytes[0] == 0xfe && bytes[1] == 0xff)
        return ARC_ENCODING_UTF16_BE;
    *mark = 0;
    size_t looked = size < EVIDENCE_BYTES ? size : EVIDENCE_BYTES, n_zero[2] = {0, 0};
    for (size_t i = 0; i < looked; i++)
        n_zero[i % 2] += bytes[i] == 0;
    for (size_t of = 0; of < 2; of++) {
        if (size >= 4 && size % 2 == 0 && n_zero[1 - of] == 0 && 8 * n_zero[of] >= 3 * looked)
            return of == 1 ? ARC_ENCODING_UTF16_LE : ARC_ENCODING_UTF16_BE;
    }
    return ARC_ENCODING_UTF8;
}

static uint32_t utf16_unit(const unsigned char *bytes, ArcEncoding encoding)
{
    bool is_low_first = encoding == ARC_ENCODING_UTF16_LE;
    return (uint32_t)(bytes[is_low_first ? 1 : 0] << 8 | bytes[is_low_first ? 0 : 1]);
}

/* Where the text so far ends, in characters. */
static ArcPlace place_behind(const char *file, const char *text, const char *end)
{
    ArcPlace at = {file, 1, 1};
    for (const char *c = text; c < end; c++) {
        at.column += ((unsigned char)*c & 0xc0) != 0x80;
        if (*c == '\n' || (*c == '\r' && (c + 1 == end || c[1] != '\n'))) {
            at.line++;
            at.column = 1;
        }
    }
    return at;
}

/* given: the bytes behind the mark, and which order they have. */
static ArcStatus utf16_decode(const char *file, ArcDecoded given, ArcArena *arena,
                              ArcDecoded *decoded, ArcError *err)
{
    const unsigned char *bytes = (const unsigned char *)given.text;
    size_t size = given.size;
    char *text = arc_arena_alloc(arena, size / 2 + 1, 3);
    if (text == NULL)
        return arc_error_no_memory(err);
    char *end = text;
    size_t i = 0;
    while (i + 1 < size) {
        uint32_t c = utf16_unit(bytes + i, given.encoding);
        i += 2;
        if (c >= 0xd800 && c < 0xdc00 && i + 1 < size) {
            uint32_t low = utf16_unit(bytes + i, given.encoding);
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        if (c == 0)
            return arc_error_set_at(err, ARC_INPUT, place_behind(file, text, end),
                                    "binary file (a zero in UTF-16): text with one row a line is "
                                    "needed");
        if (c >= 0xd800 && c < 0xe000)
            return arc_error_set_at(err, ARC_INPUT, place_behind(file, text, end),
                                    "wrong encoding: half a character (0x%04x) in UTF-16; save the "
                                    "file as UTF-8",
                                    (unsigned)c);
        end = utf8_put(end, c);
    }
    if (i < size)
        return arc_error_set_at(err, ARC_INPUT, place_behind(file, text, end),
                                "wrong encoding: UTF-16 that ends with half a character; the file "
                                "is cut short");
    *decoded = (ArcDecoded){text, (size_t)(end - text), given.encoding};
    return ARC_OK;
}

static ArcStatus refuse(const char *file, const char *bytes, size_t size, const Survey *found,
                        ArcError *err)
{
    bool is_binary = memchr(bytes, 0, size < BINARY_BYTES ? size : BINARY_BYTES) != NULL ||
                     (!found->is_text && bytes[found->first_control] == 0);
    bool at_control =
        !found->is_text && (found->n_bad == 0 || found->first_bad > found->first_control);
    size_t offset = at_control ? found->first_control : found->first_bad;
    ArcPlace at = place_of(file, bytes, offset);
    if (is_binary)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "binary file (byte 0x%02x): text with one row a line is needed",
                                (unsigned char)bytes[offset]);
    return arc_error_set_at(err, ARC_INPUT, at,
                            "wrong encoding: not UTF-8 (byte 0x%02x); save the file as UTF-8",
                            (unsigned char)bytes[found->first_bad]);
}

ArcStatus arc_encoding_decode(const char *file, const char *bytes, size_t size, ArcArena *arena,
                              ArcDecoded *decoded, ArcError *err)
{
    size_t mark;
    const unsigned char *all = (const unsigned char *)bytes;
    ArcEncoding encoding = utf16_find(all, size, &mark);
    if (encoding != ARC_ENCODING_UTF8)
        return utf16_decode(file, (ArcDecoded){bytes + mark, size - mark, encoding}, arena, decoded,
                            err);
    mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    bytes += mark;
    size -= mark;
    Survey found = survey(all + mark, size);
    bool has_zero = !found.is_text && memchr(bytes, 0, size) != NULL;
    if (found.n_bad == 0 && !has_zero) {
        *decoded = (ArcDecoded){bytes, size, ARC_ENCODING_UTF8};
        return ARC_OK;
    }
    if (mark == 0 && found.is_text && found.n_bad >= found.n_wide && is_windows_1252(all, size))
        return windows_1252_decode(all, size, arena, decoded, err);
    return refuse(file, bytes, size, &found, err);
}
