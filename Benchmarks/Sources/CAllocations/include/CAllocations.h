#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations can be counted. True only with glibc.
bool allocations_are_counted(void);
/// Starts counting the allocations of all threads.
void allocations_start(void);
/// Stops counting, and returns the number of allocations since the start.
size_t allocations_stop(void);
/// The bytes in use, or 0 if that is not known.
size_t allocations_in_use(void);
