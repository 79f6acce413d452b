/**
 * One MXBean a budget: ring 3, may use rings 0 to 2 and the JDK's {@code java.management}.
 *
 * <p>Holds nothing yet.
 */
package io.weir.jmx;
