package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.MarkedPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePagesTest {

  private static final int STEP = MergePages.STEP_BYTES;

  @TempDir Path temp;

  private final MergeFile.Account account = new MergeFile.Account();
  private final MergePages merge = new MergePages();

  @AfterEach
  void end() {
    MergeReadPacing.end();
  }

  private CachedPages pages(String marked) {
    try {
      return new MarkedPages(marked, STEP).of(temp.resolve("file"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The steps that are kept, as pages are marked. */
  private static String kept(MergePages.Forecast forecast, int steps) throws IOException {
    char[] kept = "x".repeat(steps).toCharArray();
    forecast.unwanted(
        0,
        (long) steps * STEP,
        (offset, bytes) -> {
          int first = (int) Math.floorDiv(offset + STEP - 1 - MergePages.ENDS_BYTES, STEP);
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
    List<CachedPages> parts = Arrays.stream(inputs.split(" ")).map(this::pages).toList();
    assertEquals(kept, kept(new MergePages.Placed(parts, true), 8));
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
    List<CachedPages> parts = Arrays.stream(inputs.split(" ")).map(this::pages).toList();
    // Two segments of four steps each: the steps of one are two of the merged file.
    assertEquals(kept, kept(new MergePages.Placed(parts, false), 8));
  }

  /** Where no place was wanted more than others, some are kept everywhere. */
  @Test
  void forecast_withoutADifference_keepsAsMuchAsThereWas_spreadEvenly() throws IOException {
    List<CachedPages> parts = List.of(pages("x.".repeat(32)), pages(".x".repeat(32)));
    String kept = kept(new MergePages.Placed(parts, false), 128);
    assertEquals(64, kept.chars().filter(c -> c == 'x').count());
    for (int i = 0; i < 128; i += 16) {
      assertEquals(8, kept.substring(i, i + 16).chars().filter(c -> c == 'x').count(), kept);
    }
  }

  /** Deleted documents make it shorter, other compression longer. */
  @Test
  void forecast_ofALongerFile_goesOnAsAtItsEnd() throws IOException {
    MergePages.Forecast forecast = new MergePages.Placed(List.of(pages("..x")), true);
    assertEquals("..xxxx", kept(forecast, 6));
  }

  @Test
  void sees_looksOnce_andEnd_dropsWhatReadersDidNotHave() throws IOException {
    MarkedPages kernel = new MarkedPages("..x.", STEP);
    Path file = Files.write(temp.resolve("_0_Lucene104_0.doc"), new byte[4 * STEP]);
    try (MergeFile reads = new MergeFile(Optional.of(file), Optional.of(kernel), account)) {
      MergeReadInput.MergedFile merged =
          new MergeReadInput.MergedFile(file.getFileName().toString(), reads, 0);
      Optional<CachedPages> seen = merge.sees(merged, 4 * STEP);
      assertEquals(STEP, seen.orElseThrow().bytes());
      assertTrue(merge.sees(merged, 4 * STEP).orElseThrow() == seen.get(), "the first time counts");
      assertEquals("..x.", kept(merge.forecast("_5_Lucene104_0.doc").orElseThrow(), 4));
      assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_1.doc"), "of another format");
      merge.end();
      assertEquals(List.of("0+2.0", "3+1.0"), kernel.dropped());
      assertEquals(3L * STEP, account.droppedBytes());
      assertEquals(Optional.empty(), merge.sees(merged, 4 * STEP), "what is read now is wanted");
      assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_0.doc"));
      merge.end();
      assertEquals(2, kernel.dropped().size());
    }
  }

  @Test
  void forecast_ofADictionary_keepsIt() throws IOException {
    MarkedPages kernel = new MarkedPages("....", STEP);
    Path file = Files.write(temp.resolve("_0_Lucene104_0.tim"), new byte[4 * STEP]);
    try (MergeFile reads = new MergeFile(Optional.of(file), Optional.of(kernel), account)) {
      merge.sees(new MergeReadInput.MergedFile("_0_Lucene104_0.tim", reads, 0), 4 * STEP);
      assertEquals(Optional.empty(), merge.forecast("_5_Lucene104_0.tim"));
    }
  }

  @Test
  void sees_withoutAKernel_knowsNothing() throws IOException {
    Path file = Files.write(temp.resolve("_0.fdt"), new byte[STEP]);
    try (MergeFile reads = new MergeFile(Optional.of(file), Optional.empty(), account)) {
      assertEquals(
          Optional.empty(), merge.sees(new MergeReadInput.MergedFile("_0.fdt", reads, 0), STEP));
      assertEquals(Optional.empty(), merge.forecast("_5.fdt"));
    }
  }
}
