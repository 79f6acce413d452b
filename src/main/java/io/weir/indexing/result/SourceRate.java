package io.weir.indexing.result;

/**
 * How fast the documents of a cell come with nothing behind them: the same threads draw documents
 * and build Lucene's, which no writer takes.
 *
 * @param documents how many different texts there are in memory
 * @param textBytes of all of them together
 * @param documentsPerSecond of all threads
 * @param gigabytesPerHour of text, likewise
 */
public record SourceRate(
    long documents, long textBytes, double documentsPerSecond, double gigabytesPerHour) {}
