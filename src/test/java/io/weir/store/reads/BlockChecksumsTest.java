package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.FilterIndexOutput;
import org.junit.jupiter.api.Test;

class BlockChecksumsTest {

  private static final int BLOCK = BlockChecksums.LEAST_BLOCK_BYTES;

  @Property(tries = 200)
  void checksum_ofTwoParts_isThatOfTheFirstFollowedByTheSecond(
      @ForAll @Size(max = 50) byte[] first, @ForAll @LongRange(max = 70_000) long length) {
    byte[] second = new byte[(int) length];
    new Random(length).nextBytes(second);
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);

    assertEquals(
        crc(both, 0, both.length),
        BlockChecksums.followedBy(length, crc(first, 0, first.length))
            ^ crc(second, 0, second.length));
  }

  @Property(tries = 30)
  void output_whateverIsWritten_notesWhatEachBlockHas(
      @ForAll long seed, @ForAll @LongRange(max = 5 * (256 << 10)) long length) throws IOException {
    Random random = new Random(seed);
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    AtomicReference<BlockChecksums> noted = new AtomicReference<>();
    try (BlockChecksums.Output out =
        new BlockChecksums.Output(
            new ByteBuffersIndexOutput(bytes, "file", "file", new CRC32(), b -> {}), noted::set)) {
      while (out.getFilePointer() < length) {
        write(out, random);
      }
      assertNull(noted.get(), "it is not complete");
    }

    byte[] written = bytes.toArrayCopy();
    BlockChecksums checksums = noted.get();
    assertEquals(written.length, checksums.length());
    int block = 0;
    for (int begin = 0; begin < written.length; block++) {
      assertEquals(begin, checksums.begin(block));
      int end = (int) checksums.end(block);
      assertTrue(end - begin >= BLOCK || end == written.length, "block " + block);
      assertEquals(block, checksums.blockAt(begin));
      assertEquals(block, checksums.blockAt(end - 1));
      assertEquals(crc(written, begin, end), checksums.ofBlock(block), "block " + block);
      begin = end;
    }
  }

  @Test
  void output_aWriteOverTheEndOfABlock_isNotDivided() throws IOException {
    List<Integer> writes = new ArrayList<>();
    AtomicReference<BlockChecksums> noted = new AtomicReference<>();
    try (BlockChecksums.Output out =
        new BlockChecksums.Output(
            new FilterIndexOutput(
                "recorded",
                "recorded",
                new ByteBuffersIndexOutput(
                    new ByteBuffersDataOutput(), "file", "file", new CRC32(), b -> {})) {
              @Override
              public void writeBytes(byte[] b, int offset, int length) throws IOException {
                writes.add(length);
                super.writeBytes(b, offset, length);
              }
            },
            noted::set)) {
      for (int i = 0; i < 3; i++) {
        out.writeBytes(new byte[BLOCK - 1], BLOCK - 1);
      }
    }
    assertEquals(List.of(BLOCK - 1, BLOCK - 1, BLOCK - 1), writes);
    assertEquals(2 * BLOCK - 2, noted.get().end(0));
    assertEquals(3 * BLOCK - 3, noted.get().end(1));
  }

  private static void write(BlockChecksums.Output out, Random random) throws IOException {
    int toEnd = BLOCK - (int) (out.getFilePointer() % BLOCK);
    if (toEnd > 20 && random.nextInt(4) == 0) { // so that numbers lie across the end of a block
      byte[] fill = new byte[toEnd - 1 - random.nextInt(10)];
      random.nextBytes(fill);
      out.writeBytes(fill, fill.length);
    }
    switch (random.nextInt(6)) {
      case 0 -> out.writeByte((byte) random.nextInt());
      case 1 -> out.writeShort((short) random.nextInt());
      case 2 -> out.writeInt(random.nextInt());
      case 3 -> out.writeLong(random.nextLong());
      case 4 -> {
        byte[] more = new byte[random.nextInt(3 * BLOCK)];
        random.nextBytes(more);
        out.writeBytes(more, more.length / 3, more.length - more.length / 3);
      }
      default -> {
        byte[] more = new byte[random.nextInt(BLOCK)];
        random.nextBytes(more);
        out.copyBytes(new ByteArrayDataInput(more), more.length);
      }
    }
  }

  @Test
  void output_writesWhatItIsGiven_inLucenesOrder() throws IOException {
    ByteBuffersDataOutput plain = new ByteBuffersDataOutput();
    ByteBuffersDataOutput noted = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput expected = new ByteBuffersIndexOutput(plain, "file", "file");
        BlockChecksums.Output out =
            new BlockChecksums.Output(
                new ByteBuffersIndexOutput(noted, "file", "file"), blocks -> {})) {
      for (int before = BLOCK - 9; before <= BLOCK; before++) { // over each byte of the numbers
        byte[] fill = new byte[before];
        expected.writeBytes(fill, before);
        out.writeBytes(fill, before);
        expected.writeLong(0x0123456789ABCDEFL);
        out.writeLong(0x0123456789ABCDEFL);
        expected.writeInt(0x01234567);
        out.writeInt(0x01234567);
        expected.writeShort((short) 0x0123);
        out.writeShort((short) 0x0123);
        assertEquals(expected.getFilePointer(), out.getFilePointer());
        assertEquals(expected.getChecksum(), out.getChecksum());
      }
    }
    assertArrayEquals(plain.toArrayCopy(), noted.toArrayCopy());
  }

  @Test
  void output_whoseCloseFails_handsNothingOver() throws IOException {
    AtomicReference<BlockChecksums> noted = new AtomicReference<>();
    BlockChecksums.Output out =
        new BlockChecksums.Output(
            new FilterIndexOutput(
                "full",
                "full",
                new ByteBuffersIndexOutput(new ByteBuffersDataOutput(), "file", "file")) {
              @Override
              public void close() throws IOException {
                super.close();
                throw new IOException("the disk is full");
              }
            },
            noted::set);
    out.writeInt(1);
    assertTrue(assertThrows(IOException.class, out::close).getMessage().contains("full"));
    out.close();
    assertNull(noted.get());
  }

  private static int crc(byte[] bytes, int begin, int end) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes, begin, end - begin);
    return (int) checksum.getValue();
  }
}
