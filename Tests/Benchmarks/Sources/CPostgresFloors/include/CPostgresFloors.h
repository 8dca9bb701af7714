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

/// The type of a column.
typedef enum { FLOOR_INTEGER, FLOOR_NUMBER, FLOOR_TEXT } postgres_floor_type;

/// The values of a column: `int64_t`, `double` or `const char *`.
typedef struct {
  postgres_floor_type type;
  const void *values;
} postgres_floor_column;

/// A statement whose parameters are arrays, one for each column.
typedef struct {
  const char *sql;
  const postgres_floor_column *columns;
  size_t column_count, row_count;
} postgres_floor_batch;

/// The maximum number of columns of a batch.
#define FLOOR_MAXIMUM_COLUMNS 8

/// Executes statements in one transaction and one round trip. Returns the number of rows
/// written, or -1 on failure.
int64_t postgres_floor_write(postgres_floor *floor, const postgres_floor_batch *batches,
                             size_t count);

#endif
