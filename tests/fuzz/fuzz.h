/* What the fuzz targets share. A target is LLVMFuzzerTestOneInput of libFuzzer: it hands the bytes
 * to one reader, holds the verdict to the house rules, and frees. Whatever aborts is a finding.
 */
#ifndef ARC_TESTS_FUZZ_H
#define ARC_TESTS_FUZZ_H

#include "arcfit/error.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Called once before, where a target has it. */
int LLVMFuzzerInitialize(int *n, char ***words);

/* Aborts unless status is ARC_OK, or ARC_INPUT with one line "FILE:LINE:COLUMN: error: ...". */
void fuzz_check_verdict(ArcStatus status, const ArcError *err);

/* The bytes as a file in memory, for readers that take a path. The path is good until the next
 * call; the file is the same one every time. */
const char *fuzz_file(const uint8_t *bytes, size_t size);

/* A second such file that stays as it is, from text. */
const char *fuzz_text_file(const char *text);

/* Changes a sound file of n bytes, which has room for n, as the bytes say: patches of an offset
 * (3 bytes, taken modulo n), a count (1 byte, modulo 9) and so many bytes to put there; a count of
 * 0 cuts the file off at the offset. The new size. */
size_t fuzz_patch(const uint8_t *bytes, size_t size, uint8_t *file, size_t n);

/* Reads all of path, which is then removed; the memory is never freed. */
uint8_t *fuzz_take_file(const char *path, size_t *size);

/* Looks at the node and all below it; aborts where one is not as yaml.h says. The number of nodes.
 */
struct ArcYamlNode;
int fuzz_check_tree(const struct ArcYamlNode *node);

/* Aborts with the words. */
_Noreturn void fuzz_fail(const char *words);

#endif
