package io.weir.store.held;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.Test;

/** Against the same bytes in one buffer, with blocks so small that all reads cross their ends. */
class HeapIndexInputTest {

  private static final int BLOCK_BYTES = 4;

  private final Random random = new Random(42);
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void reads_ofEveryLengthAtEveryPlace_areTheBytes() throws IOException {
    for (int length = 0; length <= 3 * BLOCK_BYTES + 1; length++) {
      byte[] bytes = bytes(length);
      check(bytes, input(bytes));
    }
  }

  @Test
  void slices_ofEveryPart_areTheBytesAndNoOthers() throws IOException {
    byte[] bytes = bytes(3 * BLOCK_BYTES + 3);
    HeapIndexInput whole = input(bytes);
    for (int from = 0; from <= bytes.length; from++) {
      for (int to = from; to <= bytes.length; to++) {
        byte[] part = Arrays.copyOfRange(bytes, from, to);
        check(part, (HeapIndexInput) whole.slice("part", from, to - from));
      }
    }
  }

  @Test
  void clone_isWhereItsParentWas_andGoesItsOwnWay() throws IOException {
    byte[] bytes = bytes(10);
    HeapIndexInput input = input(bytes);
    input.seek(7);
    HeapIndexInput clone = (HeapIndexInput) input.clone();
    assertEquals(bytes[7], clone.readByte());
    assertEquals(7, input.getFilePointer());
    assertEquals(8, clone.getFilePointer());
  }

  @Test
  void close_tellsOnce_andOnlyWhatWasOpened() throws IOException {
    byte[] bytes = bytes(9);
    HeapIndexInput input = new HeapIndexInput("test", bytes, closed::incrementAndGet);
    HeapIndexInput clone = (HeapIndexInput) input.clone();
    clone.close();
    assertEquals(0, closed.get());
    HeapIndexInput open = (HeapIndexInput) input.clone();
    input.close();
    input.close();
    assertEquals(1, closed.get());
    assertThrows(AlreadyClosedException.class, input::readByte);
    assertThrows(AlreadyClosedException.class, () -> input.readLong(0));
    assertThrows(AlreadyClosedException.class, () -> input.readBytes(new byte[1], 0, 1));
    assertEquals(bytes[0], open.readByte());
  }

  private static void check(byte[] bytes, HeapIndexInput input) throws IOException {
    ByteBuffer expected = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(bytes.length, input.length());
    for (int pos = 0; pos <= bytes.length; pos++) {
      input.seek(pos);
      assertEquals(pos, input.getFilePointer());
      int left = bytes.length - pos;
      if (left >= Long.BYTES) {
        assertEquals(expected.getLong(pos), input.readLong(pos));
        assertEquals(pos, input.getFilePointer(), "a read by position leaves it alone");
        assertEquals(expected.getLong(pos), input.readLong());
        assertEquals(pos + Long.BYTES, input.getFilePointer());
      } else {
        assertThrows(EOFException.class, () -> input.readLong(input.getFilePointer()));
        assertThrows(EOFException.class, input::readLong);
      }
      input.seek(pos);
      if (left >= Integer.BYTES) {
        assertEquals(expected.getInt(pos), input.readInt(pos));
        assertEquals(expected.getInt(pos), input.readInt());
      } else {
        assertThrows(EOFException.class, input::readInt);
      }
      input.seek(pos);
      if (left >= Short.BYTES) {
        assertEquals(expected.getShort(pos), input.readShort(pos));
        assertEquals(expected.getShort(pos), input.readShort());
      } else {
        assertThrows(EOFException.class, input::readShort);
      }
      input.seek(pos);
      if (left >= 1) {
        assertEquals(bytes[pos], input.readByte(pos));
        assertEquals(bytes[pos], input.readByte());
      } else {
        assertThrows(EOFException.class, input::readByte);
      }
      checkArrays(bytes, input, pos);
    }
    assertThrows(EOFException.class, () -> input.seek(bytes.length + 1));
  }

  private static void checkArrays(byte[] bytes, HeapIndexInput input, int pos) throws IOException {
    for (int count = 0; count <= bytes.length - pos; count++) {
      byte[] read = new byte[count];
      input.seek(pos);
      input.readBytes(read, 0, count);
      assertArrayEquals(Arrays.copyOfRange(bytes, pos, pos + count), read);
      assertEquals(pos + count, input.getFilePointer());
      byte[] byPosition = new byte[count + 1];
      input.readBytes((long) pos, byPosition, 1, count);
      assertArrayEquals(read, Arrays.copyOfRange(byPosition, 1, count + 1));
    }
    byte[] tooMany = new byte[bytes.length - pos + 1];
    input.seek(pos);
    assertThrows(EOFException.class, () -> input.readBytes(tooMany, 0, tooMany.length));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private HeapIndexInput input(byte[] bytes) {
    byte[][] blocks = new byte[(bytes.length + BLOCK_BYTES - 1) / BLOCK_BYTES][];
    for (int i = 0; i < blocks.length; i++) {
      int from = i * BLOCK_BYTES;
      blocks[i] = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + BLOCK_BYTES));
    }
    return new HeapIndexInput("test", blocks, BLOCK_BYTES, bytes.length, () -> {});
  }
}
