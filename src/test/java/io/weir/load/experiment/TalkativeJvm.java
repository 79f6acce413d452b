package io.weir.load.experiment;

import io.weir.suite.ChildJvm;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers once, then prints more than a pipe holds, and leaves a file when it has. */
final class TalkativeJvm {

  private static final int LINES = 10_000;

  private TalkativeJvm() {}

  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    PrintStream output = ChildJvm.output();
    output.println("{\"answer\":\"ready\",\"port\":7}");
    for (int i = 0; i < LINES; i++) {
      output.println(
          "[0.042s][info][gc] a line of about 100 characters, as a collector logs it " + i);
    }
    Files.createFile(Path.of(arguments[0]));
  }
}
