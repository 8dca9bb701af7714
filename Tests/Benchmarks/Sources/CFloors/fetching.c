#include "CFloors.h"
#include "connection.h"
#include "episode.h"

#include <math.h>
#include <stdlib.h>

/// Points to the text of a column, until the next step. Returns its length.
static size_t borrow_text(text_t *text, sqlite3_stmt *statement, int column) {
  text->bytes = (char *)sqlite3_column_text(statement, column);
  text->count = (size_t)sqlite3_column_bytes(statement, column);
  return text->count;
}

static bool read_row(sqlite3_stmt *statement, episode_t *episode) {
  episode->id = sqlite3_column_int64(statement, 0);
  size_t count = borrow_text(&episode->guid, statement, 1);
  count += borrow_text(&episode->title, statement, 2);
  count += borrow_text(&episode->summary, statement, 3);
  count += borrow_text(&episode->author, statement, 4);
  episode->published_at = sqlite3_column_double(statement, 5);
  episode->number = sqlite3_column_int64(statement, 6);
  episode->has_season = sqlite3_column_type(statement, 7) != SQLITE_NULL;
  episode->season = sqlite3_column_int64(statement, 7);
  episode->is_explicit = sqlite3_column_int64(statement, 8) != 0;
  episode->duration = sqlite3_column_double(statement, 9);
  episode->rating = sqlite3_column_double(statement, 10);
  count += borrow_text(&episode->media_url, statement, 11);
  episode->media_size = sqlite3_column_int64(statement, 12);
  return episode_copy_texts(episode, count);
}

double floor_fetch(const char *path, const char *settings, const char *select) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  episodes_t array = {0};
  int code = SQLITE_ROW;
  bool is_good = connection_open(&database, path, settings) &&
                 connection_prepare(database, select, &statement);
  while (is_good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    episode_t *episode = episodes_next(&array);
    is_good = episode != NULL && read_row(statement, episode);
    array.count += is_good;
  }
  is_good = is_good && connection_check(database, code == SQLITE_DONE);
  double sum = is_good ? episodes_checksum(&array) : NAN;
  episodes_free(&array);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return sum;
}
