/**
 * How often {@code weir stress} tells two arms to differ that do not. The same experiment is
 * repeated with two equal arms, and its verdicts are counted.
 */
package io.weir.benchmark.falsealarms;
