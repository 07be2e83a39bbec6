/* Numbers as text, whatever the process's locale says.
 *
 * A number is [+-] digits [. digits] [e|E [+-] digits]. Hexadecimal, "inf", "nan", thousands
 * separators and blanks are not numbers here; who accepts a missing value says so itself.
 */
#ifndef ARC_BASE_NUMBER_H
#define ARC_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { ARC_NUMBER_TEXT = 40 }; /* room for arc_number_write, with its '\0' */

/* Reads the longest number at the start of text[0..length) and returns how many bytes it took, 0
 * where there is none. Overflow gives +-HUGE_VAL, which the caller must refuse. */
size_t arc_number_read_prefix(const char *text, size_t length, double *value);

/* True when all of text[0..length) is one number. */
bool arc_number_read(const char *text, size_t length, double *value);

/* True when all of text[0..length) is one whole decimal number that fits. */
bool arc_number_read_integer(const char *text, size_t length, long long *value);

/* The shortest text that reads back as the same double; "nan", "inf", "-inf" for the others.
 * Returns buffer. */
const char *arc_number_write(char buffer[ARC_NUMBER_TEXT], double value);

/* value with so many significant digits, decimal point always '.'. Returns buffer. */
const char *arc_number_write_digits(char buffer[ARC_NUMBER_TEXT], double value, int digits);

#endif
