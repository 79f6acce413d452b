/**
 * Events for the JDK's flight recorder. {@link io.weir.jfr.WeirEvents} writes them while a
 * recording has them enabled; otherwise they cost a check of a flag. In JDK Mission Control their
 * category is Weir.
 *
 * <p>Ring 3: may use rings 0 to 2 and {@code jdk.jfr}.
 */
package io.weir.jfr;
