package io.weir.opensearch;

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
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.store.FsDirectoryFactory;
import org.opensearch.index.store.OpenSearchBaseDirectoryTestCase;
import org.opensearch.test.IndexSettingsModule;

/**
 * Lucene's conformance kit for directories, in OpenSearch's framework, on the store type {@code
 * weir}. {@link OpenSearchFrameworkTest} runs it; its name is one that Surefire does not look for.
 */
public class WeirStoreTests extends OpenSearchBaseDirectoryTestCase {

  private static final int BYTES = 100_000;

  private final WeirStore store =
      new WeirStore(
          new EngineNode(
              Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(500), Optional.of(WeirStore.KEYS)));

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return store.newFSDirectory(path, FSLockFactory.getDefault(), settings("weir"));
  }

  /**
   * The kit expects that only an {@code MMapDirectory} maps files. OpenSearch's default directory
   * maps most files and is none, so it fails this test of the kit too.
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
        Directory stock =
            new FsDirectoryFactory()
                .newFSDirectory(path, FSLockFactory.getDefault(), settings("fs"))) {
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

  private static IndexSettings settings(String storeType) {
    return IndexSettingsModule.newIndexSettings(
        "index", Settings.builder().put("index.store.type", storeType).build());
  }
}
