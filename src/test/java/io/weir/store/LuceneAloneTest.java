package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What we write, in a JVM that has lucene-core and nothing of ours on its class path. */
@Slow("starts a JVM")
@Timeout(120)
class LuceneAloneTest {

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void indexWithResidentKeys_isReadUpdatedAndMergedWithoutWeir(boolean compound) throws Exception {
    Path index = temp.resolve("index");
    try (ResidentDirectory directory = new ResidentDirectory(FSDirectory.open(index), KEYS)) {
      KeyedIndex.build(directory, KeyedIndex.config(compound, KEYS), 3, 300);
    }
    String said = run(index, KeyedIndex.term(7).text());
    assertTrue(said.startsWith("exit code 0"), said);
    // And back: what Lucene alone wrote becomes resident with our next merge.
    try (ResidentDirectory directory = new ResidentDirectory(FSDirectory.open(index), KEYS)) {
      try (IndexWriter writer = new IndexWriter(directory, KeyedIndex.config(compound, KEYS))) {
        KeyedIndex.update(writer, 7, "third");
        writer.forceMerge(1);
      }
      KeyedIndex.assertClean(directory, 900);
      assertEquals(0, directory.snapshot().faults());
    }
  }

  /** That the program can fail. */
  @Test
  void aKeyThatIsNotThere_isTold() throws Exception {
    Path index = temp.resolve("index");
    try (Directory directory = FSDirectory.open(index)) {
      KeyedIndex.build(directory, KeyedIndex.config(false, KEYS), 1, 5);
    }
    String said = run(index, "nobody");
    assertTrue(said.startsWith("exit code 1"), said);
    assertTrue(said.contains("not clean, or found 0 of id:nobody"), said);
  }

  /** The exit code and what it said. */
  private String run(Path index, String key) throws IOException, InterruptedException {
    Path classes = temp.resolve("classes");
    Path program = classes.resolve(LuceneAlone.class.getName().replace('.', '/') + ".class");
    Files.createDirectories(program.getParent());
    try (InputStream compiled = LuceneAlone.class.getResourceAsStream("LuceneAlone.class")) {
      Files.write(program, compiled.readAllBytes());
    }
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-cp",
                    classes + System.getProperty("path.separator") + luceneCore(),
                    LuceneAlone.class.getName(),
                    index.toString(),
                    KeyedIndex.KEY,
                    key))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor(60, TimeUnit.SECONDS);
    return "exit code " + process.exitValue() + ": " + said;
  }

  private static Path luceneCore() throws IOException {
    try {
      return Path.of(IndexWriter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
