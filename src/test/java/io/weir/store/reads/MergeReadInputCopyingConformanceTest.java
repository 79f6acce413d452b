package io.weir.store.reads;

import java.util.Optional;
import org.apache.lucene.store.IndexInput;

/** The same, with every file read as a merge copies from it. */
public class MergeReadInputCopyingConformanceTest extends MergeReadInputConformanceTest {

  @Override
  IndexInput asMerged(IndexInput input, MergedFile file) {
    return MergeReadInput.copying(input, file, null, null, Optional.empty());
  }
}
