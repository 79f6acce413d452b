package io.weir.stress.result;

import java.util.List;
import java.util.Optional;

/**
 * Why an arm has no figures.
 *
 * @param reason one sentence
 * @param exitCode of the arm's JVM; empty when it was never started, or refused to begin
 * @param lastLines the last lines it wrote to its standard error
 */
public record ArmFailure(String reason, Optional<Integer> exitCode, List<String> lastLines) {}
