#include "CFloors.h"
#include "connection.h"
#include "elements.h"
#include "episode.h"

#include <stdlib.h>

static int bind(sqlite3_stmt *statement, const floor_episode *episode) {
  int code = sqlite3_bind_int64(statement, 1, episode->id);
  code |= sqlite3_bind_text(statement, 2, episode->guid, episode->guid_count, SQLITE_STATIC);
  code |= sqlite3_bind_text(statement, 3, episode->title, episode->title_count, SQLITE_STATIC);
  code |= sqlite3_bind_text(statement, 4, episode->summary, episode->summary_count, SQLITE_STATIC);
  code |= sqlite3_bind_text(statement, 5, episode->author, episode->author_count, SQLITE_STATIC);
  code |= sqlite3_bind_double(statement, 6, episode->published_at);
  code |= sqlite3_bind_int64(statement, 7, episode->number);
  code |= episode->has_season ? sqlite3_bind_int64(statement, 8, episode->season)
                              : sqlite3_bind_null(statement, 8);
  code |= sqlite3_bind_int64(statement, 9, episode->is_explicit);
  code |= sqlite3_bind_double(statement, 10, episode->duration);
  code |= sqlite3_bind_double(statement, 11, episode->rating);
  code |= sqlite3_bind_text(statement, 12, episode->media_url, episode->media_url_count,
                            SQLITE_STATIC);
  code |= sqlite3_bind_int64(statement, 13, episode->media_size);
  return code;
}

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *statement;
  int64_t changed;
} import_t;

static bool begin(import_t *import, const char *path, const char *settings, const char *upsert) {
  import->database = NULL;
  import->statement = NULL;
  import->changed = 0;
  return connection_open(&import->database, path, settings) &&
         connection_execute(import->database, "BEGIN IMMEDIATE") &&
         connection_prepare(import->database, upsert, &import->statement);
}

static bool save(import_t *import, const floor_episode *episode) {
  if (bind(import->statement, episode) != SQLITE_OK ||
      sqlite3_step(import->statement) != SQLITE_DONE) {
    return connection_check(import->database, false);
  }
  import->changed += sqlite3_changes(import->database);
  return sqlite3_reset(import->statement) == SQLITE_OK;
}

static int64_t end(import_t *import, bool is_good) {
  is_good = is_good && connection_execute(import->database, "COMMIT");
  sqlite3_finalize(import->statement);
  sqlite3_close(import->database);
  return is_good ? import->changed : -1;
}

int64_t floor_import(const char *path, const char *settings, const char *upsert,
                     const floor_episode *episodes, size_t count) {
  import_t import;
  bool is_good = begin(&import, path, settings, upsert);
  for (size_t i = 0; i < count && is_good; i++) {
    is_good = save(&import, &episodes[i]);
  }
  return end(&import, is_good);
}

static bool save_object(json_t *object, void *import) {
  episode_t episode;
  if (!episode_extract(object, &episode)) {
    return false;
  }
  floor_episode row = {
      .id = episode.id,
      .number = episode.number,
      .season = episode.season,
      .media_size = episode.media_size,
      .guid = episode.guid.bytes,
      .title = episode.title.bytes,
      .summary = episode.summary.bytes,
      .author = episode.author.bytes,
      .media_url = episode.media_url.bytes,
      .guid_count = (int)episode.guid.count,
      .title_count = (int)episode.title.count,
      .summary_count = (int)episode.summary.count,
      .author_count = (int)episode.author.count,
      .media_url_count = (int)episode.media_url.count,
      .published_at = episode.published_at,
      .duration = episode.duration,
      .rating = episode.rating,
      .is_explicit = episode.is_explicit,
      .has_season = episode.has_season,
  };
  bool is_good = save(import, &row);
  free(episode.storage);
  return is_good;
}

int64_t floor_import_json(const char *path, const char *settings, const char *upsert,
                          const char *bytes, size_t count) {
  import_t import;
  return end(&import, begin(&import, path, settings, upsert) &&
                          elements_read(bytes, count, save_object, &import));
}
