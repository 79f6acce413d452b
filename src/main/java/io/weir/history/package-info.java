/**
 * Figures of runs over days: ring 5, behind {@code weir history}. It reads the document of any run,
 * and nothing else of its directory.
 *
 * <p>{@link io.weir.history.HistoryDirectory} keeps one small file for each run and each note.
 * {@link io.weir.history.RunReader} reads the numbers of a run, {@link
 * io.weir.history.ChangePoints} finds where they change beyond noise, {@link
 * io.weir.history.HistoryView} puts both together, and {@link io.weir.history.HistoryPage} shows
 * it.
 */
package io.weir.history;
