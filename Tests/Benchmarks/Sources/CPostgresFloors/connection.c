#include "floor.h"

#include <stdio.h>
#include <stdlib.h>

postgres_floor *postgres_floor_open(const char *url) {
  postgres_floor *floor = calloc(1, sizeof *floor);
  if (floor != NULL) {
    floor->connection = PQconnectdb(url);
    if (PQstatus(floor->connection) == CONNECTION_OK) {
      return floor;
    }
    fprintf(stderr, "%s", PQerrorMessage(floor->connection));
    PQfinish(floor->connection);
  }
  free(floor);
  return NULL;
}

void postgres_floor_close(postgres_floor *floor) {
  if (floor != NULL) {
    PQfinish(floor->connection);
    free(floor);
  }
}

bool floor_ends(postgres_floor *floor, PGresult *result, ExecStatusType expected) {
  bool is_good = PQresultStatus(result) == expected;
  if (!is_good) {
    fprintf(stderr, "%s", PQerrorMessage(floor->connection));
  }
  PQclear(result);
  return is_good;
}

bool floor_execute(postgres_floor *floor, const char *sql) {
  return floor_ends(floor, PQexec(floor->connection, sql), PGRES_COMMAND_OK);
}
