package io.weir.stress.experiment;

import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunWarning;
import java.util.function.Consumer;

/**
 * What an {@link IndexSource} needs of its run.
 *
 * @param warnings hears what a reader of the result must know
 */
record RunContext(
    Workers workers, RunFiles files, ExperimentListener listener, Consumer<RunWarning> warnings) {}
