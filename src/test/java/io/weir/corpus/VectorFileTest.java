package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorFileTest {

  private static final int MOST_DIMS = 1024;
  private static final String SHAPE = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

  @TempDir Path temp;

  @Test
  void vector_ofFvecs_isThatOfItsNumber() throws Exception {
    VectorFile file = open(fvecs(new float[] {1, 2, 3}, new float[] {4, 5, 6}));

    file.requireDirections();

    assertEquals(3, file.dims());
    assertEquals(2, file.count());
    assertArrayEquals(new float[] {1, 2, 3}, file.vector(0));
    assertArrayEquals(new float[] {4, 5, 6}, file.vector(1));
  }

  @Test
  void vector_ofNpy_isThatOfItsNumber() throws Exception {
    for (int version : new int[] {1, 2}) {
      VectorFile file = open(npy(version, SHAPE, 1, 2, 3, 4, 5, 6));

      file.requireDirections();

      assertEquals(3, file.dims());
      assertEquals(2, file.count());
      assertArrayEquals(new float[] {4, 5, 6}, file.vector(1));
    }
  }

  @Test
  void open_ofNoVectors_namesOffsetAndRule() throws Exception {
    assertOpenRefused("at byte 0: a file must have at least 1 vector: 0 bytes", new byte[0]);
    assertOpenRefused(
        "at byte 0: vectors must have from 1 to 1024 dimensions: 1025",
        fvecs(new float[MOST_DIMS + 1]));
    assertOpenRefused(
        "at byte 0: vectors must have from 1 to 1024 dimensions: -1",
        new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
    byte[] whole = fvecs(new float[] {1, 2}, new float[] {3, 4});
    assertOpenRefused(
        "at byte 12: a file must have at least 1 vector and end after the last one, 12 bytes each:"
            + " 23 bytes",
        ByteBuffer.allocate(whole.length - 1).put(whole, 0, whole.length - 1).array());
  }

  @Test
  void open_ofAnotherNpy_namesOffsetAndRule() throws Exception {
    String rule = "at byte 10: npy must be two-dimensional, of little-endian float32 (<f4), in C";
    assertOpenRefused(rule, npy(1, SHAPE.replace("<f4", "<f8"), 1, 2, 3, 4, 5, 6));
    assertOpenRefused(rule, npy(1, SHAPE.replace("False", "True"), 1, 2, 3, 4, 5, 6));
    assertOpenRefused(rule, npy(1, SHAPE.replace("(2, 3)", "(6,)"), 1, 2, 3, 4, 5, 6));
    assertOpenRefused("end after the last one", npy(1, SHAPE, 1, 2, 3, 4, 5));
    assertOpenRefused("at byte 8: the header of npy must end in the first", npyOfLength(60_000));
    assertOpenRefused(
        "at byte 6: npy must be of version 1 to 3: 0",
        new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'});
  }

  @Test
  void requireDirections_badVector_namesItsOffset() throws Exception {
    byte[] otherDims = fvecs(new float[] {1, 2}, new float[] {3, 4});
    otherDims[12] = 1;
    assertVectorRefused(
        "at byte 12: each vector must have the 2 dimensions of the first: 1", otherDims);
    assertVectorRefused(
        "at byte 20: a number of a vector must be finite: NaN",
        fvecs(new float[] {1, 2}, new float[] {3, Float.NaN}));
    assertVectorRefused(
        "at byte 16: a vector must have a number that is not 0: all are",
        fvecs(new float[] {1, 2}, new float[] {0, 0}));
  }

  private void assertVectorRefused(String message, byte[] content) throws IOException {
    VectorFile file = open(content);
    assertMessage(message, assertThrows(IllegalArgumentException.class, file::requireDirections));
  }

  private void assertOpenRefused(String message, byte[] content) {
    assertMessage(message, assertThrows(IllegalArgumentException.class, () -> open(content)));
  }

  private void assertMessage(String message, IllegalArgumentException thrown) {
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(temp.toString()), thrown.getMessage());
  }

  private VectorFile open(byte[] content) throws IOException {
    Path file = Files.createTempFile(temp, "vectors", "");
    return VectorFile.open(Files.write(file, content), MOST_DIMS);
  }

  private static byte[] npyOfLength(int length) {
    byte[] file = new byte[128];
    System.arraycopy(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, 0, file, 0, 8);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putShort(8, (short) length);
    return file;
  }

  private static byte[] npy(int version, String header, float... numbers) {
    byte[] text = (header + "\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer file =
        ByteBuffer.allocate(12 + text.length + Float.BYTES * numbers.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    file.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    file.put((byte) version).put((byte) 0);
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    file.put(text);
    for (float number : numbers) {
      file.putFloat(number);
    }
    byte[] content = new byte[file.position()];
    file.flip().get(content);
    return content;
  }

  /** The content of such a file. */
  static byte[] fvecs(float[]... vectors) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (float[] vector : vectors) {
      ByteBuffer one =
          ByteBuffer.allocate(Integer.BYTES + Float.BYTES * vector.length)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(vector.length);
      for (float number : vector) {
        one.putFloat(number);
      }
      content.writeBytes(one.array());
    }
    return content.toByteArray();
  }
}
