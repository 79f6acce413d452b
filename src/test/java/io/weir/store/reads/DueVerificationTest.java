package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.index.CorruptIndexException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that another process has written, as a merge verifies it when it first reads it. */
class DueVerificationTest {

  private static final int STRETCH = DueVerification.OfWholeFile.STRETCH_BYTES;
  private static final int PIECE = MergeReadInput.PIECE_BYTES;
  private static final int START = 100; // in its compound file

  private byte[] bytes; // what has a checksum in the footer
  private long footer;
  private final List<Long> read = new ArrayList<>(); // where each piece began
  private int asked;
  private int verified; // as Lucene does

  private final class File implements DueVerification.Checked {

    @Override
    public BlockChecksums checksums() {
      return null;
    }

    @Override
    public DueVerification.Checked container() {
      return this;
    }

    @Override
    public long start() {
      return START;
    }

    @Override
    public long length() {
      return bytes.length + Long.BYTES;
    }

    @Override
    public int checksum(long offset, long count) {
      assertEquals(read.size() + 1, asked, "asked before each piece");
      read.add(offset - START);
      return (int) crc((int) offset - START, (int) count);
    }

    @Override
    public void verify() throws CorruptIndexException {
      verified++;
      if (crc(0, bytes.length) != footer) {
        throw new CorruptIndexException("damaged", "file");
      }
    }

    @Override
    public boolean isReadOnce() {
      return true;
    }

    @Override
    public long footerChecksum() {
      return footer;
    }
  }

  private long crc(int from, int count) {
    CRC32 sum = new CRC32();
    sum.update(bytes, from, count);
    return sum.getValue();
  }

  private DueVerification putOff(int length) {
    bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    footer = crc(0, length);
    DueVerification due = new DueVerification.OfMerge().of(new File());
    due.putOff();
    return due;
  }

  @ParameterizedTest
  @ValueSource(ints = {8, PIECE, PIECE + 1, STRETCH, STRETCH + 1, 2 * STRETCH + 3 * PIECE + 5})
  void file_isVerifiedOnce_fromItsLastStretchToItsFirst(int length) throws Exception {
    DueVerification due = putOff(length);
    due.verify(0, 1, () -> asked++);
    assertEquals(0, verified, "the checksum was that of the footer");
    List<Long> expected = new ArrayList<>();
    for (long stretch = (length - 1L) / STRETCH * STRETCH; stretch >= 0; stretch -= STRETCH) {
      long end = Math.min(length, stretch + STRETCH);
      for (long at = stretch; at < end; at += PIECE) {
        expected.add(at);
      }
    }
    assertEquals(expected, read);
    due.verify(length / 2, length, () -> asked++);
    assertEquals(expected.size(), asked, "all of it was verified");
  }

  @Test
  void nothing_isReadBeforeItIsPutOff() throws Exception {
    DueVerification due = new DueVerification.OfMerge().of(new File());
    due.verify(0, 1, () -> asked++);
    assertEquals(0, asked);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, STRETCH - 1, STRETCH, 2 * STRETCH + 4})
  void damagedFile_isRefusedAtEachRead(int damaged) {
    DueVerification due = putOff(2 * STRETCH + 5);
    bytes[damaged] ^= 1;
    for (int i = 1; i <= 2; i++) {
      asked = 0;
      read.clear();
      assertThrows(CorruptIndexException.class, () -> due.verify(0, 1, () -> asked++));
      assertEquals(i, verified);
    }
  }

  /** It was replaced while it was read: Lucene's own verification decides. */
  @Test
  void file_thatLuceneFindsIntact_isIntact() throws Exception {
    DueVerification due = putOff(STRETCH);
    byte[] intact = Arrays.copyOf(bytes, bytes.length);
    bytes[5] ^= 1;
    due.verify(
        0,
        1,
        () -> {
          if (++asked == 2) {
            bytes = intact;
          }
        });
    assertEquals(1, verified);
    due.verify(0, 1, () -> asked++);
    assertEquals(STRETCH / PIECE, asked);
  }
}
