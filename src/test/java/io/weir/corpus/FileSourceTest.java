package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileSourceTest {

  private static final int COUNT = 200;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void open_eachFormatPackedAnyWay_givesTheSameDocumentsAgainAndAgain(Compression compression)
      throws IOException {
    byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    for (byte[] content :
        List.of(
            Corpora.lines(COUNT),
            Corpora.concat(mark, Corpora.lines(COUNT)),
            Corpora.wikipedia(COUNT),
            Corpora.concat(mark, Corpora.wikipedia(COUNT)))) {
      byte[] packed = Corpora.pack(compression, content);
      // The name lies; the content counts.
      DocumentSource source = source(packed, "documents.txt");
      ReadProblems problems = new ReadProblems();
      List<CorpusDocument> documents = Corpora.read(source, problems);
      assertExpected(documents);
      assertEquals(documents, Corpora.read(source, problems));
      assertEquals("0 malformed, 0 skipped, 0 undated", problems.toString());
      assertEquals(packed.length * (long) compression.factor(), source.textBytes().orElseThrow());
      assertEquals(directory.resolve("documents.txt").toString(), source.describe());
    }
  }

  @ParameterizedTest
  @EnumSource
  void open_concatenatedMembers_areReadToTheEnd(Compression compression) throws IOException {
    byte[] content = Corpora.lines(COUNT);
    int half = content.length / 2;
    DocumentSource source =
        source(
            Corpora.concat(
                Corpora.pack(compression, Arrays.copyOf(content, half)),
                Corpora.pack(compression, Arrays.copyOfRange(content, half, content.length))),
            "two");
    assertExpected(Corpora.read(source, new ReadProblems()));
  }

  /** What each format gives back before a cut is its own affair: a block, a buffer. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void open_archiveCutShort_keepsWhatCameBeforeAndNamesTheLine(Compression compression)
      throws IOException {
    byte[] whole = Corpora.pack(compression, Corpora.lines(COUNT));
    byte[] more = Corpora.pack(compression, Corpora.lines(2500));
    DocumentSource source =
        source(Corpora.concat(whole, Arrays.copyOf(more, more.length / 2)), "cut");
    ReadProblems problems = new ReadProblems();
    List<CorpusDocument> documents = Corpora.read(source, problems);
    assertTrue(documents.size() >= COUNT, () -> "kept " + documents.size());
    assertExpected(documents.subList(0, COUNT));
    assertEquals(1, problems.malformedCount());
    String place = directory.resolve("cut") + ":" + (documents.size() + 1) + ": ";
    String problem = problems.first().get(0);
    assertTrue(
        problem.startsWith(place + "the file breaks here, what came before is kept: "), problem);
  }

  /**
   * All that the format gives back before the damage, but for the last piece that was asked for.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void open_damagedArchive_keepsAllLinesBeforeTheDamage(Compression compression)
      throws IOException {
    byte[] lines = Corpora.lines(2000);
    byte[] sound = Corpora.pack(compression, lines);
    byte[] flipped = sound.clone();
    flipped[sound.length * 2 / 3] ^= 1;
    for (byte[] damaged :
        List.of(
            Arrays.copyOf(sound, sound.length * 2 / 3),
            flipped,
            Corpora.concat(sound, Corpora.utf8("what does not belong here")))) {
      DocumentSource source = source(damaged, "damaged");
      byte[] read = readableBytes(compression, directory.resolve("damaged"));
      int same = Arrays.mismatch(read, lines); // some formats give what is wrong, and then fail
      long least =
          IntStream.range(0, (same < 0 ? lines.length : same) - Compression.PIECE_BYTES)
              .filter(i -> lines[i] == '\n')
              .count();
      int kept = Corpora.read(source, new ReadProblems()).size();
      assertTrue(kept >= least, () -> kept + " of " + least + " documents");
    }
  }

  private static byte[] readableBytes(Compression compression, Path file) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (InputStream in = compression.open(file, leftOut -> {})) {
      byte[] few = new byte[64];
      for (int n = in.read(few); n >= 0; n = in.read(few)) {
        read.write(few, 0, n);
      }
    } catch (IOException e) {
      // The damage.
    }
    return read.toByteArray();
  }

  @Test
  void open_xmlInACutArchive_keepsThePagesBefore() throws IOException {
    byte[] packed = Corpora.pack(Compression.GZIP, Corpora.wikipedia(5000));
    DocumentSource source = source(Arrays.copyOf(packed, packed.length / 2), "cut.xml.gz");
    ReadProblems problems = new ReadProblems();
    List<CorpusDocument> documents = Corpora.read(source, problems);
    assertTrue(documents.size() > 2000, () -> "kept " + documents.size());
    assertEquals(1, problems.malformedCount());
    assertTrue(problems.first().get(0).contains("what came before is kept"));
  }

  @ParameterizedTest
  @EnumSource
  void open_anyByteWrong_endsWithDocumentsOrARefusal(Compression compression) throws IOException {
    Random random = new Random(42);
    byte[] sound =
        Corpora.pack(compression, random.nextBoolean() ? Corpora.lines(40) : Corpora.wikipedia(40));
    for (int round = 0; round < 60; round++) {
      byte[] broken = sound.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        broken[random.nextInt(broken.length)] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(directory.resolve("broken"), broken);
      ReadProblems problems = new ReadProblems();
      try {
        Corpora.read(DocumentSources.parse(directory.resolve("broken").toString(), 1), problems);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().startsWith("documents must be "), e::getMessage);
      } catch (IOException e) {
        assertTrue(e.getMessage().startsWith("documents must have at least one"), e::getMessage);
      }
    }
  }

  @Test
  void open_nothingGoodToTheEnd_failsAndNamesTheFirstProblems() throws IOException {
    DocumentSource source =
        source(Corpora.utf8("FIELDS_HEADER_INDICATOR###\ttitle\tdate\tbody\na\n\nb\tc\n"), "lines");
    IOException e = assertThrows(IOException.class, () -> Corpora.read(source, new ReadProblems()));
    Path file = directory.resolve("lines");
    assertEquals(
        "documents must have at least one that can be read: "
            + file
            + ": "
            + file
            + ":2: line must have 3 columns or more: 1; "
            + file
            + ":4: line must have 3 columns or more: 2; in all 2 malformed, 1 skipped",
        e.getMessage());
  }

  /** Taken for the end of the file, it would shorten the corpus silently. */
  @ParameterizedTest
  @EnumSource
  void next_closedReader_failsAndCountsNothing(Compression compression) throws IOException {
    for (byte[] content : List.of(Corpora.lines(COUNT), Corpora.wikipedia(COUNT))) {
      ReadProblems problems = new ReadProblems();
      DocumentReader reader =
          source(Corpora.pack(compression, content), "documents").open(problems);
      reader.close();
      assertThrows(ClosedChannelException.class, reader::next);
      assertEquals(0, problems.malformedCount());
    }
  }

  private DocumentSource source(byte[] content, String name) throws IOException {
    return DocumentSources.parse(Files.write(directory.resolve(name), content).toString(), 1);
  }

  private static void assertExpected(List<CorpusDocument> documents) {
    SyntheticText text = new SyntheticText();
    assertEquals(COUNT, documents.size());
    for (int i = 0; i < COUNT; i++) {
      CorpusDocument document = text.document(1, i);
      assertEquals(
          new CorpusDocument(document.title(), document.body(), 979_516_800_000L),
          documents.get(i));
    }
  }
}
