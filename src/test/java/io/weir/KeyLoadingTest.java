package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.ResidentKeys;
import io.weir.suite.ChildJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A dictionary of 17 MiB, a heap of 256 MiB with a churning cache, a slow disk. Garbage once
 * counted as used: ZGC read the dictionary again each second, 27 times in a minute, and never held
 * it.
 */
@Slow("starts a JVM for each collector")
@Timeout(60)
class KeyLoadingTest {

  private static final int DOCUMENTS = 140_000;
  private static final int KEY_BYTES = 128;
  private static final long DICTIONARY_BYTES = 17L << 20;
  private static final String PATIENCE_SECONDS = "20";

  private static final Pattern ANSWER =
      Pattern.compile("(\\d+) files held, (\\d+) bytes read, \\d+ documents");

  @TempDir static Path index;

  @BeforeAll
  static void build() throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(false);
    config.getMergePolicy().setNoCFSRatio(0);
    config.setRAMBufferSizeMB(256);
    Random random = new Random(1);
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, config.setCodec(ResidentKeys.of("id").codec()))) {
      byte[] key = new byte[KEY_BYTES];
      for (int i = 0; i < DOCUMENTS; i++) {
        random.nextBytes(key);
        Document document = new Document();
        document.add(new StringField("id", new BytesRef(key.clone()), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"G1", "Z"})
  void dictionary_withAChurningCache_isReadOnceAndHeld(String collector) throws Exception {
    assertHeld(run("churn", "-XX:+Use" + collector + "GC"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "Shenandoah"})
  @LongRun("the collectors that dictionary_withAChurningCache_isReadOnceAndHeld leaves out")
  void dictionary_withAChurningCacheAndAnotherCollector_isReadOnceAndHeld(String collector)
      throws Exception {
    assertHeld(run("churn", "-XX:+Use" + collector + "GC"));
  }

  /** The JVM, as set here, reclaims what was not used since the collection before the last. */
  @Test
  void dictionary_thatIsIdle_isNotReclaimed() throws Exception {
    assertHeld(run("idle", "-XX:+UseSerialGC", "-XX:SoftRefLRUPolicyMSPerMB=0"));
  }

  private static void assertHeld(String log) throws IOException {
    Matcher answer = ANSWER.matcher(log);
    assertTrue(answer.find(), log);
    long bytes = dictionaryBytes();
    assertTrue(bytes > DICTIONARY_BYTES, "dictionary of " + bytes);
    assertEquals(2, Integer.parseInt(answer.group(1)), log);
    assertTrue(Long.parseLong(answer.group(2)) < 2 * bytes, log);
  }

  private static String run(String mode, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            ChildJvm.command(
                System.getProperty("java.class.path"),
                KeyLoading.class,
                mode,
                index.toString(),
                PATIENCE_SECONDS));
    command.remove("-XX:+UseSerialGC");
    command.addAll(1, List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static long dictionaryBytes() throws IOException {
    long bytes = 0;
    try (Directory directory = FSDirectory.open(index)) {
      for (String name : directory.listAll()) {
        bytes += name.matches(".*[.](tim|tip)") ? Files.size(index.resolve(name)) : 0;
      }
    }
    return bytes;
  }
}
