#include "floor.h"

#include <stdlib.h>
#include <string.h>

/// The object identifiers of the types of columns, and of arrays of them.
static const Oid types[] = {20, 701, 25};
static const Oid array_types[] = {1016, 1022, 1009};

static char *put32(char *end, uint32_t value) {
  value = __builtin_bswap32(value);
  memcpy(end, &value, sizeof value);
  return end + sizeof value;
}

static char *put64(char *end, const void *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  value = __builtin_bswap64(value);
  memcpy(end, &value, sizeof value);
  return end + sizeof value;
}

/// Returns the binary form of an array with the values of a column.
static char *array(const postgres_floor_column *column, size_t rows, int *length) {
  size_t size = 20 + rows * 12;
  const char *const *texts = column->values;
  if (column->type == FLOOR_TEXT) {
    for (size_t i = 0; i < rows; i++) {
      size += strlen(texts[i]);
    }
  }
  char *bytes = malloc(size);
  if (bytes == NULL) {
    return NULL;
  }
  // The number of dimensions, no nulls, the type, the count, and the first index.
  char *end = put32(put32(put32(bytes, 1), 0), types[column->type]);
  end = put32(put32(end, (uint32_t)rows), 1);
  for (size_t i = 0; i < rows; i++) {
    if (column->type == FLOOR_TEXT) {
      size_t count = strlen(texts[i]);
      end = put32(end, (uint32_t)count);
      memcpy(end, texts[i], count);
      end += count;
    } else {
      end = put64(put32(end, 8), (const char *)column->values + i * 8);
    }
  }
  *length = (int)(end - bytes);
  return bytes;
}

static bool send(postgres_floor *floor, const postgres_floor_batch *batch) {
  char *values[FLOOR_MAXIMUM_COLUMNS] = {NULL};
  int lengths[FLOOR_MAXIMUM_COLUMNS], formats[FLOOR_MAXIMUM_COLUMNS];
  Oid oids[FLOOR_MAXIMUM_COLUMNS];
  bool is_good = true;
  for (size_t i = 0; i < batch->column_count; i++) {
    values[i] = array(&batch->columns[i], batch->row_count, &lengths[i]);
    formats[i] = 1;
    oids[i] = array_types[batch->columns[i].type];
    is_good = is_good && values[i] != NULL;
  }
  is_good = is_good && PQsendQueryParams(floor->connection, batch->sql, (int)batch->column_count,
                                         oids, (const char *const *)values, lengths, formats,
                                         1) == 1;
  for (size_t i = 0; i < batch->column_count; i++) {
    free(values[i]);
  }
  return is_good;
}

/// Reads the result of a statement in a pipeline, and adds the number of its rows.
static bool receive(postgres_floor *floor, int64_t *written) {
  PGresult *result = PQgetResult(floor->connection);
  *written += atoll(PQcmdTuples(result));
  bool is_good = floor_ends(floor, result, PGRES_COMMAND_OK);
  PQclear(PQgetResult(floor->connection));
  return is_good;
}

int64_t postgres_floor_write(postgres_floor *floor, const postgres_floor_batch *batches,
                             size_t count) {
  static const postgres_floor_batch begin = {.sql = "BEGIN"}, commit = {.sql = "COMMIT"};
  bool is_good = PQenterPipelineMode(floor->connection) == 1 && send(floor, &begin);
  for (size_t i = 0; i < count; i++) {
    is_good = is_good && send(floor, &batches[i]);
  }
  is_good = is_good && send(floor, &commit) && PQpipelineSync(floor->connection) == 1;
  int64_t written = 0;
  for (size_t i = 0; is_good && i < count + 2; i++) {
    is_good = receive(floor, &written);
  }
  is_good = is_good && floor_ends(floor, PQgetResult(floor->connection), PGRES_PIPELINE_SYNC) &&
            PQexitPipelineMode(floor->connection) == 1;
  return is_good ? written : -1;
}
