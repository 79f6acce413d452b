package io.weir.indexing.cell;

import io.weir.indexing.plan.CellKey;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSettings;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a cell's JVM is to do; a {@link io.weir.run.Part} answers it.
 *
 * @param sourceBytes how much text to keep in memory
 * @param duration how long to index at least
 * @param leastFlushes flushes that must have happened before the cell ends in time
 * @param index an empty directory for the index
 * @param series the file for samples
 */
public record CellTask(
    CellKey cell,
    int round,
    ArmSettings settings,
    Documents documents,
    long sourceBytes,
    Duration duration,
    int leastFlushes,
    Path index,
    Path series) {}
