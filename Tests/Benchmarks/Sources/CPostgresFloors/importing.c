#include "floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char bytes[65536];
  size_t count;
  PGconn *connection;
  bool is_good;
} buffer_t;

static void flush(buffer_t *buffer) {
  buffer->is_good = buffer->is_good &&
                    PQputCopyData(buffer->connection, buffer->bytes, (int)buffer->count) == 1;
  buffer->count = 0;
}

static void put(buffer_t *buffer, const void *bytes, size_t count) {
  if (buffer->count + count > sizeof buffer->bytes) {
    flush(buffer);
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

static void put16(buffer_t *buffer, uint16_t value) {
  value = __builtin_bswap16(value);
  put(buffer, &value, sizeof value);
}

static void put32(buffer_t *buffer, uint32_t value) {
  value = __builtin_bswap32(value);
  put(buffer, &value, sizeof value);
}

static void put_integer(buffer_t *buffer, int64_t value) {
  uint64_t swapped = __builtin_bswap64((uint64_t)value);
  put32(buffer, sizeof swapped);
  put(buffer, &swapped, sizeof swapped);
}

static void put_double(buffer_t *buffer, double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_integer(buffer, bits);
}

static void put_text(buffer_t *buffer, const char *text, int count) {
  put32(buffer, (uint32_t)count);
  put(buffer, text, (size_t)count);
}

static void put_episode(buffer_t *buffer, const floor_episode *episode) {
  char is_explicit = episode->is_explicit;
  put16(buffer, 13);
  put_integer(buffer, episode->id);
  put_text(buffer, episode->guid, episode->guid_count);
  put_text(buffer, episode->title, episode->title_count);
  put_text(buffer, episode->summary, episode->summary_count);
  put_text(buffer, episode->author, episode->author_count);
  put_integer(buffer, llround(episode->published_at * 1e6) + FLOOR_DATE_OFFSET);
  put_integer(buffer, episode->number);
  if (episode->has_season) {
    put_integer(buffer, episode->season);
  } else {
    put32(buffer, UINT32_MAX);
  }
  put_text(buffer, &is_explicit, 1);
  put_double(buffer, episode->duration);
  put_double(buffer, episode->rating);
  put_text(buffer, episode->media_url, episode->media_url_count);
  put_integer(buffer, episode->media_size);
}

static bool copy(postgres_floor *floor, const floor_episode *episodes, size_t count) {
  PGresult *result = PQexec(floor->connection,
                            "COPY floor_rows (" FLOOR_COLUMNS ") FROM STDIN (FORMAT binary)");
  if (!floor_ends(floor, result, PGRES_COPY_IN)) {
    return false;
  }
  buffer_t buffer = {.connection = floor->connection, .is_good = true};
  put(&buffer, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  for (size_t i = 0; i < count; i++) {
    put_episode(&buffer, &episodes[i]);
  }
  put16(&buffer, UINT16_MAX);
  flush(&buffer);
  bool is_good = PQputCopyEnd(floor->connection, NULL) == 1 && buffer.is_good;
  is_good = floor_ends(floor, PQgetResult(floor->connection), PGRES_COMMAND_OK) && is_good;
  while ((result = PQgetResult(floor->connection)) != NULL) {
    PQclear(result);
  }
  return is_good;
}

static const char *create =
    "BEGIN; CREATE TEMPORARY TABLE floor_rows ON COMMIT DROP AS SELECT " FLOOR_COLUMNS
    " FROM \"FeedEpisode\" LIMIT 0";

static const char *upsert =
    "INSERT INTO \"FeedEpisode\" AS t (" FLOOR_COLUMNS ") SELECT " FLOOR_COLUMNS
    " FROM floor_rows ON CONFLICT (\"guid\") DO UPDATE SET \"id\" = excluded.\"id\", "
    "\"title\" = excluded.\"title\", \"summary\" = excluded.\"summary\", "
    "\"author\" = excluded.\"author\", \"publishedAt\" = excluded.\"publishedAt\", "
    "\"number\" = excluded.\"number\", \"season\" = excluded.\"season\", "
    "\"isExplicit\" = excluded.\"isExplicit\", \"duration\" = excluded.\"duration\", "
    "\"rating\" = excluded.\"rating\", \"mediaURL\" = excluded.\"mediaURL\", "
    "\"mediaSize\" = excluded.\"mediaSize\" WHERE (t.\"id\", t.\"title\", t.\"summary\", "
    "t.\"author\", t.\"publishedAt\", t.\"number\", t.\"season\", t.\"isExplicit\", "
    "t.\"duration\", t.\"rating\", t.\"mediaURL\", t.\"mediaSize\") IS DISTINCT FROM "
    "(excluded.\"id\", excluded.\"title\", excluded.\"summary\", excluded.\"author\", "
    "excluded.\"publishedAt\", excluded.\"number\", excluded.\"season\", "
    "excluded.\"isExplicit\", excluded.\"duration\", excluded.\"rating\", "
    "excluded.\"mediaURL\", excluded.\"mediaSize\")";

int64_t postgres_floor_import(postgres_floor *floor, const floor_episode *episodes,
                              size_t count) {
  int64_t written = -1;
  if (floor_execute(floor, create) && copy(floor, episodes, count)) {
    PGresult *result = PQexec(floor->connection, upsert);
    int64_t rows = atoll(PQcmdTuples(result));
    if (floor_ends(floor, result, PGRES_COMMAND_OK) && floor_execute(floor, "COMMIT")) {
      written = rows;
    }
  }
  if (written < 0) {
    floor_execute(floor, "ROLLBACK");
  }
  return written;
}
