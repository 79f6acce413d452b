package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The mounts of a process of its own: mounts that hide others, a locale without the names. */
@Slow("starts a shell and a JVM for each test")
@EnabledOnOs(OS.LINUX)
class MountOfPathTest {

  @TempDir Path temp;

  /** Leaves a line on each entry of a directory and its file system. */
  public static void main(String[] arguments) throws IOException {
    Procfs procfs = new Procfs(Path.of(arguments[1]));
    List<String> lines = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(arguments[0]))) {
      for (Path entry : entries) {
        Mount mount = procfs.mountOf(entry.toRealPath()).orElseThrow();
        lines.add(entry.getFileName() + " is on " + mount.source());
      }
    }
    Files.write(Path.of("out"), lines);
  }

  @Test
  void mountOf_mountsThatHideOthers_isTheOneInUse() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
        "SKIPPED: this user may not mount");
    assertEquals(
        List.of("a is on outer", "index is on inner", "two is on upper"),
        run(
                "unshare -m bash -c '",
                """
                mkdir -p m/index m/a m/two && mount -t tmpfs hidden m/index && mount -t tmpfs outer m || exit
                mkdir m/index m/two m/a && mount -t tmpfs inner m/index || exit
                mount -t tmpfs lower m/two && mount -t tmpfs upper m/two && %s m /
                """,
                "'")
            .stream()
            .sorted()
            .toList());
  }

  @Test
  void mountOf_aNameThatTheLocaleCannotSay_isFound() throws Exception {
    Path fake = Files.createDirectories(temp.resolve("fake/proc/self"));
    Path real = temp.toRealPath();
    Files.writeString(
        fake.resolve("mountinfo"),
        "1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / %s/d/donn\u00e9es rw - ext4 b rw\n".formatted(real));
    List<String> found = run("", "mkdir -p d/donn\u00e9es && LC_ALL=C %s d fake", "");
    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).endsWith(" is on b"), found.toString());
  }

  private List<String> run(String before, String script, String after) throws Exception {
    String java =
        "\"%s/bin/java\" -cp \"%s\" %s"
            .formatted(
                System.getProperty("java.home"),
                String.join(":", absolute(System.getProperty("java.class.path"))),
                MountOfPathTest.class.getName());
    Path file = temp.resolve("script");
    Files.writeString(file, before + script.formatted(java) + after);
    Path log = temp.resolve("log");
    Process process =
        new ProcessBuilder("bash", file.toString())
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still runs");
    assertEquals(0, process.exitValue(), Files.readString(log));
    return Files.readAllLines(temp.resolve("out"));
  }

  private static List<String> absolute(String classPath) {
    return List.of(classPath.split(":")).stream()
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .toList();
  }
}
