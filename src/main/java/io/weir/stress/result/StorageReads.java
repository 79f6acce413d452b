package io.weir.stress.result;

import java.util.Optional;

/**
 * What a process read from storage in a period. A figure that the kernel does not report is empty.
 *
 * @param majorFaults page faults that read a page
 * @param readBytes bytes read in all: by page faults, read calls and read-ahead
 */
public record StorageReads(Optional<Long> majorFaults, Optional<Long> readBytes) {}
