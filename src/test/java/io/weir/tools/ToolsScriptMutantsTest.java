package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tools/mutants} asks for and how it counts; with a fake Maven. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptMutantsTest {

  /** Leaves a report, and notes what it was asked for. */
  private static final String MAVEN =
      """
      echo "$*" >>maven-calls
      for argument; do
        case $argument in
          -DreportsDirectory=*)
            report=${argument#*=}
            mkdir -p "$report"
            m=org.pitest.mutationtest.engine.gregor.mutators
            {
              echo "A.java,io.weir.rate.A,$m.MathMutator,sum,12,KILLED,io.weir.rate.ATest"
              echo "A.java,io.weir.rate.A,$m.MathMutator,sum,13,SURVIVED,none"
              echo "A.java,io.weir.rate.A,$m.MathMutator,sum,14,SURVIVED,none"
              echo "A.java,io.weir.rate.A,$m.returns.NullReturnValsMutator,get,20,NO_COVERAGE,none"
              echo "A.java,io.weir.rate.A,$m.MathMutator,loop,30,TIMED_OUT,none"
            } >"$report/mutations.csv" ;;
        esac
      done
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("mvn", MAVEN);
    sandbox.putJdk("jdk", "21");
    Optional<Path> nice = ScriptSandbox.findOnMachine("nice");
    assumeTrue(nice.isPresent(), "no nice here");
    sandbox.linkOnPath("nice", nice.get());
    Files.createDirectories(sandbox.checkout.resolve("src/main/java/io/weir/rate"));
    Path equivalent = sandbox.checkout.resolve("src/test/mutants/equivalent.txt");
    Files.createDirectories(equivalent.getParent());
    Files.writeString(equivalent, "# a comment\nio.weir.rate.A.sum Math 1 adds nothing\n");
  }

  @Test
  void room_isALineOfTheTable_andItsSurvivorsAreNamed() throws Exception {
    Result result = mutants("rate");
    assertEquals(0, result.exitCode(), () -> "" + result.err());
    assertEquals(
        List.of(
            "room           mutants  killed  survived  not covered  timed out  equivalent",
            "rate                 5       1         1            1          1           1"),
        result.out().subList(0, 2));
    assertEquals(
        List.of("io.weir.rate.A.sum:14 Math", "io.weir.rate.A.get:20 NullReturnVals, not covered"),
        sandbox.linesOf("target/mutants/survivors.txt"));
  }

  @Test
  void classes_ofARoom_areMutatedTogether_withTheTestsOfTheRoom() throws Exception {
    assertEquals(0, mutants("rate.A*", "rate.B").exitCode());
    String asked = sandbox.linesOf("maven-calls").getLast();
    assertTrue(asked.contains("-DtargetClasses=io.weir.rate.A*,io.weir.rate.B "), asked);
    assertTrue(asked.contains("-DtargetTests=io.weir.rate.* "), asked);
  }

  @Test
  void tests_thatAreNamed_areThoseOfTheRoom() throws Exception {
    assertEquals(0, mutants("--tests", "A*,BTest", "rate.A").exitCode());
    String asked = sandbox.linesOf("maven-calls").getLast();
    assertTrue(asked.contains("-DtargetTests=io.weir.rate.A*,io.weir.rate.BTest "), asked);
    assertEquals(2, mutants("--tests", "A*").exitCode());
  }

  @Test
  void wrongArguments_areRefused() throws Exception {
    assertEquals(
        new Result(2, List.of(), List.of("weir: there is no package io.weir.rats")),
        mutants("rats"));
    assertEquals(2, mutants("--fast").exitCode());
    Result help = mutants("--help");
    assertEquals(0, help.exitCode());
    assertEquals("Usage: tools/mutants [--tests CLASSES] [ROOM[.CLASS]...]", help.out().getFirst());
    assertEquals(List.of(), sandbox.linesOf("maven-calls"));
  }

  private Result mutants(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = sandbox.script("tools/mutants");
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return sandbox.run(command);
  }
}
