package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The locale of cron jobs and containers. Its names are ASCII, and since JDK 18 Java then loses
 * every other name.
 *
 * <p>All names are in a script, because the JVM of this test may have that locale itself.
 */
@Slow("starts the command line, which starts a JVM for each arm")
@EnabledOnOs(OS.LINUX)
class CommandPosixLocaleTest {

  private static final String DIRECTORY = "mkdir données-測試 && cd données-測試 || exit 99\n";

  @TempDir Path temp;

  @Test
  void script_namesThatAreNotAscii_runsAsElsewhere() throws Exception {
    WeirProcess.Ended ended =
        inTheCLocale(
            DIRECTORY
                + """
                mkdir textes-測
                for i in 1 2 3; do echo "texte $i à lire" >textes-測/é$i.txt; done
                bin/weir stress --docs=textes-測 --index=índice-測 --out=résultat-測 \\
                  --arm='brás 測: preset=stock' --merge=natural --warmup=100ms --before=200ms --after=100ms \\
                  || exit
                [ -e índice-測/segments_1 ] || exit 98
                grep -q '"name" : "brás 測"' résultat-測/run.json || exit 97
                grep -q '"queries.kind" : "terms"' résultat-測/run.json || exit 96
                """
                    .replace("bin/weir", "'" + commandLine().resolve("bin/weir") + "'"));
    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(ended.out().contains("brás 測"), ended.toString());
    assertTrue(ended.err().contains("résultat-測/report.html"), ended.toString());
  }

  @Test
  void java_workingDirectoryThatIsNotAscii_saysWhatToSet() throws Exception {
    WeirProcess.Ended ended =
        inTheCLocale(DIRECTORY + WeirProcess.words() + " stress --docs=synthetic:100 --dry-run");
    assertRefused("the working directory is ", ended);
  }

  @Test
  void java_argumentThatIsNotAscii_saysWhatToSet() throws Exception {
    for (String option : List.of("--docs=données", "--out=données", "'--arm=données: cap=off'")) {
      WeirProcess.Ended ended = inTheCLocale(WeirProcess.words() + " stress --dry-run " + option);
      assertRefused("an argument is " + option.replaceAll("'|données.*", ""), ended);
    }
  }

  @Test
  void java_help_isShownInEveryDirectory() throws Exception {
    WeirProcess.Ended ended = inTheCLocale(DIRECTORY + WeirProcess.words() + " stress --help");
    assertEquals(0, ended.exitCode(), ended.toString());
  }

  private static void assertRefused(String what, WeirProcess.Ended ended) {
    assertEquals(2, ended.exitCode(), ended.toString());
    String line = ended.err().lines().findFirst().orElse("");
    assertTrue(
        line.startsWith(
            "weir: names must be text in this JVM's encoding of names, ANSI_X3.4-1968: " + what),
        ended.toString());
    assertTrue(line.endsWith(": set LC_ALL=C.UTF-8 or another UTF-8 locale"), ended.toString());
    assertEquals(2, ended.err().lines().count(), ended.toString());
  }

  /** What the zip holds: the scripts, and one jar that names all others. */
  private Path commandLine() throws IOException {
    Path home = temp.resolve("weir-cli");
    for (String file : List.of("bin/weir", "lib/find-jdk")) {
      Path from = Path.of(file.startsWith("lib") ? "tools/find-jdk" : "src/main/dist/bin/weir");
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(from, home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toUri())
                .map(URI::toString)
                .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(home.resolve("lib/all.jar")), manifest).close();
    return home;
  }

  private WeirProcess.Ended inTheCLocale(String script) throws Exception {
    return WeirProcess.runScript(
        Files.createDirectories(temp.resolve("caller")),
        List.of(),
        Map.of("LC_ALL", "C", "JAVA_HOME", System.getProperty("java.home")),
        script);
  }
}
