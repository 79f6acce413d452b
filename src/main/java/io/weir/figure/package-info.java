/**
 * What a measured figure is: {@link io.weir.figure.Figure} is its name for users, its unit, its
 * kind and one sentence, {@link io.weir.figure.FigureBy} a figure for each constant of an enum, and
 * {@link io.weir.figure.FigureSet} all figures that one source has. Values are kept elsewhere.
 */
package io.weir.figure;
