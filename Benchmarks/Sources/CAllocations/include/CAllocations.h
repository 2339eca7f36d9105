#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted here: with glibc only.
bool allocations_are_counted(void);
/// From now on, on all threads.
void allocations_start(void);
/// How many there have been since.
size_t allocations_stop(void);
/// Bytes in use; 0 where that is not known.
size_t allocations_in_use(void);
