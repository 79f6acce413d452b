/**
 * Sentences about a run, and how its figures are spelled. The page, the terminal and the pictures
 * say the same words.
 *
 * <p>{@link io.weir.report.words.Headline} is where to begin.
 */
package io.weir.report.words;
