/**
 * What a measured figure is: {@link io.weir.figure.Figure} is its name for users, its unit, its
 * kind and one sentence. {@link io.weir.figure.SourceFigures} are those of a running source, such
 * as a budget: each is declared there once, with what reads it, and {@link io.weir.figure.Shown}
 * says where such figures appear.
 */
package io.weir.figure;
