/**
 * The merge scheduler: ring 2, may use {@code store}, {@code rate}, {@code time} and lucene-core.
 *
 * <p>Holds nothing yet. What only a scheduler can know belongs here: which merge a write belongs
 * to, whether it was forced, whether a reader or a commit waits for it, and when it was aborted.
 */
package io.weir.merge;
