#ifndef FLOOR_H
#define FLOOR_H

#include "CPostgresFloors.h"

#include <libpq-fe.h>

struct postgres_floor {
  PGconn *connection;
};

/// The columns in the order of the episode's values.
#define FLOOR_COLUMNS                                                                            \
  "\"id\", \"guid\", \"title\", \"summary\", \"author\", \"publishedAt\", \"number\", "          \
  "\"season\", \"isExplicit\", \"duration\", \"rating\", \"mediaURL\", \"mediaSize\""

/// The number of microseconds from 2000 to 2001. PostgreSQL's dates begin in 2000.
#define FLOOR_DATE_OFFSET INT64_C(31622400000000)

/// Clears a result. Returns false and prints the error if its status is not the
/// expected one.
bool floor_ends(postgres_floor *floor, PGresult *result, ExecStatusType expected);

bool floor_execute(postgres_floor *floor, const char *sql);

#endif
