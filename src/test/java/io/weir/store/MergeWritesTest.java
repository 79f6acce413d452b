package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeWritesTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(10, 1000));

  /**
   * The whole decision, for a directory in which {@code _5} is being merged and {@code _7} is not.
   */
  @ParameterizedTest
  @CsvSource({
    // kind,  name,               context, charged
    "output,  _5.fdt,             MERGE,   true",
    "output,  _5_Lucene104_0.tim, MERGE,   true",
    "output,  _5.cfs,             MERGE,   true",
    "output,  _8.si,              MERGE,   true",
    "output,  _7.fdt,             FLUSH,   false",
    "output,  _7.fdt,             DEFAULT, false",
    "output,  _5_1.liv,           DEFAULT, false",
    "output,  _5_1_Lucene90_0.dvd,FLUSH,   false",
    "output,  pending_segments_3, DEFAULT, false",
    "temp,    _5,                 MERGE,   true",
    "temp,    _5,                 DEFAULT, true",
    "temp,    _5_Lucene99Hnsw_0.vec, DEFAULT, true",
    "temp,    _5,                 FLUSH,   false",
    "temp,    _7,                 DEFAULT, false",
    "temp,    _7,                 FLUSH,   false",
    "temp,    sorter,             DEFAULT, false",
    "copy,    _9.fdt,             MERGE,   true",
    "copy,    _9.fdt,             FLUSH,   true",
    "copy,    _9.fdt,             DEFAULT, false",
  })
  void includes_eachKindOfWrite_asTheTableSays(
      String kind, String name, String context, boolean charged) {
    MergeWrites writes = new MergeWrites();
    assertTrue(writes.includesOutput("_5.fdm", MERGE));
    IOContext ioContext =
        switch (context) {
          case "MERGE" -> MERGE;
          case "FLUSH" -> FLUSH;
          default -> IOContext.DEFAULT;
        };
    boolean included =
        switch (kind) {
          case "temp" -> writes.includesTempOutput(name, ioContext);
          case "copy" -> writes.includesCopy(ioContext);
          default -> writes.includesOutput(name, ioContext);
        };
    assertEquals(charged, included);
  }

  @Test
  void deleted_lastingFileOfAnAbortedMerge_forgetsTheSegment() {
    MergeWrites writes = new MergeWrites();
    writes.includesOutput("_5.fdt", MERGE);
    writes.deleted("_5_bkd_left_0.tmp");
    assertTrue(writes.includesTempOutput("_5", IOContext.DEFAULT));
    writes.deleted("_5.fdt");
    // The name may come again after a rollback, as a flush's.
    assertFalse(writes.includesTempOutput("_5", IOContext.DEFAULT));
  }

  @Test
  void includesOutput_segmentInfo_isChargedAndEndsTheSegment() {
    MergeWrites writes = new MergeWrites();
    writes.includesOutput("_5.fdt", MERGE);
    assertTrue(writes.includesOutput("_5.si", MERGE));
    assertFalse(writes.includesTempOutput("_5", IOContext.DEFAULT));
  }
}
