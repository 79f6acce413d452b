/**
 * JMX: {@link io.weir.jmx.ByteBudgetBean} exposes a budget, with a cap that can be set.
 *
 * <p>Ring 3: may use rings 0 to 2.
 */
package io.weir.jmx;
