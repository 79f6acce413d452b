package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import io.weir.store.held.HeapIndexInput;
import io.weir.store.kernel.MarkedPages;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class MergeReadInputTest {

  private static final int FULL = MergeReadInput.PIECE_BYTES;
  private static final int FIRST = MergeReadInput.FIRST_PIECE_BYTES;
  private static final long START = 1000;

  private final byte[] bytes = new byte[3 * FULL + 77];
  private final OrdinaryReads.Account account = new OrdinaryReads.Account();
  private final List<Long> loadedAsked = new ArrayList<>();
  private int asked;
  private int reads;
  private boolean loaded;

  @TempDir Path temp;

  private MergedFile file;

  /** Random bytes with a checksum at their end, as the directory below shows them. */
  private IndexInput disk() throws IOException {
    new Random(7).nextBytes(bytes);
    ByteBuffersDataOutput whole = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(whole, "file", "file")) {
      out.writeBytes(bytes, bytes.length - CodecUtil.footerLength());
      CodecUtil.writeFooter(out);
    }
    System.arraycopy(whole.toArrayCopy(), 0, bytes, 0, bytes.length);
    return new Disk(new HeapIndexInput("file", bytes, () -> {}));
  }

  /** The same, in a compound file on the disk. */
  private IndexInput stored() throws IOException {
    IndexInput disk = disk();
    store(disk, 0);
    return disk;
  }

  private void store(IndexInput disk, int xor) throws IOException {
    byte[] stored = new byte[(int) START + bytes.length + 5];
    for (int i = 0; i < bytes.length; i++) {
      stored[(int) START + i] = (byte) (bytes[i] ^ xor);
    }
    Path path = Files.write(temp.resolve("file"), stored);
    OrdinaryReads reads = new OrdinaryReads(Optional.of(path), Optional.empty(), account);
    byte[] shown = new byte[stored.length];
    System.arraycopy(bytes, 0, shown, (int) START, bytes.length);
    IndexInput compound = new HeapIndexInput("compound", shown, () -> {});
    file =
        new MergedFile(
                "_0.cfs", compound, reads, Optional.empty(), new KeptChecksums(Optional.empty()))
            .inside("_0.fdt", disk, START);
  }

  private MergeReadInput copying(IndexInput whole) {
    return MergeReadInput.copying(whole, file, () -> asked++, null, Optional.empty());
  }

  /** A clone that a merge copies from, on a thread that merges. */
  private IndexInput merging(IndexInput whole) {
    MergeReadPacing.begin(() -> asked++, segment -> 1);
    return MergeReadInput.of(whole, file, false);
  }

  @AfterEach
  void end() {
    MergeReadPacing.end();
    file.reads().close();
  }

  /** A mapped file that is in memory, or is not. */
  private final class Disk extends ForwardingIndexInput {

    Disk(IndexInput in) {
      super(in);
    }

    @Override
    public byte readByte() throws IOException {
      reads++;
      return super.readByte();
    }

    @Override
    public void readBytes(byte[] into, int offset, int length) throws IOException {
      reads++;
      super.readBytes(into, offset, length);
    }

    @Override
    public IndexInput clone() {
      return new Disk(super.clone());
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      return new Disk(super.slice(name, offset, length, hint));
    }

    @Override
    public Optional<Boolean> isLoaded() {
      loadedAsked.add(length());
      return Optional.of(loaded);
    }
  }

  private static byte[] all(IndexInput input) throws IOException {
    byte[] read = new byte[(int) input.length()];
    input.readBytes(read, 0, 10);
    input.readBytes(read, 10, read.length - 10);
    return read;
  }

  @Test
  void read_isOfTheFile_notOfItsMapping() throws IOException {
    assertArrayEquals(all(copying(stored())), bytes);
    assertEquals(2, reads, "the header and the checksum, to see that the bytes are the same");
    assertEquals(List.of(), loadedAsked);
    assertEquals(0, account.faults());
  }

  @Test
  void verifying_asksBeforeEachFullPiece() throws IOException {
    MergeReadInput input = MergeReadInput.verifying(stored(), file, () -> asked++);
    input.readByte();
    assertEquals(1, asked, "only what is read next");
    input.seek(0);
    assertArrayEquals(bytes, all(input));
    assertEquals(4, asked);
    assertThrows(EOFException.class, input::readByte);
  }

  @Test
  void copying_inOrder_asksForLongerPieces() throws IOException {
    MergeReadInput input = copying(stored());
    List<Integer> at = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      int before = asked;
      assertEquals(i, input.getFilePointer());
      assertEquals(bytes[i], input.readByte());
      if (asked > before) {
        at.add(i);
      }
    }
    assertEquals(List.of(0, FIRST, 3 * FIRST, 7 * FIRST), at.subList(0, 4));
    assertThrows(EOFException.class, input::readByte);
  }

  @Test
  void copying_afterAJump_asksForAShortPiece_andOverAGap_forALongerOne() throws IOException {
    MergeReadInput input = copying(stored());
    input.readBytes(new byte[FULL], 0, FULL);
    asked = 0;
    input.seek(3L * FULL);
    input.readByte();
    input.seek(5);
    input.readByte();
    input.seek(FIRST + 100);
    input.readByte();
    assertEquals(3, asked);
    input.seek(3 * FIRST - MergeReadInput.BUFFER_BYTES);
    input.readByte();
    assertEquals(3, asked, "the piece after a gap is twice as long");
  }

  @Test
  void otherBytesThanOfTheFile_areReadAsTheDirectoryShowsThem_andAhead() throws IOException {
    IndexInput disk = disk();
    store(disk, 0x55); // encrypted
    assertArrayEquals(bytes, all(MergeReadInput.verifying(disk, file, () -> asked++)));
    assertEquals(List.of((long) FULL, (long) FULL, (long) FULL, 77L), loadedAsked);
    assertEquals(bytes.length + 64L, account.bytes(), "read ahead, and compared");
    assertEquals(0, account.faults());
  }

  @Test
  void otherBytesThanOfTheFile_inMemory_areNotReadAhead() throws IOException {
    IndexInput disk = disk();
    store(disk, 0x55);
    loaded = true;
    assertArrayEquals(bytes, all(copying(disk)));
    assertEquals(64, account.bytes(), "the headers differ");
  }

  @Test
  void interrupted_readsThroughTheMapping() throws IOException {
    MergeReadInput input = copying(stored());
    input.readByte();
    Thread.currentThread().interrupt();
    input.seek(0);
    byte[] read = all(input);
    assertTrue(Thread.interrupted());
    assertArrayEquals(bytes, read);
    assertEquals(1, account.faults());
  }

  @Test
  void file_thatEndsEarly_isReadThroughTheMapping() throws IOException {
    MergeReadInput input = copying(stored());
    input.readByte();
    try (FileChannel channel = FileChannel.open(temp.resolve("file"), StandardOpenOption.WRITE)) {
      channel.truncate(START + FULL);
    }
    input.seek(0);
    assertArrayEquals(bytes, all(input));
    assertEquals(1, account.faults());
  }

  @Test
  void copying_inOrder_dropsBehindItself_whatReadersDidNotHave() throws IOException {
    IndexInput disk = stored();
    MarkedPages kernel = new MarkedPages("x.".repeat(640), 4096);
    Path path = temp.resolve("file");
    byte[] large = new byte[5 << 20];
    Files.write(path, large);
    OrdinaryReads reads = new OrdinaryReads(Optional.of(path), Optional.of(kernel), account);
    MergedFile merged =
        new MergedFile(
            "_0.doc", disk, reads, Optional.empty(), new KeptChecksums(Optional.empty()));
    MergeReadPacing.begin(() -> asked++, segment -> 1);
    IndexInput all = new HeapIndexInput("large", large, () -> {});
    try (MergeReadInput input = (MergeReadInput) MergeReadInput.of(all, merged, false)) {
      input.readBytes(new byte[3 << 20], 0, 3 << 20);
      input.readByte();
      long atThree = account.droppedBytes();
      assertEquals(1 << 20, atThree, "half of the pages of the first whole block");
      assertEquals("1+1.0", kernel.dropped().getFirst());
      input.seek(4 << 20);
      input.readByte();
      input.readBytes(new byte[100_000], 0, 100_000);
      assertEquals(
          atThree, account.droppedBytes(), "nothing of a block that was not read to its end");
      kernel.becomes("x".repeat(1280));
      MergeReadPacing.end();
      assertEquals(5 * 128, Set.copyOf(kernel.dropped()).size(), "the merge has ended");
    } finally {
      reads.close();
    }
    assertEquals(bytes.length, disk.length());
  }

  /** Whatever the order of reads, seeks and clones, each byte is that of the file. */
  @Test
  void copying_anyCalls_readTheFile() throws IOException {
    IndexInput input = copying(stored());
    MergeReadPacing.begin(() -> asked++, segment -> 1);
    Random random = new Random(11);
    int at = 0;
    for (int i = 0; i < 20_000; i++) {
      int most = bytes.length - at;
      int length = Math.min(most, random.nextInt(random.nextInt(8) == 0 ? 40_000 : 20));
      switch (random.nextInt(most < Long.BYTES ? 3 : 7)) {
        case 0 -> {
          at = random.nextInt(bytes.length);
          input.seek(at);
        }
        case 1 -> {
          input.skipBytes(length);
          at += length;
        }
        case 2 -> input = input.clone();
        case 3 -> {
          byte[] read = new byte[length];
          input.readBytes(read, 0, length);
          assertArrayEquals(Arrays.copyOfRange(bytes, at, at + length), read);
          at += length;
        }
        case 4 -> assertEquals(bytes[at++], input.readByte());
        case 5 -> {
          assertEquals((short) BitUtil.VH_LE_SHORT.get(bytes, at), input.readShort());
          at += Short.BYTES;
        }
        default -> {
          assertEquals((long) BitUtil.VH_LE_LONG.get(bytes, at), input.readLong());
          at += Long.BYTES;
        }
      }
      assertEquals(at, input.getFilePointer());
    }
  }

  @Test
  void copying_whatLuceneVerifies_isVerifiedWhenItIsRead_andThenRead() throws IOException {
    IndexInput input = merging(stored());
    CodecUtil.checksumEntireFile(input);
    assertEquals(0, asked, "nothing was read");
    assertEquals(bytes[0], input.readByte());
    assertEquals(4 + 1, asked, "all of it was verified first");
    input.readByte();
    assertEquals(4 + 1, asked);
  }

  @Test
  void copying_fromADamagedFile_handsOutNoByte() throws IOException {
    IndexInput input = merging(stored());
    input.readByte(); // before Lucene verifies it
    bytes[2 * FULL] ^= 1;
    try (FileChannel disk = FileChannel.open(temp.resolve("file"), StandardOpenOption.WRITE)) {
      disk.write(ByteBuffer.wrap(bytes, 2 * FULL, 1), START + 2 * FULL);
    }
    CodecUtil.checksumEntireFile(input);
    input.seek(1);
    List<Executable> reads =
        List.of(
            input::readByte,
            input::readByte,
            input::readInt,
            () -> input.readBytes(new byte[3], 0, 3),
            () -> input.clone().readByte(),
            () -> input.slice("slice", 5, 10).readByte(),
            () -> input.randomAccessSlice(5, 10).readByte(0));
    for (Executable read : reads) {
      assertThrows(CorruptIndexException.class, read);
    }
    MergeReadPacing.end();
    assertThrows(CorruptIndexException.class, () -> input.clone().readByte(), "another thread");
  }

  @Test
  void verifying_byAnotherThanTheCopy_isNotPutOff() throws IOException {
    IndexInput input = MergeReadInput.verifying(stored(), file, () -> asked++);
    MergeReadPacing.begin(() -> asked++, segment -> 1);
    CodecUtil.checksumEntireFile(input);
    assertEquals(4, asked);
  }
}
