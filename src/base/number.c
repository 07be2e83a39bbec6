/* Numbers as text: the grammar is checked here, the conversion is the C library's in the C locale,
 * which is correctly rounded. */
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t number_locale;
static pthread_once_t number_locale_once = PTHREAD_ONCE_INIT;

static void number_locale_create(void)
{
    number_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t number_c_locale(void)
{
    pthread_once(&number_locale_once, number_locale_create);
    return number_locale;
}

static size_t digits_length(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* Bytes that the grammar takes at the start of text, 0 for none. */
static size_t number_length(const char *text, size_t length)
{
    size_t n = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    size_t whole = digits_length(text + n, length - n);
    n += whole;
    size_t fraction = 0;
    if (n < length && text[n] == '.') {
        fraction = digits_length(text + n + 1, length - n - 1);
        if (whole + fraction > 0)
            n += 1 + fraction;
    }
    if (whole + fraction == 0)
        return 0;
    if (n < length && (text[n] == 'e' || text[n] == 'E')) {
        size_t sign = n + 1 < length && (text[n + 1] == '+' || text[n + 1] == '-') ? 1 : 0;
        size_t exponent = digits_length(text + n + 1 + sign, length - n - 1 - sign);
        if (exponent > 0)
            n += 1 + sign + exponent;
    }
    return n;
}

size_t arc_number_read_prefix(const char *text, size_t length, double *value)
{
    size_t n = number_length(text, length);
    if (n == 0)
        return 0;
    /* strtod wants a terminated string; a longer number is truncated beyond any double's digits
     * only where its exponent stays readable, so it is copied whole up to a generous limit. */
    char copy[512];
    if (n >= sizeof copy)
        return 0;
    memcpy(copy, text, n);
    copy[n] = '\0';
    *value = strtod_l(copy, NULL, number_c_locale());
    return n;
}

bool arc_number_read(const char *text, size_t length, double *value)
{
    double result;
    size_t n = arc_number_read_prefix(text, length, &result);
    if (n == 0 || n != length)
        return false;
    *value = result;
    return true;
}

bool arc_number_read_integer(const char *text, size_t length, long long *value)
{
    size_t sign = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    size_t digits = digits_length(text + sign, length - sign);
    char copy[32];
    if (digits == 0 || sign + digits != length || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    errno = 0;
    long long result = strtoll(copy, NULL, 10);
    if (errno != 0)
        return false;
    *value = result;
    return true;
}

const char *arc_number_write_digits(char buffer[ARC_NUMBER_TEXT], double value, int digits)
{
    if (isnan(value))
        return strcpy(buffer, "nan");
    if (isinf(value))
        return strcpy(buffer, value > 0 ? "inf" : "-inf");
    locale_t before = uselocale(number_c_locale());
    snprintf(buffer, ARC_NUMBER_TEXT, "%.*g", digits, value);
    uselocale(before);
    return buffer;
}

const char *arc_number_write(char buffer[ARC_NUMBER_TEXT], double value)
{
    for (int digits = 15; digits < 17; digits++) {
        arc_number_write_digits(buffer, value, digits);
        if (!isfinite(value) || strtod_l(buffer, NULL, number_c_locale()) == value)
            return buffer;
    }
    return arc_number_write_digits(buffer, value, 17);
}
