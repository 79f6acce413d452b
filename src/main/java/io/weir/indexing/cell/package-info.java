/**
 * One cell, in its own JVM: {@link io.weir.indexing.cell.CellRun} is its entry and its story.
 *
 * <p>Documents come from memory ({@code MemoryDocuments}), {@code Feeders} give them to the writer
 * of a {@code CellIndex}, and {@code CellMeters} read counters into a {@code Sample} several times
 * a second. {@code WindowFigures} makes figures of any two samples.
 */
package io.weir.indexing.cell;
