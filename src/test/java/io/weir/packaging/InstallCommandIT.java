package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command of the README that puts the library into a local repository of Maven. */
@Slow("starts Maven")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstallCommandIT {

  private static final Pattern COMMAND = Pattern.compile("(?m)^(mvn install:install-file .+)$");

  @TempDir Path temp;

  /** Maven 3.8 takes a version of the plugin that does not look for a POM in the jar. */
  @Test
  void readme_installCommand_putsTheLibraryAndItsPomThere() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mvn"))),
        "no mvn on PATH: whether the README's command installs the library is not tested");
    Matcher readme = COMMAND.matcher(Files.readString(Path.of("README.md")));
    assertTrue(readme.find(), "the README has the command");
    String packaged = "target/dist/weir-" + Artifact.VERSION;
    List<String> command =
        new ArrayList<>(
            List.of(
                readme
                    .group(1)
                    .replace(packaged + ".jar", Artifact.built("weir-", ".jar").toString())
                    .replace(packaged + ".pom", Artifact.pom("weir").toString())
                    .split(" ")));
    command.addAll(List.of("-B", "-q", "-DlocalRepositoryPath=" + temp));

    Process maven =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("said.txt").toFile())
            .start();
    assertTrue(maven.waitFor(150, TimeUnit.SECONDS), "still running");

    assertEquals(0, maven.exitValue(), Files.readString(temp.resolve("said.txt")));
    Path installed = temp.resolve("io/weir/weir").resolve(Artifact.VERSION);
    for (String end : List.of(".jar", ".pom")) {
      assertTrue(Files.exists(installed.resolve("weir-" + Artifact.VERSION + end)), end);
    }
  }
}
