/**
 * Tests in which Fray schedules the threads: it lets one thread run at a time, and decides at each
 * lock, wait and volatile access which one goes on. {@code InterleavingsTest} begins them; what
 * they do is in the classes {@code *Interleavings} beside what they test.
 */
package io.weir.interleavings;
