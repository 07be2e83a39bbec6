/* A figure of characters. */
#include "arcfit/figure.h"
