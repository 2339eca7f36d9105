#include "CAllocations.h"

#include <stdlib.h>

#if defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>

// The program's own malloc takes precedence over that of libc.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static bool counting;
static size_t count;

static inline void note(void) {
  if (__atomic_load_n(&counting, __ATOMIC_RELAXED)) __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { note(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

bool allocations_are_counted(void) { return true; }
void allocations_start(void) {
  __atomic_store_n(&count, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&counting, true, __ATOMIC_SEQ_CST);
}
size_t allocations_stop(void) {
  __atomic_store_n(&counting, false, __ATOMIC_SEQ_CST);
  return __atomic_load_n(&count, __ATOMIC_SEQ_CST);
}
size_t allocations_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
bool allocations_are_counted(void) { return false; }
void allocations_start(void) {}
size_t allocations_stop(void) { return 0; }
size_t allocations_in_use(void) { return 0; }
#endif
