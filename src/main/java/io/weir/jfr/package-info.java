/**
 * Events for the JDK's flight recorder: {@link io.weir.jfr.WeirEvents} writes them, as long as a
 * recording wants them; without one they cost a look at a flag. In JDK Mission Control they stand
 * under the category Weir.
 *
 * <p>Ring 3: may use rings 0 to 2 and {@code jdk.jfr}.
 */
package io.weir.jfr;
