/**
 * Pictures that need no script, inside the page or in files of their own.
 *
 * <p>{@link io.weir.report.svg.SvgPainter} paints every chart; {@link
 * io.weir.report.svg.PictureFile} is a file of them.
 */
package io.weir.report.svg;
