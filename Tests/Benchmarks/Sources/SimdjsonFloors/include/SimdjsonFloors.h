#ifndef SIMDJSON_FLOORS_H
#define SIMDJSON_FLOORS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the version of simdjson that the floors are built with.
const char *floor_simdjson_version(void);

/// Statuses of a microblog as structs that own their texts.
typedef struct floor_statuses floor_statuses;

/// The number of bytes that `floor_statuses_decode` can read after a document.
size_t floor_statuses_padding(void);

/// Decodes an array of statuses. `count` does not include the padding after the
/// document. Returns null on failure.
floor_statuses *floor_statuses_decode(const char *bytes, size_t count);

/// Returns the sum of `MicroblogStatus.checksum` of the same statuses, or -1 on
/// failure.
int64_t floor_statuses_checksum(const floor_statuses *statuses);

void floor_statuses_free(floor_statuses *statuses);

#ifdef __cplusplus
}
#endif

#endif
