package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.run.RunJson;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexFileNames;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code weir why} of JVMs of other versions, of other users and in a namespace of their own. */
@EnabledOnOs(OS.LINUX)
@Slow("starts JVMs, and looks at them for seconds")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WhyTargetsTest {

  private static final Path INSTALLED = Path.of("/usr/lib/jvm");
  private static final String USER = "nobody";
  private static final String OTHER_USER = "daemon";
  private static final int LEAST_JAVA = 17;

  @TempDir Path temp;
  private final TargetJvms targets = new TargetJvms();

  @AfterEach
  void end() throws InterruptedException {
    targets.close();
  }

  /** One of each version; of Java 17 or newer, since older ones lack settings of a recording. */
  static Stream<Path> javas() throws IOException {
    TreeMap<Integer, Path> javas = new TreeMap<>();
    try (Stream<Path> all = Files.isDirectory(INSTALLED) ? Files.list(INSTALLED) : Stream.of()) {
      for (Path home : (Iterable<Path>) all::iterator) {
        Path release = home.resolve("release");
        if (Files.isReadable(release) && Files.isExecutable(home.resolve("bin/java"))) {
          javas.put(version(release), home.resolve("bin/java"));
        }
      }
    }
    javas.put(Runtime.version().feature(), TargetJvms.OWN_JAVA);
    return javas.tailMap(LEAST_JAVA).values().stream();
  }

  private static int version(Path release) throws IOException {
    Properties properties = new Properties();
    try (var in = Files.newBufferedReader(release)) {
      properties.load(in);
    }
    return Runtime.Version.parse(properties.getProperty("JAVA_VERSION").replace("\"", ""))
        .feature();
  }

  @ParameterizedTest
  @MethodSource("javas")
  void why_ofEachInstalledJava_looksAndRecords(Path java) throws Exception {
    long pid = targets.waiting(java, temp);

    assertLookedAndRecorded(
        WeirProcess.run(temp, "why", pid + "", "--for", "6s", "--record", "--json"));
  }

  private static void assertLookedAndRecorded(WeirProcess.Ended ended) throws Exception {
    assertEquals(0, ended.exitCode(), ended.toString());
    JsonNode json = RunJson.parse(ended.out());
    assertTrue(json.at("/facts/stacks/value").asInt() > 0, ended.toString());
    assertTrue(json.get("facts").has("safepoint.wait"), ended.toString());
    assertTrue(json.at("/facts/gc.pause.longest/value").asDouble() > 0, ended.toString());
    assertTrue(json.get("cost").toString().contains("is deleted"), ended.toString());
  }

  private long ofAnotherUser() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "root alone may start it");
    assumeTrue(canRun(as(USER, "true")), "setpriv, and the users " + USER + " and " + OTHER_USER);
    assumeTrue(canRun(as(USER, TargetJvms.OWN_JAVA + "", "-version")), "a Java for all users");
    assumeTrue(canRun(as(OTHER_USER, "true")), "the user " + OTHER_USER);
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = TargetJvms.waitingCommand(TargetJvms.OWN_JAVA, temp);
    return targets.start(as(USER, command.toArray(String[]::new))).pid();
  }

  private static List<String> as(String user, String... command) {
    List<String> all =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + user, "--regid=nogroup", "--clear-groups", "--"));
    all.addAll(List.of(command));
    return all;
  }

  private static boolean canRun(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** The command with all that it needs where every user may read it. */
  private WeirProcess.Ended weirAs(String user, String... arguments) throws Exception {
    Path here = Files.createDirectories(temp.resolve("weir"));
    List<String> classPath = new ArrayList<>();
    for (Class<?> type :
        List.of(
            WhyMain.class,
            CommandLine.class,
            ObjectMapper.class,
            JsonParser.class,
            JsonProperty.class,
            IndexFileNames.class)) {
      Path from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path to = here.resolve("part-" + classPath.size());
      assertTrue(canRun(List.of("cp", "-R", from.toString(), to.toString())), from.toString());
      classPath.add(to.toString());
    }
    assertTrue(canRun(List.of("chmod", "-R", "a+rX", here.toString())));
    List<String> command =
        new ArrayList<>(
            as(
                user,
                TargetJvms.OWN_JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(":", classPath),
                WhyMain.class.getName()));
    command.addAll(List.of(arguments));
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .directory(here.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running");
    return new WeirProcess.Ended(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void why_asRoot_ofAnotherUsersJvm_looksAndRecords() throws Exception {
    long pid = ofAnotherUser();

    assertLookedAndRecorded(
        WeirProcess.run(temp, "why", pid + "", "--for", "6s", "--record", "--json"));
  }

  @Test
  void why_asItsUser_looksAndRecords() throws Exception {
    long pid = ofAnotherUser();

    assertLookedAndRecorded(weirAs(USER, pid + "", "--for", "6s", "--record", "--json"));
  }

  @Test
  void why_asAThirdUser_isRefusedWithTheCommandThatIsAllowed() throws Exception {
    long pid = ofAnotherUser();

    WeirProcess.Ended ended = weirAs(OTHER_USER, pid + "", "--for", "6s");

    assertEquals(ExitCode.USAGE, ended.exitCode(), ended.toString());
    assertTrue(
        ended
            .err()
            .contains("its own user or root only: sudo -u %s weir why %d".formatted(USER, pid)),
        ended.toString());
  }

  /** Its number, the numbers of its threads and its {@code /tmp} are others than here. */
  @Test
  void why_ofAJvmInItsOwnNamespaces_looksAndRecords_andLeavesNoFileThere() throws Exception {
    List<String> apart =
        List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--mount", "--");
    List<String> nothing = new ArrayList<>(apart);
    nothing.add("true");
    assumeTrue(canRun(nothing), "namespaces may be made");
    String classPath = System.getProperty("java.class.path");
    assumeTrue(Stream.of(classPath.split(":")).noneMatch(one -> one.startsWith("/tmp/")), "/tmp");
    List<String> command = new ArrayList<>(apart);
    command.addAll(List.of("sh", "-c", "mount -t tmpfs none /tmp && exec \"$@\"", "sh"));
    command.addAll(
        List.of(
            TargetJvms.OWN_JAVA.toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            "io.weir.why.SickApplication",
            "WARMING",
            "/tmp/index"));
    long pid = targets.start(command).children().findFirst().orElseThrow().pid();

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "why", pid + "", "--for", "10s", "--record", "--json");

    assertLookedAndRecorded(ended);
    JsonNode facts = RunJson.parse(ended.out()).get("facts");
    assertTrue(facts.at("/index.size/value").asDouble() > 0, "of its /tmp: " + ended);
    assertTrue(facts.has("cpu.wait"), "of its threads: " + ended);
    try (Stream<Path> left = Files.list(Path.of("/proc", pid + "", "root/tmp"))) {
      assertEquals(List.of(), left.filter(file -> file.toString().contains("weir-why-")).toList());
    }
  }
}
