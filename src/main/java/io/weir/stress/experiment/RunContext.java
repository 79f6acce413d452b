package io.weir.stress.experiment;

import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import java.util.function.Consumer;

/**
 * What an {@link IndexSource} needs of its run.
 *
 * @param warnings hears what a reader of the result must know
 */
record RunContext(
    Workers workers, RunFiles files, ExperimentListener listener, Consumer<RunWarning> warnings) {}
