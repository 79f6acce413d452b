package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Distribution;
import io.weir.suite.IdleThreads;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An installation of OpenSearch: a copy of a {@link Distribution}. A root runs its programs as
 * {@code nobody}, because OpenSearch refuses to be root.
 */
final class OpenSearchHome {

  private final Path directory;
  private final Path home;
  private String initialPassword = "";

  private OpenSearchHome(Path directory, String name) {
    this.directory = directory;
    this.home = directory.resolve(name);
  }

  /**
   * An installation without plug-ins. Without a distribution the test is skipped.
   *
   * @param directory where it and its servers may write
   */
  static OpenSearchHome copiedTo(Path directory) throws Exception {
    return copiedTo(
        directory, "home", Distribution.of("opensearch"), Distribution.plugIn("opensearch"));
  }

  /** The same in a part of that directory, of a distribution, with a plug-in to install. */
  static OpenSearchHome copiedTo(Path directory, String name, Path distribution, Path plugIn)
      throws Exception {
    OpenSearchHome copy = new OpenSearchHome(directory, name);
    for (String needed : List.of("data", "logs", "repository", "tmp")) {
      Files.createDirectories(directory.resolve(needed));
    }
    copy.ended("cp", "-a", distribution.toString(), copy.home.toString());
    Files.copy(plugIn, copy.zip());
    Distribution.useWhatThisJavaHas(copy.home);
    if (isRoot()) {
      copy.ended("chown", "-R", "nobody:nogroup", directory.toString());
    }
    copy.makeKeystore();
    return copy;
  }

  /** Else each server makes it when it starts, which two of one installation cannot do at once. */
  private void makeKeystore() throws Exception {
    List<String> command = asUser("bin/opensearch-keystore");
    command.add("create");
    ended(command.toArray(String[]::new));
  }

  private Path zip() {
    return directory.resolve(home.getFileName() + ".zip");
  }

  /** Another installation, with the plug-ins that this one has now. */
  OpenSearchHome another(String name) throws Exception {
    OpenSearchHome other = new OpenSearchHome(directory, name);
    ended("cp", "-al", home.toString(), other.home.toString());
    ended("cp", "-al", zip().toString(), other.zip().toString());
    return other;
  }

  /** Installs the plug-in as an operator does; what the tool said. */
  String installWeir() throws Exception {
    return installWeirOf(this);
  }

  /** Installs the plug-in that was made for another installation. */
  String installWeirOf(OpenSearchHome other) throws Exception {
    return plugin("install", "--batch", "file://" + other.zip());
  }

  /**
   * Adds OpenSearch's own plug-in for telemetry. Maven Central has its jars and not its zip, so
   * this unpacks what the zip would hold.
   */
  void addTelemetry() throws Exception {
    Path plugin = Files.createDirectory(home.resolve("plugins/telemetry-otel"));
    Path jars = Distribution.of("opensearch-telemetry").resolve("lib");
    try (DirectoryStream<Path> needed =
        Files.newDirectoryStream(jars, "{telemetry-otel,opentelemetry,okhttp,okio,kotlin}-*.jar")) {
      for (Path jar : needed) {
        Files.copy(jar, plugin.resolve(jar.getFileName()));
      }
    }
    Files.writeString(
        plugin.resolve("plugin-descriptor.properties"),
        """
        name=telemetry-otel
        description=telemetry
        version=%1$s
        opensearch.version=%1$s
        java.version=21
        classname=org.opensearch.telemetry.OTelTelemetryPlugin
        """
            .formatted(Distribution.version("opensearch")));
    if (isRoot()) {
      ended("chown", "-R", "nobody", plugin.toString());
    }
  }

  /** Installs a plug-in of others as an operator does. */
  void installOther(String name, String version) throws Exception {
    Path zip = directory.resolve(name + ".zip"); // where the user of the server can read it
    Files.copy(Distribution.of(name, version).resolve(name + "-" + version + ".zip"), zip);
    plugin("install", "--batch", "file://" + zip);
  }

  /**
   * Adds a part of OpenSearch that its distribution of this version lacks, from that of another
   * one: as a plug-in that says it is of this version.
   */
  void addModule(String name, Path distribution, String version) throws Exception {
    Path plugin = home.resolve("plugins").resolve(name);
    ended("cp", "-r", distribution.resolve("modules").resolve(name).toString(), plugin.toString());
    Path descriptor = plugin.resolve("plugin-descriptor.properties");
    Files.writeString(
        descriptor,
        Files.readString(descriptor)
            .replaceAll("(?m)^(version|opensearch[.]version)=.*$", "$1=" + version));
    if (isRoot()) {
      ended("chown", "-R", "nobody:nogroup", plugin.toString());
    }
  }

  /** Makes the certificates, roles and users of the security plug-in's demonstration. */
  void configureSecurity(String adminPassword) throws Exception {
    List<String> command =
        asUser("plugins/opensearch-security/tools/install_demo_configuration.sh");
    command.add(command.size() - 1, "bash");
    command.addAll(List.of("-y", "-i", "-s"));
    initialPassword = adminPassword;
    ended(command.toArray(String[]::new));
  }

  /** Calls {@code bin/opensearch-plugin}; what it said. */
  String plugin(String... arguments) throws Exception {
    List<String> command = asUser("bin/opensearch-plugin");
    command.addAll(List.of(arguments));
    return ended(command.toArray(String[]::new));
  }

  /** Starts a server, with settings {@code name=value}. */
  Process start(String javaOptions, Path output, List<String> settings) throws IOException {
    List<String> command = asUser("bin/opensearch");
    for (String setting : settings) {
      command.add("-E" + setting);
    }
    ProcessBuilder builder = builder(output, command.toArray(String[]::new));
    builder.environment().put("OPENSEARCH_JAVA_OPTS", javaOptions);
    return builder.start();
  }

  /** Where it and its servers may write. */
  Path directory() {
    return directory;
  }

  /** Removes all files of it, of its servers and of other installations beside it. */
  void close() throws Exception {
    new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
  }

  private ProcessBuilder builder(Path output, String... command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().put("OPENSEARCH_JAVA_HOME", Distribution.javaHome());
    builder.environment().put("OPENSEARCH_TMPDIR", directory.resolve("tmp").toString());
    builder.environment().put("OPENSEARCH_INITIAL_ADMIN_PASSWORD", initialPassword);
    builder.environment().put("HOME", directory.resolve("tmp").toString());
    return builder;
  }

  private List<String> asUser(String program) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
      command.addAll(IdleThreads.permission());
    }
    command.add(home.resolve(program).toString());
    return command;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private String ended(String... command) throws Exception {
    Path output = Files.createTempFile("weir", ".output");
    try {
      Process process = builder(output, command).start();
      try {
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> "runs on: " + List.of(command));
      } finally {
        process.destroyForcibly();
      }
      String said = Files.readString(output);
      assertEquals(0, process.exitValue(), () -> List.of(command) + ": " + said);
      return said;
    } finally {
      Files.delete(output);
    }
  }
}
