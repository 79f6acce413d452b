package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LineFileReaderTest {

  private static final String DATE = "\t15-JAN-2001 00:00:00.000\t";
  private static final long MILLIS = 979_516_800_000L;

  private final ReadProblems problems = new ReadProblems();

  @Example
  void next_linesWithoutHeader_areTitleDateBody() throws IOException {
    assertEquals(
        List.of(
            new CorpusDocument("Weir", "A low dam.", MILLIS),
            new CorpusDocument("Fluß 東京", "x", MILLIS),
            new CorpusDocument("no line end", "y", MILLIS)),
        read("Weir" + DATE + "A low dam.\nFluß 東京" + DATE + "x\r\nno line end" + DATE + "y"));
    assertEquals("0 malformed, 0 skipped, 0 undated", problems.toString());
  }

  @Example
  void next_headersOfRealFiles_nameTheColumns() throws IOException {
    List<CorpusDocument> one = List.of(new CorpusDocument("t", "b", MILLIS));
    String row = "t" + DATE + "b";
    assertEquals(one, read("FIELDS_HEADER_INDICATOR###\tdoctitle\tdocdate\tbody\n" + row));
    assertEquals(one, read("FIELDS_HEADER_INDICATOR###doctitle\tdocdate\tbody\n" + row));
    assertEquals(
        one,
        read("FIELDS_HEADER_INDICATOR###\tdoctitle\tdocdate\tbody\tRandomLabel\n" + row + "\tL"));
    assertEquals(
        one,
        read(
            "FIELDS_HEADER_INDICATOR###\ttitle\ttimestamp\ttext\tusername\tcharacterCount\n"
                + row
                + "\tuser\t1"));
    assertEquals(
        one, read("FIELDS_HEADER_INDICATOR###\tBody\tid\tDate\tTitle\r\nb\t9" + DATE + "t\r\n"));
    assertEquals(0, problems.undatedCount());
  }

  @Example
  void next_headerWithoutDate_givesUndatedDocuments() throws IOException {
    assertEquals(
        List.of(new CorpusDocument("t", "b", CorpusDocument.UNDATED_EPOCH_MILLIS)),
        read("FIELDS_HEADER_INDICATOR###\tdoctitle\tbody\nt\tb\n"));
    assertEquals("0 malformed, 0 skipped, 1 undated", problems.toString());
  }

  @Example
  void next_furtherColumns_areLeftAlone() throws IOException {
    assertEquals(
        List.of(new CorpusDocument("t", "b", MILLIS)), read("t" + DATE + "b\tlabel\tmore\n"));
  }

  @Example
  void next_unreadableDate_isUndatedNotMalformed() throws IOException {
    assertEquals(
        List.of(new CorpusDocument("t", "b", CorpusDocument.UNDATED_EPOCH_MILLIS)),
        read("t\tsome day\tb\n"));
    assertEquals("0 malformed, 0 skipped, 1 undated", problems.toString());
  }

  @Example
  void next_malformedLines_areNamedByTheirNumber() throws IOException {
    InputStream in =
        new ByteArrayInputStream(
            Corpora.concat(
                Corpora.utf8("a" + DATE + "1\nno columns\n\none\tTAB\nb" + DATE + "2"),
                new byte[] {(byte) 0xC3, '(', '\n'},
                Corpora.utf8("c" + DATE + "genuine \uFFFD\n")));
    assertEquals(
        List.of(
            new CorpusDocument("a", "1", MILLIS),
            new CorpusDocument("b", "2\uFFFD(", MILLIS),
            new CorpusDocument("c", "genuine \uFFFD", MILLIS)),
        read(in, 1 << 20));
    assertEquals(
        List.of(
            "lines:2: line must have 3 columns or more: 1",
            "lines:4: line must have 3 columns or more: 2",
            "lines:5: invalid UTF-8, replaced by U+FFFD"),
        problems.first());
    assertEquals(1, problems.skippedCount());
  }

  @Example
  void next_lineAtAndAboveTheLimit_isKeptAndLeftOut() throws IOException {
    int limit = 1_000_000;
    String atLimit = "t" + DATE;
    atLimit += "x".repeat(limit - atLimit.length());
    List<CorpusDocument> documents =
        read(
            new ByteArrayInputStream(
                Corpora.utf8(atLimit + "\n" + atLimit + "y\nz" + DATE + "b\n" + atLimit + "y")),
            limit);
    assertEquals(List.of("t", "z"), Corpora.titles(documents));
    assertEquals(
        List.of(
            "lines:2: line must be at most 1000000 bytes, left out",
            "lines:4: line must be at most 1000000 bytes, left out"),
        problems.first());
  }

  /** 300 MB in one line: more than the tests' heap would hold with its copies. */
  @Example
  void next_endlessLine_isPassedOverWithoutBeingHeld() throws IOException {
    InputStream in =
        new SequenceInputStream(
            Collections.enumeration(
                List.of(
                    new ByteArrayInputStream(Corpora.utf8("a" + DATE + "1\n")),
                    new Blanks(300_000_000),
                    new ByteArrayInputStream(Corpora.utf8("\nb" + DATE + "2\n")))));
    assertEquals(List.of("a", "b"), Corpora.titles(read(in, 1 << 20)));
    assertEquals(
        List.of("lines:2: line must be at most 1048576 bytes, left out"), problems.first());
  }

  @Example
  void next_streamThatFails_endsThereAndDropsTheCutLine() throws IOException {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("disk\non fire");
          }
        };
    InputStream in =
        new SequenceInputStream(
            new ByteArrayInputStream(Corpora.utf8("a" + DATE + "1\nb" + DATE + "cut he")), failing);
    assertEquals(List.of("a"), Corpora.titles(read(in, 1 << 20)));
    assertEquals(
        List.of("lines:2: the file breaks here, what came before is kept: disk on fire"),
        problems.first());
  }

  /** Taken for the end of the file, an interrupt would shorten the corpus silently. */
  @Example
  void next_interruptedStream_failsAndCountsNothing() {
    InputStream interrupted =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new InterruptedIOException();
          }
        };
    assertThrows(InterruptedIOException.class, () -> read(interrupted, 1 << 20));
    assertThrows(
        InterruptedIOException.class,
        () -> Corpora.read(new WikipediaReader(interrupted, "dump", problems, 1 << 20)));
    assertEquals(0, problems.malformedCount());
  }

  @Example
  void next_headerWithoutBody_fails() {
    IOException e =
        assertThrows(IOException.class, () -> read("FIELDS_HEADER_INDICATOR###\ttitle\n"));
    assertEquals(
        "lines:1: header must name a title and a body: FIELDS_HEADER_INDICATOR###\ttitle",
        e.getMessage());
  }

  /** However the stream hands out its bytes, lines come out as they went in. */
  @Property(tries = 30)
  void next_anyLengthsOfLines_roundTrip(
      @ForAll @Size(max = 12) List<@IntRange(max = 700_000) Integer> lengths,
      @ForAll @IntRange(min = 1, max = 400_000) int pieceBytes)
      throws IOException {
    StringBuilder content = new StringBuilder();
    for (int length : lengths) {
      content.append(length).append(DATE).append("x".repeat(length)).append('\n');
    }
    byte[] bytes = Corpora.utf8(content.toString());
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, pieceBytes));
          }
        };
    List<CorpusDocument> documents = read(in, 1 << 20);
    assertEquals(lengths.size(), documents.size());
    for (int i = 0; i < lengths.size(); i++) {
      assertEquals(lengths.get(i).toString(), documents.get(i).title());
      assertEquals(lengths.get(i), documents.get(i).body().length());
    }
    assertEquals(0, problems.malformedCount());
  }

  private List<CorpusDocument> read(String content) throws IOException {
    return read(new ByteArrayInputStream(Corpora.utf8(content)), 1 << 20);
  }

  private List<CorpusDocument> read(InputStream in, int maxLineBytes) throws IOException {
    return Corpora.read(new LineFileReader(in, "lines", problems, maxLineBytes));
  }

  private static final class Blanks extends InputStream {
    private long left;

    Blanks(long count) {
      this.left = count;
    }

    @Override
    public int read() {
      return left-- > 0 ? ' ' : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(left, length);
      Arrays.fill(target, offset, offset + count, (byte) ' ');
      left -= count;
      return count;
    }
  }
}
