package io.weir.stress.result;

import java.util.List;

/**
 * How an arm's JVM ended when it did not end well.
 *
 * @param reason one sentence
 * @param exitCode of the JVM; null when it was never started
 * @param lastLines the last lines it wrote to its standard error
 */
public record ArmFailure(String reason, Integer exitCode, List<String> lastLines) {}
