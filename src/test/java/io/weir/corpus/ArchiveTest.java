package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDictCompress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What archives hold besides one member: more members, padding, frames to skip, damage. */
class ArchiveTest {

  private static final int COUNT = 60;
  private static final byte[] LINES = Corpora.lines(COUNT);

  /** The magic number of the first of sixteen kinds of skippable frames, and a length of three. */
  private static final byte[] SKIPPABLE = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};

  private static final int LAST_SKIPPABLE = 0x5f;

  @TempDir Path directory;

  private final ReadProblems problems = new ReadProblems();

  /** As {@code gzip -dc}, {@code bzip2 -dc} and {@code zstd -dc} give them. */
  @ParameterizedTest
  @CsvSource({"padded.txt.gz", "padded.txt.bz2", "skippable-frame-first.txt.zst"})
  void parse_filesOfTheTools_giveAllDocuments(String resource) throws IOException {
    try (InputStream in = ArchiveTest.class.getResourceAsStream(resource)) {
      assertEquals(60, Corpora.read(source(in.readAllBytes()), problems).size());
    }
    assertEquals("0 malformed, 0 skipped, 0 undated", problems.toString());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void parse_zeroBytesAfterAMember_arePadding(Compression compression) throws IOException {
    byte[] whole = Corpora.pack(compression, LINES);
    byte[] half = Corpora.pack(compression, Arrays.copyOf(LINES, LINES.length / 2));
    byte[] rest =
        Corpora.pack(compression, Arrays.copyOfRange(LINES, LINES.length / 2, LINES.length));
    for (int zeros : new int[] {1, 2, 3, 4, 9, 10, 15, 16, 17, 511, 70_000}) {
      byte[] padding = new byte[zeros];
      for (byte[] archive :
          List.of(
              Corpora.concat(whole, padding),
              Corpora.concat(half, padding, rest),
              Corpora.concat(half, padding, rest, padding))) {
        assertEquals(COUNT, Corpora.read(source(archive), problems).size(), () -> zeros + " zeros");
      }
    }
    assertEquals("0 malformed, 0 skipped, 0 undated", problems.toString());
  }

  /** The last line has no line end, which must not make it a line that was cut. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void parse_whatIsNoMember_isLeftOutAndCounted(Compression compression) throws IOException {
    byte[] whole = Corpora.pack(compression, Arrays.copyOf(LINES, LINES.length - 1));
    for (byte[] rest :
        List.of(Corpora.utf8("what does not belong here"), new byte[] {0, 0, 7}, new byte[] {7})) {
      ReadProblems told = new ReadProblems();
      assertEquals(COUNT, Corpora.read(source(Corpora.concat(whole, rest)), told).size());
      assertEquals(
          List.of(
              file()
                  + ": what follows the last member of the archive is left out, it is no "
                  + compression.name().toLowerCase(Locale.ROOT)),
          told.first());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void parse_damageInTheFirstBytes_namesTheReasonAndNoFormat(Compression compression)
      throws IOException {
    byte[] sound = Corpora.pack(compression, Corpora.lines(20));
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      byte[] damaged = sound.clone();
      damaged[(compression == Compression.XZ ? 6 : 4) + random.nextInt(60)] ^=
          (byte) (1 << random.nextInt(8));
      String message;
      try {
        Corpora.read(source(damaged), problems);
        continue; // some bytes say nothing of the text: a time, a name, an operating system
      } catch (IllegalArgumentException | IOException e) {
        message = e.getMessage();
      }
      assertTrue(
          message.startsWith("documents must be readable: " + file() + ": ")
              || message.startsWith("documents must have at least one that can be read: "),
          message);
    }
  }

  @Test
  void parse_bzip2WhoseFirstBlockIsDamaged_namesTheChecksum() throws IOException {
    byte[] damaged = Corpora.pack(Compression.BZIP2, Corpora.lines(20));
    damaged[12] ^= 1; // of the checksum of the first block
    Corpora.read(source(damaged), problems);
    assertTrue(problems.first().get(0).contains("CRC"), problems.toString());
    damaged[6] ^= 1; // of the number that begins the block
    assertTrue(refusal(damaged).startsWith("documents must be readable: "), refusal(damaged));
  }

  /** The decoder gives all of the wrong text before it sees the checksum of the block. */
  @Test
  void parse_bzip2WhoseFirstBlockIsWrongText_namesTheChecksum() throws IOException {
    byte[] text = Corpora.utf8("no TAB in this line of text ".repeat(30_000));
    byte[] damaged = Corpora.pack(Compression.BZIP2, text);
    damaged[12] ^= 1;
    assertTrue(refusal(damaged).contains("CRC"), refusal(damaged));
  }

  @Test
  void parse_nameOfAnArchiveWithoutItsBeginning_saysSo() throws IOException {
    for (String name : List.of("a.gz", "a.bz2", "a.xz", "a.zst")) {
      Path file = Files.write(directory.resolve(name), new byte[] {1, 2, 3, 4, 0, 6});
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> DocumentSources.parse(file.toString(), 1))
              .getMessage();
      assertTrue(message.endsWith("; named like an archive, it does not begin like one"), message);
    }
  }

  @Test
  void parse_framesToSkip_areSkippedWhereverTheyAre() throws IOException {
    byte[] half = Corpora.pack(Compression.ZSTD, Arrays.copyOf(LINES, LINES.length / 2));
    byte[] rest =
        Corpora.pack(Compression.ZSTD, Arrays.copyOfRange(LINES, LINES.length / 2, LINES.length));
    byte[] last = SKIPPABLE.clone();
    last[0] = LAST_SKIPPABLE;
    byte[] large = Corpora.concat(SKIPPABLE, new byte[300_000]);
    large[4] = (byte) 300_003;
    large[5] = (byte) (300_003 >> 8);
    large[6] = (byte) (300_003 >> 16);
    assertEquals(
        COUNT,
        Corpora.read(
                source(Corpora.concat(SKIPPABLE, last, half, large, last, rest, last, SKIPPABLE)),
                problems)
            .size());
    assertEquals("0 malformed, 0 skipped, 0 undated", problems.toString());
  }

  @Test
  void parse_nothingButFramesToSkip_isEmpty() {
    String message = refusal(Corpora.concat(SKIPPABLE, SKIPPABLE));
    assertTrue(message.endsWith(file() + " is empty"), message);
  }

  @Test
  void parse_frameToSkipThatIsCut_isABreak() throws IOException {
    byte[] cut = Arrays.copyOf(SKIPPABLE, SKIPPABLE.length - 1);
    assertTrue(refusal(cut).startsWith("documents must be readable: " + file()), refusal(cut));
    byte[] whole = Corpora.pack(Compression.ZSTD, LINES);
    assertEquals(COUNT, Corpora.read(source(Corpora.concat(whole, cut)), problems).size());
    assertEquals(1, problems.malformedCount());
    assertTrue(problems.first().get(0).contains("the file breaks here"), problems.toString());
  }

  /** A window of 512 MiB is read, as {@code zstd --long=29} writes it; one of 2 GiB is refused. */
  @Test
  void parse_zstdWithALongWindow_isReadUpToTheLimitOfMemory() throws IOException {
    byte[] packed = Corpora.pack(Compression.ZSTD, LINES);
    packed[5] = windowOf(29);
    assertEquals(COUNT, Corpora.read(source(packed), problems).size());
    packed[5] = windowOf(31);
    String message = refusal(packed);
    assertTrue(message.endsWith("; the window must be at most 512 MiB"), message);
  }

  @Test
  void parse_zstdMadeWithADictionary_isRefusedByName() throws IOException {
    byte[] dictionary = Corpora.utf8("a title, a date and a body ".repeat(20));
    String message =
        refusal(Zstd.compress(LINES, new ZstdDictCompress(trainedDictionary(dictionary), 3)));
    assertTrue(message.endsWith("; the frame must be made without a dictionary"), message);
  }

  /** Trained on samples, as only such a dictionary has a number that frames name. */
  private static byte[] trainedDictionary(byte[] text) {
    byte[][] samples = new byte[500][];
    Random random = new Random(3);
    for (int i = 0; i < samples.length; i++) {
      int from = random.nextInt(LINES.length - 200);
      samples[i] = Corpora.concat(text, Arrays.copyOfRange(LINES, from, from + 200));
    }
    byte[] trained = new byte[1 << 12];
    long length = Zstd.trainFromBuffer(samples, trained);
    return Arrays.copyOf(trained, (int) length);
  }

  private static byte windowOf(int log) {
    return (byte) (log - 10 << 3);
  }

  /** However a text is cut into members, frames and padding, it comes out whole. */
  @Property(tries = 60)
  void parse_anyMembersAndPadding_giveTheWholeText(
      @ForAll Compression compression, @ForAll long seed) throws IOException {
    if (compression == Compression.NONE) {
      return;
    }
    Random random = new Random(seed);
    byte[] archive = {};
    for (int from = 0; from < LINES.length; ) {
      int to = Math.min(LINES.length, from + random.nextInt(LINES.length));
      byte[] member = Corpora.pack(compression, Arrays.copyOfRange(LINES, from, to));
      byte[] between = from == 0 ? new byte[0] : new byte[random.nextInt(3) * random.nextInt(40)];
      byte[] skipped =
          compression == Compression.ZSTD && random.nextBoolean() ? SKIPPABLE : new byte[0];
      archive = Corpora.concat(archive, between, skipped, member);
      from = to;
    }
    Path file = Files.createTempFile("archive", ".txt");
    try {
      Files.write(file, Corpora.concat(archive, new byte[random.nextInt(2000)]));
      ReadProblems told = new ReadProblems();
      assertEquals(
          Corpora.read(DocumentSources.parse(plain().toString(), 1), new ReadProblems()),
          Corpora.read(DocumentSources.parse(file.toString(), 1), told));
      assertEquals("0 malformed, 0 skipped, 0 undated", told.toString());
    } finally {
      Files.delete(file);
    }
  }

  private static Path plain;

  private static Path plain() throws IOException {
    if (plain == null) {
      plain = Files.write(Files.createTempFile("plain", ".txt"), LINES);
    }
    return plain;
  }

  @AfterContainer
  static void deletePlain() throws IOException {
    if (plain != null) {
      Files.delete(plain);
    }
  }

  private Path file() {
    return directory.resolve("documents");
  }

  private DocumentSource source(byte[] content) throws IOException {
    return DocumentSources.parse(Files.write(file(), content).toString(), 1);
  }

  private String refusal(byte[] content) {
    return assertThrows(IllegalArgumentException.class, () -> source(content)).getMessage();
  }
}
