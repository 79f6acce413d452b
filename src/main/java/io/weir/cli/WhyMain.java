package io.weir.cli;

import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** {@code weir why} alone, for a server on which one copies one file: {@code weir-why.jar}. */
public final class WhyMain {

  private static final String NAME = "java -jar weir-why.jar";

  private WhyMain() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    CommandLine why = new CommandLine(new WhyCommand()).setCommandName(NAME);
    CommandSpec spec = new CommandHelp().transform(why.getCommandSpec());
    UsageMessageSpec usage = spec.usageMessage();
    usage.footer(
        Arrays.stream(usage.footer())
            .map(line -> line.replace("weir why", NAME))
            .toArray(String[]::new));
    new Program(why).main(arguments);
  }
}
