package io.weir.corpus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The vectors of a file, by their number. The content of the file determines its format:
 *
 * <ul>
 *   <li>{@code fvecs}: of each vector its dimensions as an int32, then as many float32, all
 *       little-endian;
 *   <li>{@code npy} of NumPy: a two-dimensional array of little-endian float32, in C order.
 * </ul>
 *
 * <p><b>Threads:</b> any; immutable. <b>Ownership:</b> the file is mapped, until this is collected,
 * and must not change meanwhile. <b>Failure:</b> {@link IllegalArgumentException} with the file,
 * the offset in bytes and the rule.
 *
 * <p>Source: "Datasets for approximate nearest neighbor search", corpus-texmex (fvecs);
 * "numpy.lib.format" (npy).
 */
public final class VectorFile {

  private static final byte[] NPY_MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final Pattern NPY_HEADER =
      Pattern.compile(
          "(?s)(?=.*'descr':\\s*'<f4')(?=.*'fortran_order':\\s*False)"
              + ".*'shape':\\s*\\((\\d{1,12}),\\s*(\\d{1,9}),?\\s*\\).*");

  /** The longest head of a file that is looked at. */
  private static final int HEAD_BYTES = 4096;

  private static final long MOST_MAPPED_BYTES = 1L << 30;

  /**
   * Where vectors are.
   *
   * @param firstByte of the first vector
   * @param before how many bytes of each vector are before its numbers
   */
  private record Layout(long firstByte, int before, int dims, long count) {

    int stride() {
      return before + Float.BYTES * dims;
    }
  }

  private final Path path;
  private final Layout layout;
  private final long perPart;
  private final List<ByteBuffer> parts = new ArrayList<>(); // each of whole vectors

  private VectorFile(Path path, Layout layout, FileChannel channel) throws IOException {
    this.path = path;
    this.layout = layout;
    this.perPart = Math.max(1, MOST_MAPPED_BYTES / layout.stride());
    for (long first = 0; first < layout.count(); first += perPart) {
      parts.add(
          channel.map(
              FileChannel.MapMode.READ_ONLY,
              layout.firstByte() + first * layout.stride(),
              Math.min(perPart, layout.count() - first) * layout.stride()));
    }
  }

  /**
   * Opens a file, whose head alone is looked at.
   *
   * @param mostDims the most dimensions that vectors may have
   */
  public static VectorFile open(Path path, int mostDims) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (head.hasRemaining() && channel.read(head) >= 0) {
        // until it is full, or the file ends
      }
      head.flip();
      Layout layout =
          isNpy(head) ? npy(path, head, channel.size()) : fvecs(path, head, channel.size());
      if (layout.dims() < 1 || layout.dims() > mostDims) {
        throw broken(
            path,
            layout.firstByte(),
            "vectors must have from 1 to %d dimensions: %d".formatted(mostDims, layout.dims()));
      }
      long end = layout.firstByte() + layout.count() * layout.stride();
      if (layout.count() < 1 || end != channel.size()) {
        throw broken(
            path,
            Math.min(end, channel.size()),
            "a file must have at least 1 vector and end after the last one, %d bytes each: %d bytes"
                .formatted(layout.stride(), channel.size()));
      }
      return new VectorFile(path, layout, channel);
    }
  }

  private static boolean isNpy(ByteBuffer head) {
    return head.remaining() >= NPY_MAGIC.length
        && head.slice(0, NPY_MAGIC.length).equals(ByteBuffer.wrap(NPY_MAGIC));
  }

  private static Layout fvecs(Path path, ByteBuffer head, long fileBytes) {
    if (head.remaining() < Integer.BYTES) {
      throw broken(path, 0, "a file must have at least 1 vector: %d bytes".formatted(fileBytes));
    }
    int dims = head.getInt(0);
    long stride = Integer.BYTES + (long) Float.BYTES * dims;
    return new Layout(0, Integer.BYTES, dims, stride < 1 ? 0 : fileBytes / stride);
  }

  private static Layout npy(Path path, ByteBuffer head, long fileBytes) {
    int version = head.remaining() > NPY_MAGIC.length ? head.get(NPY_MAGIC.length) : 0;
    int lengthAt = NPY_MAGIC.length + 2; // after the minor version
    int textAt = lengthAt + (version == 1 ? Short.BYTES : Integer.BYTES);
    if (version < 1 || head.remaining() < textAt) {
      throw broken(path, NPY_MAGIC.length, "npy must be of version 1 to 3: %d".formatted(version));
    }
    long length =
        version == 1
            ? Short.toUnsignedInt(head.getShort(lengthAt))
            : Integer.toUnsignedLong(head.getInt(lengthAt));
    long end = textAt + length;
    if (end > head.remaining()) {
      throw broken(
          path,
          lengthAt,
          "the header of npy must end in the first %d bytes: at %d"
              .formatted(Math.min(HEAD_BYTES, fileBytes), end));
    }
    String text =
        StandardCharsets.ISO_8859_1.decode(head.slice(textAt, (int) length)).toString().strip();
    Matcher header = NPY_HEADER.matcher(text);
    if (!header.matches()) {
      throw broken(
          path,
          textAt,
          "npy must be two-dimensional, of little-endian float32 (<f4), in C order: " + text);
    }
    return new Layout(end, 0, Integer.parseInt(header.group(2)), Long.parseLong(header.group(1)));
  }

  /** Of each vector. */
  public int dims() {
    return layout.dims();
  }

  /** How many vectors there are. */
  public long count() {
    return layout.count();
  }

  /** The numbers of vector {@code number}, which is from 0 on. */
  public float[] vector(long number) {
    float[] vector = new float[layout.dims()];
    record(number)
        .slice(layout.before(), Float.BYTES * layout.dims())
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(vector);
    return vector;
  }

  private ByteBuffer record(long number) {
    int at = (int) (number % perPart) * layout.stride();
    return parts
        .get((int) (number / perPart))
        .slice(at, layout.stride())
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads all of it, and refuses vectors that have no direction, or not the dimensions of all. */
  public void requireDirections() {
    for (long number = 0; number < layout.count(); number++) {
      long offset = layout.firstByte() + number * layout.stride();
      if (layout.before() > 0) {
        int dims = record(number).getInt(0);
        if (dims != layout.dims()) {
          throw broken(
              path,
              offset,
              "each vector must have the %d dimensions of the first: %d"
                  .formatted(layout.dims(), dims));
        }
      }
      requireDirection(vector(number), offset + layout.before());
    }
  }

  private void requireDirection(float[] vector, long offset) {
    boolean isZero = true;
    for (int i = 0; i < vector.length; i++) {
      if (!Float.isFinite(vector[i])) {
        throw broken(
            path,
            offset + (long) Float.BYTES * i,
            "a number of a vector must be finite: " + vector[i]);
      }
      isZero &= vector[i] == 0;
    }
    if (isZero) {
      throw broken(path, offset, "a vector must have a number that is not 0: all are");
    }
  }

  private static IllegalArgumentException broken(Path path, long offset, String ruleAndValue) {
    return new IllegalArgumentException(
        "vectors of %s, at byte %d: %s".formatted(path, offset, ruleAndValue));
  }
}
