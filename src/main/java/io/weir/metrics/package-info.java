/**
 * Micrometer binders: ring 3, may use rings 0 to 2 and Micrometer.
 *
 * <p>Holds nothing yet.
 */
package io.weir.metrics;
