package io.weir.stress.result;

/**
 * What others did on the machine in a while. What the kernel does not tell is null.
 *
 * @param seconds how long it was
 * @param stealPercent of the processors' time, taken by a hypervisor for other machines
 * @param ioPressurePercent of the time, in which some task of the machine waited for a disk; those
 *     of this run are among them
 * @param foreignDirtiedBytes pages that became dirty and were not written by the process that asks:
 *     the kernel's own, those of a file system's journal, are among them
 */
public record HostNoise(
    double seconds, Double stealPercent, Double ioPressurePercent, Long foreignDirtiedBytes) {}
