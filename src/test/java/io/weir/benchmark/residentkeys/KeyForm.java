package io.weir.benchmark.residentkeys;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongFunction;
import org.apache.lucene.util.BytesRef;

/** Forms that primary keys have, from the shortest in a dictionary to the longest. */
enum KeyForm {
  DENSE("decimals from 0 on", number -> new BytesRef(Long.toString(number))),
  DENSE_PADDED("the same, with leading zeros", number -> new BytesRef("%09d".formatted(number))),
  SPARSE("decimals of 15 digits, random", number -> new BytesRef(decimal(number))),
  TIME_ORDERED_UUID(
      "UUIDs by time, 16 bytes",
      number -> binary(new UUID(number << 16 | 0x7000, random(number).nextLong()))),
  UUID_BINARY("UUIDs, random, 16 bytes", number -> binary(uuid(number))),
  UUID_TEXT("UUIDs, random, as text", number -> new BytesRef(uuid(number).toString())),
  UUID_UPPER_CASE(
      "UUIDs, random, as text in capitals",
      number -> new BytesRef(uuid(number).toString().toUpperCase(Locale.ROOT))),
  URL(
      "URLs of 60 characters, random",
      number -> new BytesRef("https://example.org/articles/" + hex(number)));

  private final String title;
  private final LongFunction<BytesRef> key;

  KeyForm(String title, LongFunction<BytesRef> key) {
    this.title = title;
    this.key = key;
  }

  String title() {
    return title;
  }

  /** The key of a document; each has its own. */
  BytesRef key(long number) {
    return key.apply(number);
  }

  private static SplittableRandom random(long number) {
    return new SplittableRandom(number);
  }

  private static UUID uuid(long number) {
    SplittableRandom random = random(number);
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static String hex(long number) {
    return uuid(number).toString().replace("-", "").substring(1);
  }

  /** Different for each number: the last digits are the number's. */
  private static String decimal(long number) {
    return "%07d%08d".formatted(random(number).nextInt(10_000_000), number);
  }

  private static BytesRef binary(UUID uuid) {
    return new BytesRef(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array());
  }
}
