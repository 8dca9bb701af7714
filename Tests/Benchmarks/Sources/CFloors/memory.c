#include "CFloors.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void floor_release_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
