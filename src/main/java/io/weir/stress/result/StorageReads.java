package io.weir.stress.result;

/**
 * What a process had to fetch from storage in a while. What the kernel does not tell is null.
 *
 * @param majorFaults page faults for which a page was fetched
 * @param readBytes fetched in all, by faults, by calls to read and by reading ahead
 */
public record StorageReads(Long majorFaults, Long readBytes) {}
