/**
 * Weir holds down what Lucene merges do to a disk, and measures what readers feel.
 *
 * <p>The packages stand in rings, and a package uses only lower rings (an architecture test holds
 * it): {@code time} and {@code procfs}; {@code rate}; {@code store}, {@code merge}, {@code nrt} and
 * {@code control}; {@code metrics}, {@code jfr}, {@code jmx} and {@code host}; {@code corpus},
 * {@code stress} and {@code exporter}; {@code report}; {@code cli}. The first three rings need the
 * JDK and lucene-core alone.
 */
package io.weir;
