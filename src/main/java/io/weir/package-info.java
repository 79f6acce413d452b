/**
 * Weir limits what Lucene merges do to a disk, and measures the effect on readers.
 *
 * <p>The packages form rings, and a package uses only lower rings (an architecture test enforces
 * it): {@code time} and {@code procfs}; {@code rate}; {@code store}, {@code merge}, {@code nrt} and
 * {@code control}; {@code metrics}, {@code jfr}, {@code jmx} and {@code host}; {@code corpus},
 * {@code stress} and {@code exporter}; {@code report}; {@code cli}. The first three rings need only
 * the JDK and lucene-core.
 */
package io.weir;
