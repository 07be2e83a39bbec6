/* See fuzz.h. */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Noreturn void fuzz_fail(const char *words)
{
    fprintf(stderr, "fuzz: %s\n", words);
    abort();
}

/* The end of a number in text, NULL where there is none. */
static const char *skip_number(const char *text)
{
    const char *end = text + strspn(text, "0123456789");
    return end == text ? NULL : end;
}

/* True for "FILE:LINE:COLUMN: error: ..." on one line; the file's name may hold colons. */
static bool is_placed(const char *text)
{
    if (strchr(text, '\n') != NULL)
        return false;
    for (const char *at = strchr(text, ':'); at != NULL; at = strchr(at + 1, ':')) {
        const char *line = skip_number(at + 1);
        const char *column = line == NULL || *line != ':' ? NULL : skip_number(line + 1);
        if (column != NULL && strncmp(column, ": error: ", 9) == 0)
            return at > text;
    }
    return false;
}

void fuzz_check_verdict(ArcStatus status, const ArcError *err)
{
    if (status == ARC_OK)
        return;
    if (status != err->status || status != ARC_INPUT || !is_placed(err->text))
        fuzz_fail(err->text);
}

static int make_file(char path[64])
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0)
        fuzz_fail("no file in memory");
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

static void fill_file(int file, const void *bytes, size_t size)
{
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size)
        fuzz_fail("cannot write into memory");
}

const char *fuzz_file(const uint8_t *bytes, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = make_file(path);
    fill_file(file, bytes, size);
    return path;
}

const char *fuzz_text_file(const char *text)
{
    static char path[64];
    if (path[0] == '\0')
        fill_file(make_file(path), text, strlen(text));
    return path;
}

size_t fuzz_patch(const uint8_t *bytes, size_t size, uint8_t *file, size_t n)
{
    size_t left = n;
    while (size >= 4) {
        size_t at = ((size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16) % n;
        size_t count = bytes[3] % 9;
        bytes += 4;
        size -= 4;
        if (count == 0 && at < left)
            left = at;
        for (; count > 0 && size > 0 && at < n; count--, size--)
            file[at++] = *bytes++;
    }
    return left;
}

uint8_t *fuzz_take_file(const char *path, size_t *size)
{
    static uint8_t *taken[16];
    static int n_taken;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || n_taken == 16 || fseek(stream, 0, SEEK_END) != 0)
        fuzz_fail("cannot take the file");
    *size = (size_t)ftell(stream);
    rewind(stream);
    uint8_t *bytes = malloc(*size);
    if (bytes == NULL || fread(bytes, 1, *size, stream) != *size)
        fuzz_fail("cannot read the file");
    fclose(stream);
    remove(path);
    return taken[n_taken++] = bytes; /* so that it is no leak */
}
