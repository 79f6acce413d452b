package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.MarkedPages;
import io.weir.store.kernel.TouchedPages;
import io.weir.store.pages.Forecast;
import io.weir.store.pages.MergePages;
import io.weir.store.pages.TestMemory;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When what a merge writes leaves the page cache. */
class ReadersOfInputTest {

  private static final int PAGE = 4096;
  private static final int PAGES = 256; // so long that it is looked at what readers touch
  private static final long PAGE_CACHE_BYTES = 1000;
  private static final long LARGE = 251;
  private static final long SMALL = 250;

  @TempDir Path temp;

  private final List<String> dropped = new ArrayList<>();
  private final List<String> used = new ArrayList<>();
  private final TestMemory memory = new TestMemory(PAGE_CACHE_BYTES);
  private final WritebackDirectory.ReadersOfInput readers =
      new WritebackDirectory.ReadersOfInput(
          (name, forecast) -> drop(name, forecast),
          (name, wanted, kept) -> {
            used.add(name);
            drop(name, kept);
          },
          memory,
          Optional.empty());

  private boolean touched;
  private String marked = ".".repeat(PAGES);

  /** A merge of two files, of which readers have nothing, as a rule. */
  @BeforeEach
  void begin() throws IOException {
    MergeReadPacing.begin(() -> {}, segment -> 1);
    CachedPages pages = new MarkedPages(marked, PAGE).of(temp.resolve("pages"));
    for (String name : List.of("_0.fdt", "_1.fdt")) {
      MergeReadPacing.pages().orElseThrow().sees(new Input(name, pages, touched), PAGES * PAGE);
    }
  }

  @AfterEach
  void end() {
    MergeReadPacing.end();
  }

  private record Input(String name, CachedPages pages, boolean isMapped)
      implements MergePages.SegmentFile {

    @Override
    public Optional<CachedPages> look(long length) {
      return Optional.of(pages);
    }

    @Override
    public Optional<CachedPages> touched(TouchedPages mappings, long length) {
      return Optional.of(pages).filter(p -> isMapped);
    }

    @Override
    public BooleanSupplier closed() {
      return () -> false;
    }

    @Override
    public void dropAllBut(CachedPages kept) {}
  }

  private void drop(String name, Forecast forecast) {
    try {
      if (droppedKib(forecast) > 0) {
        dropped.add(name);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether it is dropped while it is written. */
  private boolean writes(String name, long mergeBytes) {
    return forecast(name, mergeBytes).isPresent();
  }

  private Optional<Forecast> forecast(String name, long mergeBytes) {
    IOContext context = IOContext.merge(new MergeInfo(10, mergeBytes, false, 1));
    return readers.of(new FileStory(name, context));
  }

  /** What of a file of a MiB is dropped, in KiB. */
  private static long droppedKib(Forecast forecast) throws IOException {
    long[] bytes = {0};
    forecast.unwanted(0, 1 << 20, (at, count) -> bytes[0] += count);
    return bytes[0] >> 10;
  }

  /** It would be evicted before the merge ends, and readers have the input until then. */
  @Test
  void merge_thatReadsAtItsEnd_keepsNothingMeanwhileButTheBeginning() throws IOException {
    MergeReadPacing.end();
    touched = true;
    marked = "x".repeat(PAGES);
    begin();
    assertEquals(1024 - 64, droppedKib(forecast("_5.fdt", LARGE).orElseThrow()));
    MergeReadPacing.end();
    touched = false;
    begin();
    assertEquals(0, droppedKib(forecast("_5.fdt", LARGE).orElseThrow()));
  }

  @Test
  void merge_thatIsLargeForThePageCache_dropsWhileItWrites() {
    assertTrue(writes("_5.fdt", LARGE));
    assertFalse(writes("_5.si", LARGE));
    assertEquals(List.of(), dropped);
  }

  /** Readers have looked elsewhere since, and what was kept may have been evicted. */
  @Test
  void merge_thatIsLarge_readsWhatReadersUse_whenItsSegmentIsWritten() throws IOException {
    MergeReadPacing.end();
    touched = true;
    begin();
    assertTrue(writes("_5.fdt", LARGE));
    assertEquals(List.of(), used);
    assertFalse(writes("_5.si", LARGE));
    assertEquals(List.of("_5.fdt"), used);
    assertEquals(List.of("_5.fdt"), dropped, "what the kernel has read ahead");
  }

  /** It pushes nothing out, and those who read the merged segment find it there. */
  @Test
  void merge_whileMemoryIsFree_dropsNothing() throws IOException {
    MergeReadPacing.end();
    touched = true;
    begin();
    memory.free(PAGE_CACHE_BYTES);
    Forecast large = forecast("_5.fdt", LARGE).orElseThrow();
    assertEquals(0, droppedKib(large));
    long[] wanted = {0};
    large.wanted(0, 1 << 20, (at, count) -> wanted[0] += count);
    assertEquals(64 << 10, wanted[0], "what readers want is not more for that");
    assertFalse(writes("_5.si", LARGE));
    assertEquals(List.of("_5.fdt"), used);
    assertEquals(List.of(), dropped);

    MergeReadPacing.end();
    begin();
    assertFalse(writes("_6.fdt", SMALL));
    assertFalse(writes("_6.si", SMALL));
    assertEquals(List.of(), dropped);
  }

  @Test
  void merge_whoseReadersDoNotMap_readsNothingAgain() {
    assertTrue(writes("_5.fdt", LARGE));
    assertFalse(writes("_5.si", LARGE));
    assertEquals(List.of(), used);
  }

  @Test
  void merge_thatIsSmaller_dropsWhenItsSegmentIsWritten() {
    assertFalse(writes("_5.fdt", SMALL));
    assertFalse(writes("_5.tim", SMALL), "nothing is known of its readers");
    assertEquals(List.of(), dropped);
    assertFalse(writes("_5.si", SMALL));
    assertEquals(List.of("_5.fdt"), dropped);
  }

  @Test
  void merge_thatFails_dropsNothingOfItsOutput() {
    assertFalse(writes("_5.fdt", SMALL));
    MergeReadPacing.end();
    assertEquals(List.of(), dropped);
  }

  /** Lucene would have to read them again. */
  @Test
  void merge_intoACompoundFile_keepsItsFiles_andSoDoesTheNextOfThatSize() throws IOException {
    assertTrue(writes("_5.fdt", LARGE));
    assertFalse(writes("_5.cfs", LARGE));
    assertFalse(writes("_5.si", LARGE));
    assertEquals(List.of(), dropped);

    MergeReadPacing.end();
    begin();
    assertFalse(writes("_6.fdt", LARGE));
    assertFalse(writes("_6.si", LARGE));
    assertEquals(List.of("_6.fdt"), dropped, "it was not packed this time");

    MergeReadPacing.end();
    begin();
    assertTrue(writes("_7.fdt", LARGE + 1));
  }

  @Test
  void file_ofNoMergeOfWeir_isLeftToTheKernel() {
    MergeReadPacing.end();
    assertFalse(writes("_5.fdt", LARGE));
    assertFalse(writes("_5.si", LARGE));
  }
}
