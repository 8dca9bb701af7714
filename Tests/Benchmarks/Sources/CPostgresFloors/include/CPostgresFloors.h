#ifndef CPOSTGRESFLOORS_H
#define CPOSTGRESFLOORS_H

#include <CFloors.h>

/// A connection to a PostgreSQL server.
typedef struct postgres_floor postgres_floor;

/// Opens a connection. Returns null on failure.
postgres_floor *postgres_floor_open(const char *url);

void postgres_floor_close(postgres_floor *floor);

/// Copies episodes into a temporary table and saves them with one upsert, in
/// one transaction. Returns the number of rows written, or -1 on failure.
int64_t postgres_floor_import(postgres_floor *floor, const floor_episode *episodes, size_t count);

/// Reads rows of 13 columns in binary form into an array of structs that own
/// their texts. Returns the checksum of all values, or NaN on failure.
double postgres_floor_fetch(postgres_floor *floor);

#endif
