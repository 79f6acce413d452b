/**
 * Pictures that need no script, inside the page or in files of their own.
 *
 * <p>{@link io.weir.report.svg.RunPicture} is where to begin.
 */
package io.weir.report.svg;
