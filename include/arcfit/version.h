/* The version of arcfit, the one place that says it beside meson.build. */
#ifndef ARCFIT_VERSION_H
#define ARCFIT_VERSION_H

#define ARC_VERSION "0.1.0"

#endif
