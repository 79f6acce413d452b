package io.weir.store.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.MarkedPages;
import io.weir.store.kernel.TouchedPages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePagesTest {

  private static final int STEP = PlacedForecast.STEP_BYTES;

  @TempDir Path temp;

  private final MergePages merge = new MergePages(segment -> segment.equals("_9") ? 0.5 : 1);

  private CachedPages pages(String marked) {
    try {
      return new MarkedPages(marked, STEP).of(temp.resolve("file"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private PlacedForecast.Used used(String marked) {
    CachedPages pages = pages(marked);
    return new PlacedForecast.Used(pages, 1, CopiedPlaces.evenly(pages.length(), 1));
  }

  /** The steps that are kept, as pages are marked. */
  private static String kept(Forecast forecast, int steps) throws IOException {
    char[] kept = "x".repeat(steps).toCharArray();
    forecast.unwanted(
        0,
        (long) steps * STEP,
        (offset, bytes) -> {
          int first = (int) Math.floorDiv(offset + STEP - 1 - Forecast.ENDS_BYTES, STEP);
          Arrays.fill(kept, first, (int) ((offset + bytes) / STEP), '.');
        });
    return new String(kept);
  }

  /** Each segment, and what is kept of the file that is made of them. */
  @ParameterizedTest
  @CsvSource({
    "xxxx ...., xxxx....",
    ".... xx.., ....xx..",
    "..x. xxxx, ..x.xxxx",
    ".... ...., ........",
    "xxxx xxxx, xxxxxxxx",
  })
  void forecast_ofAFileByDocument_isThatOfTheSegmentAtItsPlace(String inputs, String kept)
      throws IOException {
    List<PlacedForecast.Used> parts = Arrays.stream(inputs.split(" ")).map(this::used).toList();
    assertEquals(kept, kept(new PlacedForecast(parts, true), 8));
  }

  @ParameterizedTest
  @CsvSource({
    "x... x..., xx......",
    "..xx .xx., ...xxx.x",
    ".... ...., ........",
    "xxxx xxxx, xxxxxxxx",
  })
  void forecast_ofAnotherFile_isThatOfTheSameRelativePlace(String inputs, String kept)
      throws IOException {
    List<PlacedForecast.Used> parts = Arrays.stream(inputs.split(" ")).map(this::used).toList();
    // Two segments of four steps each: the steps of one are two of the merged file.
    assertEquals(kept, kept(new PlacedForecast(parts, false), 8));
  }

  /** Where no place was wanted more than others, some are kept everywhere. */
  @Test
  void forecast_withoutADifference_keepsAsMuchAsThereWas_spreadEvenly() throws IOException {
    List<PlacedForecast.Used> parts = List.of(used("x.".repeat(32)), used(".x".repeat(32)));
    String kept = kept(new PlacedForecast(parts, false), 128);
    assertEquals(64, kept.chars().filter(c -> c == 'x').count());
    for (int i = 0; i < 128; i += 16) {
      assertEquals(8, kept.substring(i, i + 16).chars().filter(c -> c == 'x').count(), kept);
    }
  }

  /** Deleted documents make it shorter, other compression longer. */
  @Test
  void forecast_ofALongerFile_goesOnAsAtItsEnd() throws IOException {
    Forecast forecast = new PlacedForecast(List.of(used("..x")), true);
    assertEquals("..xxxx", kept(forecast, 6));
  }

  /** A file whose pages are as marked; writes down what is kept when the rest is dropped. */
  private final class File implements MergePages.SegmentFile {

    private final String name;
    private final Optional<CachedPages> pages;
    private Optional<CachedPages> touched = Optional.empty();
    private int looks;
    private int drops;
    private boolean isClosed;

    File(String name, String marked) {
      this.name = name;
      this.pages = Optional.of(marked).filter(m -> !m.isEmpty()).map(m -> pages(m));
    }

    /** Readers have touched these of its pages until now. */
    File touched(String marked) {
      touched = Optional.of(pages(marked));
      return this;
    }

    @Override
    public Optional<CachedPages> touched(TouchedPages mappings, long length) {
      return touched;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Optional<CachedPages> look(long length) {
      looks++;
      return pages;
    }

    @Override
    public BooleanSupplier closed() {
      return () -> isClosed;
    }

    @Override
    public void dropAllBut(CachedPages kept) {
      assertSame(pages.orElseThrow(), kept);
      drops++;
    }
  }

  @Test
  void sees_looksOnce_andEnd_dropsWhatReadersDidNotHave() throws IOException {
    File file = new File("_0_Lucene104_0.doc", "..x.");
    assertEquals(file.pages, merge.sees(file, 4 * STEP));
    assertEquals(file.pages, merge.sees(file, 4 * STEP));
    assertEquals(1, file.looks, "the merge has read it since");
    assertEquals("..x.", kept(merge.forecast("_5_Lucene104_0.doc").orElseThrow(), 4));
    assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_1.doc"), "of another format");
    File own = new File("_5.nvd", "....");
    merge.writes("_5.fdt");
    assertEquals(Optional.empty(), merge.sees(own, STEP), "what it has written itself");
    assertEquals(0, file.drops);
    merge.end();
    assertEquals(1, file.drops);
    assertEquals(0, own.drops);
    assertEquals(Optional.empty(), merge.sees(file, STEP), "what is read now is wanted");
    assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_0.doc"));
    merge.end();
    assertEquals(1, file.drops);
  }

  private static String unwanted(Forecast forecast, int from, int to) throws IOException {
    char[] marks = ".".repeat(to).toCharArray();
    forecast.unwanted(
        (long) from * STEP,
        (long) to * STEP,
        (at, bytes) -> {
          int last = (int) Math.ceilDiv(at + bytes, STEP);
          for (int step = (int) (at / STEP); step < last; step++) {
            marks[step] = '-';
          }
        });
    return new String(marks);
  }

  /** A merge beside plenty of memory, then beside little, and then beside less. */
  @Test
  void fitting_isAllOfIt_thenAsMuchAsWasCached_thenWhatReadersWant() throws IOException {
    TestMemory memory = new TestMemory(1600);
    merge.sees(new File("_0_Lucene104_0.doc", "xxxx....").touched("x......."), 8 * STEP);
    Forecast wanted = merge.forecast("_5_Lucene104_0.doc").orElseThrow();
    assertEquals("x.......", kept(wanted, 8));
    Forecast fitting = merge.fitting("_5_Lucene104_0.doc", wanted, memory);

    memory.free(200);
    assertEquals("xxxxxxxx", kept(fitting, 8));
    memory.free(199);
    assertEquals("xxxx....", kept(fitting, 8));
    memory.free(100);
    assertEquals("xxxx....", kept(fitting, 8));
    memory.free(99);
    assertEquals("x.......", kept(fitting, 8));

    memory.free(200);
    long[] bytes = {0};
    fitting.wanted(0, 8 * STEP, (at, count) -> bytes[0] += count);
    assertEquals(STEP, bytes[0], "readers want no more for that");
  }

  /** Each piece that is dropped makes room for the others. */
  @Test
  void fitting_isAskedForEachPiece() throws IOException {
    TestMemory memory = new TestMemory(16L << 20);
    merge.sees(new File("_0.fdt", ".".repeat(64)).touched(".".repeat(64)), 64L * STEP);
    Forecast fitting = merge.fitting("_5.fdt", Forecast.ofNothing(), memory);
    long[] dropped = {0};
    fitting.unwanted(
        0,
        64L * STEP,
        (at, bytes) -> {
          dropped[0] += bytes;
          memory.free(dropped[0]);
        });
    assertEquals((4 << 20) - Forecast.ENDS_BYTES, dropped[0], "2 MiB are enough");
  }

  /** Then there is memory for what it has written, of which less need be dropped. */
  @Test
  void written_dropsTheInputFirst() {
    File file = new File("_0_Lucene104_0.doc", "..x.");
    merge.sees(file, 4 * STEP);
    List<Integer> drops = new ArrayList<>();
    merge.whenWritten(() -> drops.add(file.drops));
    merge.written(foretold -> {});
    assertEquals(List.of(1), drops);
  }

  private String kept(File... files) throws IOException {
    return kept(8 * files.length, files);
  }

  private String kept(int steps, File... files) throws IOException {
    for (File file : files) {
      merge.sees(file, 8L * STEP);
    }
    return kept(merge.forecast("_5.fdt").orElseThrow(), steps);
  }

  /** The rest was read ahead for readers, or left by whoever wrote it. */
  @Test
  void forecast_whereReadersMapTheirFiles_isWhatTheyHaveTouched() throws IOException {
    assertEquals(
        "..x.....x......x",
        kept(
            new File("_0.fdt", "xxxx....").touched("..x....."),
            new File("_1.fdt", "xxxxxxxx").touched("x......x")));
  }

  @Test
  void forecast_whereReadersHaveHardlyBegun_isWhatWasCached() throws IOException {
    assertEquals(
        "xxxx....xxxxxxxx",
        kept(
            new File("_0.fdt", "xxxx....").touched("x......."),
            new File("_1.fdt", "xxxxxxxx").touched("........")));
  }

  /** As in a hybrid directory, that maps some kinds of files. */
  @Test
  void forecast_ofAFileThatReadersDoNotMap_isWhatWasCached() throws IOException {
    assertEquals(
        "xx......x.......",
        kept(new File("_0.fdt", "xx......"), new File("_1.fdt", "xxxxxxxx").touched("x.......")));
  }

  /** What is cached of a file that they do not map says nothing of whether they have begun. */
  @Test
  void forecast_whereReadersHaveHardlyBegun_andDoNotMapOthers_isWhatWasCached() throws IOException {
    merge.sees(new File("_0.fdt", "xxxxxxxx"), 8L * STEP);
    merge.sees(new File("_0_Lucene104_0.doc", "xxxxxxxx").touched("x......."), 8L * STEP);
    merge.sees(new File("_0_Lucene104_0.pos", "xxxxxxxx").touched("........"), 8L * STEP);
    assertEquals("xxxxxxxx", kept(merge.forecast("_5_Lucene104_0.doc").orElseThrow(), 8));
  }

  /** Half of the documents of segment 9 are deleted: its file is two steps for each four. */
  @Test
  void forecast_behindDeletedDocuments_isThatMuchEarlier() throws IOException {
    assertEquals(
        "..x...x...x.....",
        kept(
            new File("_9.fdt", "xxxxxxxx").touched("....x..."),
            new File("_1.fdt", "xxxxxxxx").touched("..x...x.")));
  }

  @Test
  void forecastNow_isByWhatReadersHaveTouchedSince() throws IOException {
    File file = new File("_0.fdt", "xxxxxxxx").touched("xx......");
    assertEquals("xx......", kept(file));
    file.touched("......xx");
    assertEquals("......xx", kept(merge.forecastNow("_5.fdt", Long.MAX_VALUE).orElseThrow(), 8));
    merge.end();
    assertEquals(Optional.empty(), merge.forecastNow("_5.fdt", Long.MAX_VALUE));
  }

  /** Where there is not room for all, some are kept everywhere. */
  @Test
  void forecastNow_isBounded() throws IOException {
    merge.sees(new File("_0.fdt", "xxxxxxxx").touched("xxxxxxxx"), 8L * STEP);
    long[] dropped = {0};
    merge
        .forecastNow("_5.fdt", 4L * STEP)
        .orElseThrow()
        .unwanted(0, 8L * STEP, (at, bytes) -> dropped[0] += bytes);
    assertEquals(4L * STEP, dropped[0], Forecast.ENDS_BYTES);
  }

  /** The first half of the first segment became a step, all else kept its length. */
  @Test
  void forecastNow_isOfThePlacesThatWereCopiedTo() throws IOException {
    File first = new File("_0.fdt", "xxxxxxxx").touched("..x....x");
    File second = new File("_1.fdt", "xxxx").touched(".x..");
    merge.sees(first, 8L * STEP);
    merge.sees(second, 4L * STEP);
    merge.copies(first, 0); // before it has a file, as it reads headers
    long[] written = {0};
    merge.grows("_5.fdt", () -> written[0]);
    merge.copies(first, 0);
    written[0] = STEP;
    merge.copies(first, 4L * STEP);
    written[0] = 5L * STEP;
    merge.copies(second, 0);
    written[0] = 9L * STEP;
    assertEquals("x...x.x..", kept(merge.forecastNow("_5.fdt", Long.MAX_VALUE).orElseThrow(), 9));
  }

  /** Many merges a second are of segments so small, and the mappings of a process may be many. */
  @Test
  void forecastNow_ofSmallFiles_isWhatWasCached() throws IOException {
    File small = new File("_1.fdt", "xx.").touched("..x");
    assertEquals(
        "....x...xx.", kept(11, new File("_0.fdt", "xxxxxxxx").touched("....x..."), small));
    assertEquals(
        "....x...xx.", kept(merge.forecastNow("_5.fdt", Long.MAX_VALUE).orElseThrow(), 11));
  }

  /** It costs reads, so a guess is not enough. */
  @Test
  void forecastNow_wherePlacesAreUncertain_isEmpty() {
    merge.sees(new File("_0_Lucene104_0.doc", "xxxx").touched("x..."), 4L * STEP);
    merge.sees(new File("_0.fdt", "xxxx"), 4L * STEP);
    assertEquals(
        Optional.empty(), merge.forecastNow("_5_Lucene104_0.doc", Long.MAX_VALUE), "by term");
    assertEquals(Optional.empty(), merge.forecastNow("_5.fdt", Long.MAX_VALUE), "not mapped");
    assertEquals(Optional.empty(), merge.forecastNow("_5.tvd", Long.MAX_VALUE), "nothing known");
  }

  @Test
  void wanted_isAllThatIsNotUnwanted() throws IOException {
    Forecast forecast = new PlacedForecast(List.of(used("..xx.x")), true);
    List<String> runs = new ArrayList<>();
    forecast.wanted(
        0, 6L * STEP, (at, bytes) -> runs.add((double) at / STEP + " " + (double) bytes / STEP));
    assertEquals(List.of("0.0 0.25", "2.0 2.0", "5.0 1.0"), runs, "the header is wanted too");
  }

  @Test
  void forecast_ofADictionary_keepsIt() {
    merge.sees(new File("_0_Lucene104_0.tim", "...."), STEP);
    assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_0.tim"));
  }

  @Test
  void forecast_ofWhatCannotBeLookedAt_keepsIt() {
    assertEquals(Optional.empty(), merge.sees(new File("_0.fdt", ""), STEP));
    assertEquals(Optional.empty(), merge.forecast("_5.fdt"));
    merge.end();
  }
}
