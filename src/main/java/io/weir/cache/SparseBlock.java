package io.weir.cache;

/**
 * A block of 65,536 documents in the directory of a sparse set: a line of eight bytes.
 *
 * @param number of the block: documents / 65,536
 * @param kind what it holds
 * @param size how many shorts or, of {@link Kind#BITS}, longs; 1 to 65,536
 * @param position of the first one in the memory of the set
 */
record SparseBlock(int number, Kind kind, int size, int position) {

  static final int SHIFT = 16;
  static final int DOCS = 1 << SHIFT;
  static final int MASK = DOCS - 1;

  private static final Kind[] KINDS = Kind.values();
  private static final int SIZE_AT = 16;
  private static final int KIND_AT = 32;
  private static final int KIND_MASK = 3;
  private static final int POSITION_AT = 34;

  /** How the documents are written, by their numbers in the block. */
  enum Kind {
    /** The first one and the last one; those between are there, too. */
    RANGE,
    /** Each. */
    ARRAY,
    /** The last one, and those before it that are absent. */
    INVERTED,
    /** One bit for each, up to the last one. */
    BITS
  }

  static SparseBlock of(long line) {
    return new SparseBlock(
        number(line),
        KINDS[(int) (line >>> KIND_AT) & KIND_MASK],
        ((int) (line >>> SIZE_AT) & MASK) + 1,
        (int) (line >>> POSITION_AT));
  }

  static int number(long line) {
    return (int) line & MASK;
  }

  long line() {
    return number
        | (long) (size - 1) << SIZE_AT
        | (long) kind.ordinal() << KIND_AT
        | (long) position << POSITION_AT;
  }
}
