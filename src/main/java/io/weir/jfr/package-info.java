/**
 * Flight-recorder events: ring 3, may use rings 0 to 2 and the JDK's {@code jdk.jfr}.
 *
 * <p>Holds nothing yet.
 */
package io.weir.jfr;
