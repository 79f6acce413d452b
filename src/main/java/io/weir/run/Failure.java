package io.weir.run;

import java.util.List;
import java.util.Optional;

/**
 * Why a part of a run failed.
 *
 * @param reason one sentence
 * @param exitCode of its JVM; empty when it was never started, or refused to begin
 * @param lastLines the last lines it wrote to its standard error
 */
public record Failure(String reason, Optional<Integer> exitCode, List<String> lastLines) {}
