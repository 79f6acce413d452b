package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.suite.Slow;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an application inherits that depends on Weir alone, as Maven sees it. */
@Slow("starts Maven")
@Timeout(120)
class DependencyTreeTest {

  private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0";

  private static final String BOTH =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>example</groupId>
        <artifactId>both</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        <modules>
          <module>weir</module>
          <module>application</module>
        </modules>
      </project>
      """;

  private static final String APPLICATION =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>example</groupId>
        <artifactId>application</artifactId>
        <version>1</version>
        <dependencies>
          <dependency>
            <groupId>io.weir</groupId>
            <artifactId>weir</artifactId>
            <version>0.1.0</version>
          </dependency>
        </dependencies>
      </project>
      """;

  @TempDir Path temp;

  @Test
  void anApplicationThatDependsOnWeirAlone_inheritsLuceneAndNothingElse() throws Exception {
    write("pom.xml", BOTH);
    write("application/pom.xml", APPLICATION);
    write("weir/pom.xml", Files.readString(Path.of("pom.xml")));
    Path tree = temp.resolve("tree.txt");
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-o", "-q"));
    String repository = System.getProperty("localRepository"); // as the build that runs this has it
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(
        List.of(
            "-f",
            temp.resolve("pom.xml").toString(),
            PLUGIN + ":tree",
            "-DoutputFile=" + tree,
            "-DappendOutput=true"));
    ProcessBuilder maven =
        new ProcessBuilder(command).redirectErrorStream(true).directory(temp.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Assumptions.assumeTrue(onPath("mvn"), "no mvn on PATH");

    Process process = maven.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);

    List<String> lines = Files.readAllLines(tree);
    int root = lines.indexOf("example:application:jar:1");
    List<String> application = lines.subList(root, lines.indexOf("example:both:pom:1"));
    assertEquals(
        List.of(
            "example:application:jar:1",
            "\\- io.weir:weir:jar:0.1.0:compile",
            "   \\- org.apache.lucene:lucene-core:jar:VERSION:compile"),
        application.stream()
            .map(line -> line.replaceFirst("(lucene-core:jar:)[0-9.]+", "$1VERSION"))
            .toList());
  }

  private void write(String name, String text) throws Exception {
    Path file = temp.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static boolean onPath(String program) {
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }
}
