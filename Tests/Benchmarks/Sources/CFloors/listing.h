#ifndef LISTING_H
#define LISTING_H

#include "CFloors.h"

#include <sqlite3.h>

enum { statement_limit = 16 };
typedef enum { BEGIN, BEGIN_IMMEDIATE, COMMIT, ROLLBACK, STEP_COUNT } transaction_step;

struct floor_list {
  sqlite3 *database;
  sqlite3_stmt *statements[statement_limit];
  int statement_count;
  sqlite3_stmt *steps[STEP_COUNT];
  int64_t *ids;
  double *numbers;
  size_t count;
};

bool run_transaction_step(floor_list *list, transaction_step step);

#endif
