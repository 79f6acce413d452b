package io.weir.store;

import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.pages.NothingWanted;
import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/**
 * Lucene's own conformance kit on the wrapper with the machine's own kernel, the smallest ranges,
 * written pages dropped, and every write a merge's.
 */
public class WritebackConformanceTest extends BaseDirectoryTestCase {

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    // The kit's own file systems over the machine's are not what a native call can open.
    Path machinePath = FilterPath.unwrap(path);
    Directory files = FSDirectory.open(machinePath);
    WritebackOptions options = new WritebackOptions(65536, 1);
    WritebackMedium medium =
        WritebackMedium.of(machinePath, "any", options, ForeignLinuxCalls::get);
    return new EveryWriteIsAMerges(
        new WritebackDirectory(
            files,
            options,
            medium,
            new Disk.UnstartedFiles(65536),
            directory -> file -> Optional.of(new NothingWanted()),
            NanoClock.SYSTEM));
  }
}
