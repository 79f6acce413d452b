package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.held.HeapIndexInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of which the blocks are known, as a merge verifies it. */
class MergedFileTest {

  private static final int BLOCK = BlockChecksums.LEAST_BLOCK_BYTES;
  private static final int LENGTH = 3 * BLOCK + 77;

  private final OrdinaryReads.Account account = new OrdinaryReads.Account();
  private byte[] bytes;
  private BlockChecksums blocks;
  private OrdinaryReads reads;
  private int asked;

  @TempDir Path temp;

  @BeforeEach
  void begin() throws IOException {
    byte[] content = new byte[LENGTH - CodecUtil.footerLength()];
    new Random(7).nextBytes(content);
    ByteBuffersDataOutput written = new ByteBuffersDataOutput();
    AtomicReference<BlockChecksums> noted = new AtomicReference<>();
    try (IndexOutput out =
        new BlockChecksums.Output(
            new ByteBuffersIndexOutput(written, "file", "file"), noted::set)) {
      for (int at = 0; at < content.length; at += BLOCK) {
        out.writeBytes(content, at, Math.min(BLOCK, content.length - at));
      }
      CodecUtil.writeFooter(out);
    }
    bytes = written.toArrayCopy();
    blocks = noted.get();
    MergeReadPacing.begin(() -> asked++, segment -> 1);
  }

  @AfterEach
  void end() {
    MergeReadPacing.end();
    reads.close();
  }

  /** As it is on the disk, and as the directory shows it. */
  private MergedFile file(String name, byte[] stored) throws IOException {
    Path path = Files.write(temp.resolve("file"), stored);
    reads = new OrdinaryReads(Optional.of(path), Optional.empty(), account);
    return new MergedFile(
        name, shown(), reads, Optional.of(blocks), new KeptChecksums(Optional.empty()));
  }

  private IndexInput shown() {
    return new HeapIndexInput("file", bytes, () -> {});
  }

  private void damage(int block) {
    bytes[block * BLOCK + 5] ^= 1;
  }

  private static void putOff(MergedFile file, IndexInput clone) throws IOException {
    IndexInput toVerify = MergeReadInput.of(clone, file, true);
    assertEquals(CodecUtil.footerLength(), toVerify.length(), "nothing of it is read");
    assertTrue(file.isDue());
  }

  @Test
  void copying_verifiesEachBlockOnce_andAsksBeforeIt() throws IOException {
    MergedFile file = file("_0.doc", bytes);
    putOff(file, shown());
    assertEquals(0, account.bytes());
    IndexInput input = MergeReadInput.of(shown(), file, false);
    assertEquals(bytes[0], input.readByte());
    assertEquals(1, asked);
    long first = account.bytes();
    assertTrue(first >= BLOCK && first < 2 * BLOCK, first + " bytes were read");

    byte[] all = new byte[LENGTH];
    input.seek(0);
    input.readBytes(all, 0, LENGTH);
    assertArrayEquals(bytes, all);
    MergeReadInput.of(shown(), file, false).readBytes(all, 0, LENGTH);
    assertTrue(account.bytes() <= 3L * LENGTH + BLOCK, "verified once, and read by two clones");
    MergeReadPacing.verifyRest();
    assertFalse(file.isDue(), "the merge has read its input");
  }

  @Test
  void copying_ofADamagedBlock_handsOutWhatIsBeforeIt_andNoByteOfIt() throws IOException {
    damage(2);
    MergedFile file = file("_0.pos", bytes);
    putOff(file, shown());
    IndexInput input = MergeReadInput.of(shown(), file, false);
    byte[] intact = new byte[2 * BLOCK];
    input.readBytes(intact, 0, intact.length);
    assertArrayEquals(Arrays.copyOf(bytes, intact.length), intact);
    for (int i = 0; i < 2; i++) {
      assertThrows(CorruptIndexException.class, input::readByte);
    }
    input.seek(1);
    assertEquals(bytes[1], input.readByte());
  }

  /** Lucene verifies all of a file, also what it does not merge. */
  @Test
  void verifyRest_ofADamagedBlockThatWasNotRead_fails() throws IOException {
    damage(2);
    MergedFile file = file("_0.fdt", bytes);
    putOff(file, shown());
    MergeReadInput.of(shown(), file, false).readByte();
    assertThrows(CorruptIndexException.class, MergeReadPacing::verifyRest);
  }

  @Test
  void verifyRest_ofWhatWasNotPutOff_readsNothing() throws IOException {
    damage(2);
    MergedFile file = file("_0.fdt", bytes);
    MergeReadInput.of(shown(), file, false).readByte();
    long before = account.bytes();
    MergeReadPacing.verifyRest();
    assertEquals(before, account.bytes());
  }

