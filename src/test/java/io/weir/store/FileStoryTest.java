package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileStoryTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(10, 1000));

  private final FileStory.MergingSegments merging = new FileStory.MergingSegments();

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
    merging.created(new FileStory("_5.fdm", MERGE));
    IOContext ioContext =
        switch (context) {
          case "MERGE" -> MERGE;
          case "FLUSH" -> FLUSH;
          default -> IOContext.DEFAULT;
        };
    boolean included =
        switch (kind) {
          case "temp" -> merging.includeTemporary(name, ioContext);
          case "copy" -> FileStory.isRewritten(ioContext);
          default -> new FileStory(name, ioContext).birth() == FileStory.Birth.MERGE;
        };
    assertEquals(charged, included);
  }

  @Test
  void birth_ofAnOutputInAFlushContext_isACopyIfItIsForOne() throws IOException {
    List<FileStory.Birth> births = new ArrayList<>();
    try (Directory directory =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            births.add(new FileStory(name, context).birth());
            return in.createOutput(name, context);
          }
        }) {
      directory.createOutput("_5.fdt", FLUSH).close();
      directory.copyFrom(directory, "_5.fdt", "_6.fdt", FLUSH); // Lucene's default, which splits it
      directory.createOutput("_7.fdt", MERGE).close();
      directory.createOutput("segments_1", IOContext.DEFAULT).close();
    }
    assertEquals(
        List.of(
            FileStory.Birth.FLUSH,
            FileStory.Birth.COPY,
            FileStory.Birth.MERGE,
            FileStory.Birth.OTHER),
        births);
  }

  @Test
  void deleted_lastingFileOfAnAbortedMerge_forgetsTheSegment() {
    merging.created(new FileStory("_5.fdt", MERGE));
    merging.deleted("_5_bkd_left_0.tmp");
    assertTrue(merging.includeTemporary("_5", IOContext.DEFAULT));
    merging.deleted("_5.fdt");
    // The name may come again after a rollback, as a flush's.
    assertFalse(merging.includeTemporary("_5", IOContext.DEFAULT));
  }

  @Test
  void created_segmentInfo_endsTheSegment() {
    merging.created(new FileStory("_5.fdt", MERGE));
    FileStory info = new FileStory("_5.si", MERGE);
    assertTrue(info.sealsAMerge());
    merging.created(info);
    assertFalse(merging.includeTemporary("_5", IOContext.DEFAULT));
  }

  @Test
  void sealing_listensOnce_andOnlyAfterACloseThatSucceeded() throws IOException {
    AtomicInteger sealed = new AtomicInteger();
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexOutput output =
          FileStory.sealing(directory.createOutput("_5.si", MERGE), sealed::incrementAndGet);
      assertEquals(0, sealed.get());
      output.close();
      output.close();
      assertEquals(1, sealed.get());
      IndexOutput failing =
          FileStory.sealing(
              new FilterIndexOutput("full", "_6.si", directory.createOutput("_6.si", MERGE)) {
                @Override
                public void close() throws IOException {
                  super.close();
                  throw new IOException("on purpose");
                }
              },
              sealed::incrementAndGet);
      assertThrows(IOException.class, failing::close);
      assertEquals(1, sealed.get());
    }
  }
}
