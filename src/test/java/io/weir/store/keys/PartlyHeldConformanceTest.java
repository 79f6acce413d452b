package io.weir.store.keys;

import io.weir.lucene.FileRange;
import java.util.List;

/** The same with files of which two parts are in memory. */
public class PartlyHeldConformanceTest extends ResidentConformanceTest {

  @Override
  DictionaryFiles.Parts parts(long length) {
    long quarter = length / 4;
    long next = Math.min(length, 2 * quarter + 7);
    return () ->
        List.of(
            new FileRange(quarter, 2 * quarter),
            new FileRange(next, Math.max(next, length - quarter / 2)));
  }
}
