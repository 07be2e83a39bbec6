/* What the fuzz targets share. A target is LLVMFuzzerTestOneInput of libFuzzer: it hands the bytes
 * to one reader, holds the verdict to the house rules, and frees. Whatever aborts is a finding.
 */
#ifndef ARC_TESTS_FUZZ_H
#define ARC_TESTS_FUZZ_H

#include "arcfit/error.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Aborts unless status is ARC_OK, or ARC_INPUT with one line "FILE:LINE:COLUMN: error: ...". */
void fuzz_check_verdict(ArcStatus status, const ArcError *err);

/* The bytes as a file in memory, for readers that take a path. The path is good until the next
 * call; the file is the same one every time. */
const char *fuzz_file(const uint8_t *bytes, size_t size);

/* A second such file that stays as it is, from text. */
const char *fuzz_text_file(const char *text);

/* Aborts with the words. */
_Noreturn void fuzz_fail(const char *words);

#endif