  @Test
  void slice_ofDocValues_isVerifiedWhenItIsTaken_andThatOfTheMapping() throws IOException {
    damage(1);
    MergedFile file = file("_0.dvd", bytes);
    IndexInput input = MergeReadInput.of(shown(), file, false);
    assertTrue(file.isReadByMerges());
    assertEquals(
        bytes[BLOCK + 5],
        input.slice("field", BLOCK, 9).clone().randomAccessSlice(0, 9).readByte(5),
        "it is not asked to verify");
    putOff(file, shown());
    IndexInput slice = input.slice("field", 2 * BLOCK, BLOCK);
    assertSame(shown().slice("field", 0, 9).getClass(), slice.getClass());
    assertEquals(bytes[2 * BLOCK], slice.readByte());
    assertEquals(bytes[7], input.randomAccessSlice(0, BLOCK).readByte(7));
    assertThrows(CorruptIndexException.class, () -> input.slice("field", BLOCK - 1, 2));
    assertThrows(CorruptIndexException.class, () -> input.randomAccessSlice(0, BLOCK + 1));
  }

  /** Little of it may be read: the table of the last field, for example. */
  @Test
  void slice_toTheEndOfAFile_isVerifiedWhereItIsRead() throws IOException {
    damage(1);
    MergedFile file = file("_0.dvd", bytes);
    putOff(file, shown());
    IndexInput slice = MergeReadInput.of(shown(), file, false).slice("rest", 1, LENGTH - 1);
    assertEquals(bytes[1], slice.readByte());
    slice.seek(2 * BLOCK);
    assertEquals(bytes[2 * BLOCK + 1], slice.readByte());
    slice.seek(BLOCK);
    assertThrows(CorruptIndexException.class, slice::readByte);
  }

  @Test
  void read_withoutAClone_isVerified() throws IOException {
    damage(1);
    MergedFile file = file("_0.kdd", bytes);
    file.verifyDue(BLOCK, 1);
    putOff(file, shown());
    file.verifyDue(0, BLOCK);
    assertThrows(CorruptIndexException.class, () -> file.verifyDue(0, BLOCK + 1));
  }

  @Test
  void file_thatWasReplacedByAnIntactOne_isVerifiedAsAWhole_andItsBlocksAreForgotten()
      throws IOException {
    byte[] other = bytes.clone();
    other[BLOCK] ^= 1;
    ByteBuffersDataOutput whole = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(whole, "file", "file")) {
      out.writeBytes(other, LENGTH - CodecUtil.footerLength());
      CodecUtil.writeFooter(out);
    }
    bytes = whole.toArrayCopy();
    MergedFile file = file("_0.dvd", bytes);
    putOff(file, shown());
    byte[] all = new byte[LENGTH];
    MergeReadInput.of(shown(), file, false).readBytes(all, 0, LENGTH);
    assertArrayEquals(bytes, all);
    assertTrue(blocks.isOutdated());
    MergeReadPacing.end();
    MergeReadPacing.begin(() -> asked++, segment -> 1);
    assertEquals(LENGTH, MergeReadInput.of(shown(), file, true).length(), "verified at once");
  }

  @Test
  void blocks_ofAFileOfAnotherLength_areNotUsed() throws IOException {
    bytes = Arrays.copyOf(bytes, LENGTH - 1);
    MergedFile file = file("_0.dvd", bytes);
    assertEquals(LENGTH - 1, MergeReadInput.of(shown(), file, true).length());
    assertFalse(file.isDue());
  }

  /** The checksums are those of the bytes that were written, which a directory may encrypt. */
  @Test
  void bytes_thatAreOthersOnTheDisk_areVerifiedAsTheDirectoryShowsThem() throws IOException {
    byte[] encrypted = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      encrypted[i] = (byte) (bytes[i] ^ 0x55);
    }
    damage(2);
    MergedFile file = file("_0.doc", encrypted);
    putOff(file, shown());
    IndexInput input = MergeReadInput.of(shown(), file, false);
    input.seek(BLOCK);
    assertEquals(bytes[BLOCK], input.readByte());
    input.seek(2 * BLOCK);
    assertThrows(CorruptIndexException.class, input::readByte);
    assertEquals(0, account.faults());
  }

  @Test
  void interrupted_verifiesThroughTheMapping() throws IOException {
    damage(2);
    MergedFile file = file("_0.doc", bytes);
    putOff(file, shown());
    IndexInput input = MergeReadInput.of(shown(), file, false);
    input.readByte();
    Thread.currentThread().interrupt();
    input.seek(BLOCK);
    assertEquals(bytes[BLOCK], input.readByte());
    assertTrue(Thread.interrupted());
    input.seek(2 * BLOCK);
    assertThrows(CorruptIndexException.class, input::readByte);
    assertEquals(1, account.faults());
  }

  /** Files inside one compound file share a block. */
  @Test
  void file_insideACompoundFile_isVerifiedByItsBlocks() throws IOException {
    MergedFile compound = file("_0.cfs", bytes);
    assertEquals(LENGTH, MergeReadInput.of(shown(), compound, true).length(), "verified at once");
    IndexInput part = shown().slice("_0.doc", BLOCK + 10, BLOCK);
    MergedFile file = compound.inside("_0.doc", part, BLOCK + 10);
    putOff(file, part);
    IndexInput input = MergeReadInput.of(part.clone(), file, false);
    input.seek(0);
    assertEquals(bytes[BLOCK + 10], input.readByte());
    input.seek(BLOCK - 1);
    assertEquals(bytes[2 * BLOCK + 9], input.readByte());
    assertTrue(account.bytes() < LENGTH, "two blocks of four");
  }
}
