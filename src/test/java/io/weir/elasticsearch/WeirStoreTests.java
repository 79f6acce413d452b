package io.weir.elasticsearch;

import io.weir.engine.EngineNode;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.store.EsBaseDirectoryTestCase;
import org.elasticsearch.index.store.FsDirectoryFactory;
import org.elasticsearch.test.IndexSettingsModule;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/**
 * Lucene's conformance kit for directories, in Elasticsearch's framework, on Weir's layers above
 * the engine's directory. {@link ElasticsearchFrameworkTest} runs it; its name is one that Surefire
 * does not look for.
 */
public class WeirStoreTests extends EsBaseDirectoryTestCase {

  private static final int BYTES = 100_000;

  /** Elasticsearch asserts that it knows the extension of a file, unless this property is true. */
  private static final String ANY_EXTENSION = "es.allow_unknown_lucene_file_extensions";

  private final EngineNode node =
      new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(500), Optional.empty());

  /** The kit writes {@code temp.bin}. Weir opens small ones, and the engine opens large ones. */
  @BeforeClass
  public static void allowAnyExtension() {
    System.setProperty(ANY_EXTENSION, "true");
  }

  @AfterClass
  public static void restoreExtensions() {
    System.clearProperty(ANY_EXTENSION);
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return node.directory(Stock.directory(path));
  }

  /**
   * The kit expects that only an {@code MMapDirectory} maps files. Elasticsearch's default
   * directory maps most files and is none, so it fails this test of the kit too.
   */
  @Override
  public void testIsLoaded() throws IOException {
    assertLoadedIsKnownAsInStock(0);
  }

  /** Likewise. */
  @Override
  public void testIsLoadedOnSlice() throws IOException {
    assertLoadedIsKnownAsInStock(1 + random().nextInt(1024));
  }

  private void assertLoadedIsKnownAsInStock(int offset) throws IOException {
    Path path = createTempDir();
    String name = "_0.doc";
    try (Directory weir = getDirectory(path);
        Directory stock = Stock.directory(path)) {
      try (IndexOutput output = weir.createOutput(name, IOContext.DEFAULT)) {
        output.writeBytes(new byte[BYTES], BYTES);
      }
      try (IndexInput ours = weir.openInput(name, IOContext.DEFAULT);
          IndexInput theirs = stock.openInput(name, IOContext.DEFAULT)) {
        assertEquals(
            theirs.slice("s", offset, BYTES - offset).isLoaded().isPresent(),
            ours.slice("s", offset, BYTES - offset).isLoaded().isPresent());
      }
    }
  }

  /** The engine's own directory; what makes one is visible to its subclasses only. */
  static final class Stock extends FsDirectoryFactory {

    static Directory directory(Path path) throws IOException {
      return new Stock()
          .newFSDirectory(
              path,
              FSLockFactory.getDefault(),
              IndexSettingsModule.newIndexSettings("index", Settings.EMPTY));
    }
  }
}
