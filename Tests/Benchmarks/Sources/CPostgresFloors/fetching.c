#include "floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t id, number, season, media_size;
  char *texts[5];
  int counts[5];
  double published_at, duration, rating;
  bool is_explicit, has_season;
} row_t;

static int64_t integer(const PGresult *result, int row, int column) {
  uint64_t value;
  memcpy(&value, PQgetvalue(result, row, column), sizeof value);
  return (int64_t)__builtin_bswap64(value);
}

static double number(const PGresult *result, int row, int column) {
  int64_t bits = integer(result, row, column);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// Copies the texts of a row into one allocation.
static bool copy_texts(const PGresult *result, int row, row_t *episode) {
  static const int columns[] = {1, 2, 3, 4, 11};
  size_t count = 0;
  for (int i = 0; i < 5; i++) {
    episode->counts[i] = PQgetlength(result, row, columns[i]);
    count += (size_t)episode->counts[i] + 1;
  }
  char *end = malloc(count);
  if (end == NULL) {
    return false;
  }
  for (int i = 0; i < 5; i++) {
    episode->texts[i] = end;
    memcpy(end, PQgetvalue(result, row, columns[i]), (size_t)episode->counts[i]);
    end += episode->counts[i];
    *end++ = 0;
  }
  return true;
}

static bool read_row(const PGresult *result, int row, row_t *episode) {
  episode->id = integer(result, row, 0);
  episode->published_at = (double)(integer(result, row, 5) - FLOOR_DATE_OFFSET) / 1e6;
  episode->number = integer(result, row, 6);
  episode->has_season = !PQgetisnull(result, row, 7);
  episode->season = episode->has_season ? integer(result, row, 7) : 0;
  episode->is_explicit = *PQgetvalue(result, row, 8) != 0;
  episode->duration = number(result, row, 9);
  episode->rating = number(result, row, 10);
  episode->media_size = integer(result, row, 12);
  return copy_texts(result, row, episode);
}

static double checksum(const row_t *row) {
  int64_t total = row->id + row->number + (row->has_season ? row->season : -1) +
                  row->media_size + row->is_explicit;
  for (int i = 0; i < 5; i++) {
    total += row->counts[i];
  }
  return (double)total + row->duration + row->rating + row->published_at;
}

double postgres_floor_fetch(postgres_floor *floor) {
  PGresult *result =
      PQexecParams(floor->connection, "SELECT " FLOOR_COLUMNS " FROM \"FeedEpisode\"", 0, NULL,
                   NULL, NULL, NULL, 1);
  int count = PQntuples(result);
  row_t *rows = calloc((size_t)count + 1, sizeof *rows);
  double sum = rows == NULL || PQresultStatus(result) != PGRES_TUPLES_OK ? NAN : 0;
  int read = 0;
  while (!isnan(sum) && read < count) {
    if (!read_row(result, read, &rows[read])) {
      sum = NAN;
      break;
    }
    read++;
  }
  PQclear(result);
  for (int i = 0; i < read; i++) {
    sum += checksum(&rows[i]);
    free(rows[i].texts[0]);
  }
  free(rows);
  return sum;
}
