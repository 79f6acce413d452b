package io.weir.indexing.run;

import io.weir.indexing.plan.Cell;
import java.time.Duration;
import java.util.List;

/**
 * What a run would do.
 *
 * @param documents where they come from
 * @param cells of a round
 * @param rounds of the whole matrix
 * @param least how long the cells index together
 * @param most likewise, if none flushes often enough in time
 * @param heap of a cell's JVM, as arguments; empty where arms say it themselves
 * @param freeBytes of the disk where indexes are written
 */
public record IndexingForecast(
    String documents,
    List<Cell> cells,
    int rounds,
    Duration least,
    Duration most,
    List<String> heap,
    long freeBytes) {}
