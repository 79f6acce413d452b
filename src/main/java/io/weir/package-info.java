/**
 * Weir limits what Lucene merges do to a disk, and measures the effect on readers.
 *
 * <p>The packages form rings. A package uses lower rings, and what {@code
 * docs/internals/ARCHITECTURE.md} names of its own ring; an architecture test enforces it. Rings 0
 * to 2, with the byte budget, the directories, the merge scheduler, the reopen monitor and the
 * controllers, need only the JDK and lucene-core.
 */
package io.weir;
