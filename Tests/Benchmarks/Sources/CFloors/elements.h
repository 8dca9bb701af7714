#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/// Parses an array with Jansson, one element at a time, and calls `read` with
/// each element. Returns false if the text is not an array, or if `read`
/// returned false.
bool elements_read(const char *bytes, size_t count, bool (*read)(json_t *element, void *context),
                   void *context);

#endif
