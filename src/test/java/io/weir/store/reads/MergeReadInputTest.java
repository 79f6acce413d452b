package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.SliceHint;
import io.weir.store.Disk;
import io.weir.store.held.HeapIndexInput;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MergeReadInputTest {

  private static final int FULL = MergeReadInput.PIECE_BYTES;
  private static final int FIRST = MergeReadInput.FIRST_PIECE_BYTES;
  private static final long START = 1000;

  private final byte[] bytes = new byte[3 * FULL + 77];
  private final List<Piece> pieces = new ArrayList<>();
  private int asked;

  /** A part of the file. */
  private record Piece(long start, long length) {}

  private final MergeReadInput.MergedFile file =
      new MergeReadInput.MergedFile(
          (offset, length) -> pieces.add(new Piece(offset - START, length)), START, true);

  private boolean loaded;
  private int reads;

  private IndexInput disk() {
    new Random(7).nextBytes(bytes);
    return new Disk(new HeapIndexInput("file", bytes, () -> {}));
  }

  /** The same with a checksum at its end. */
  private IndexInput whole() throws IOException {
    IndexInput disk = disk();
    ByteBuffersDataOutput whole = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(whole, "file", "file")) {
      out.writeBytes(bytes, bytes.length - CodecUtil.footerLength());
      CodecUtil.writeFooter(out);
    }
    System.arraycopy(whole.toArrayCopy(), 0, bytes, 0, bytes.length);
    return disk;
  }

  /** A clone that a merge copies from, on a thread that merges. */
  private IndexInput merging(IndexInput whole) {
    MergeReadPacing.begin(() -> asked++);
    return MergeReadInput.copying(whole, file);
  }

  @AfterEach
  void end() {
    MergeReadPacing.end();
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
      return Optional.of(loaded);
    }
  }

  @Test
  void verifying_whatIsInMemory_readsNothingAhead() throws IOException {
    MergeReadInput input = MergeReadInput.verifying(disk(), file, () -> asked++);
    byte[] read = new byte[bytes.length];
    loaded = true;
    input.readBytes(read, 0, FULL);
    loaded = false;
    input.readBytes(read, FULL, read.length - FULL);
    assertArrayEquals(bytes, read);
    assertEquals(
        List.of(new Piece(FULL, FULL), new Piece(2L * FULL, FULL), new Piece(3L * FULL, 77)),
        pieces);
    assertEquals(4, asked);
  }

  @Test
  void verifying_readsEachByteOnce_inFullPieces_andAsksBeforeEach() throws IOException {
    MergeReadInput input = MergeReadInput.verifying(disk(), file, () -> asked++);
    byte[] read = new byte[bytes.length];
    input.readBytes(read, 0, 10);
    assertEquals(List.of(new Piece(0, FULL)), pieces, "only what is read next");
    input.readBytes(read, 10, read.length - 10);
    assertArrayEquals(bytes, read);
    assertEquals(
        List.of(
            new Piece(0, FULL),
            new Piece(FULL, FULL),
            new Piece(2L * FULL, FULL),
            new Piece(3L * FULL, 77)),
        pieces);
    assertEquals(4, asked);
    assertThrows(EOFException.class, input::readByte);
  }

  @Test
  void copying_inOrder_readsLongerPieces() throws IOException {
    MergeReadInput input = MergeReadInput.copying(disk(), file);
    for (int i = 0; i < bytes.length; i++) {
      assertEquals(bytes[i], input.readByte());
    }
    assertEquals(new Piece(0, FIRST), pieces.getFirst());
    assertEquals(new Piece(FIRST, 2 * FIRST), pieces.get(1));
    assertEquals(new Piece(3 * FIRST, 4 * FIRST), pieces.get(2));
    assertEquals(new Piece(7 * FIRST, FULL), pieces.get(3));
    assertEquals(bytes.length, pieces.stream().mapToLong(Piece::length).sum());
  }

  @Test
  void copying_afterAJump_readsAShortPiece() throws IOException {
    MergeReadInput input = MergeReadInput.copying(disk(), file);
    input.readBytes(new byte[FULL], 0, FULL);
    pieces.clear();
    input.seek(3L * FULL);
    input.readByte();
    input.seek(5);
    input.readByte();
    assertEquals(List.of(new Piece(3L * FULL, 77), new Piece(5, FIRST)), pieces);
  }

  @Test
  void copying_overAGap_goesOnWithLongerPieces() throws IOException {
    MergeReadInput input = MergeReadInput.copying(disk(), file);
    input.readByte();
    input.seek(FIRST + 100);
    input.readByte();
    assertEquals(List.of(new Piece(0, FIRST), new Piece(FIRST + 100, 2 * FIRST)), pieces);
  }

  @Test
  void seek_withinAPiece_readsNothingAgain() throws IOException {
    MergeReadInput input = MergeReadInput.verifying(disk(), file, null);
    input.readByte();
    input.seek(100);
    assertEquals(bytes[100], input.readByte());
    input.seek(FULL - 1);
    assertEquals(bytes[FULL - 1], input.readByte());
    assertEquals(List.of(new Piece(0, FULL)), pieces);
    input.readByte();
    assertEquals(List.of(new Piece(0, FULL), new Piece(FULL, FULL)), pieces);
  }

  @Test
  void copying_smallReads_areOfAnArray() throws IOException {
    MergeReadInput input = MergeReadInput.copying(disk(), file);
    for (int at = 0; at < bytes.length; at++) {
      assertEquals(at, input.getFilePointer());
      assertEquals(bytes[at], input.readByte());
    }
    int buffers = 1 + bytes.length / MergeReadInput.BUFFER_BYTES;
    assertEquals(buffers, reads, "one each 8 KiB");
    input.seek(bytes.length - 20);
    input.readBytes(new byte[20], 0, 20);
    assertEquals(buffers, reads, "they were in the array");
    assertThrows(EOFException.class, input::readByte);
  }

  /** Whatever the order of reads, seeks and clones, each byte is that of the file. */
  @Test
  void copying_anyCalls_readTheFile() throws IOException {
    IndexInput input = MergeReadInput.copying(disk(), file);
    MergeReadPacing.begin(() -> asked++);
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
  void clone_ofAThreadThatDoesNotMerge_isThatOfTheFile() {
    assertEquals(Disk.class, MergeReadInput.copying(disk(), file).clone().getClass());
  }

  @Test
  void copying_whatLuceneVerifies_isVerifiedWhenItIsRead_andThenRead() throws IOException {
    IndexInput input = merging(whole());
    CodecUtil.checksumEntireFile(input);
    assertEquals(List.of(), pieces, "nothing was read");
    assertEquals(bytes[0], input.readByte());
    assertEquals(new Piece(0, FULL), pieces.getFirst(), "it was verified first");
    assertEquals(new Piece(0, FIRST), pieces.getLast());
    assertEquals(bytes.length + FIRST, pieces.stream().mapToLong(Piece::length).sum());
    assertEquals(4, asked);
  }

  @Test
  void copying_fromADamagedFile_handsOutNoByte() throws IOException {
    IndexInput input = merging(whole());
    input.readByte(); // before Lucene verifies it
    bytes[2 * FULL] ^= 1;
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
    IndexInput input = MergeReadInput.verifying(whole(), file, () -> asked++);
    MergeReadPacing.begin(() -> asked++);
    CodecUtil.checksumEntireFile(input);
    assertEquals(bytes.length, pieces.stream().mapToLong(Piece::length).sum());
  }
}
