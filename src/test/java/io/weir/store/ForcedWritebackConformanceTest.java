package io.weir.store;

import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/**
 * Lucene's own conformance kit on the wrapper, as on a Java or a system without the native call.
 */
public class ForcedWritebackConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    WritebackOptions options = WritebackOptions.DEFAULT;
    return new EveryWriteIsAMerges(
        new WritebackDirectory(
            FSDirectory.open(path),
            options,
            forced(path, options),
            new Disk.UnstartedFiles(0),
            NanoClock.SYSTEM));
  }

  private static WritebackMedium forced(Path path, WritebackOptions options) {
    return WritebackMedium.of(
        path,
        "any",
        options,
        () -> {
          throw new UnsupportedOperationException("as before Java 22");
        });
  }
}
