package io.weir.procfs;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a disk has done since boot (kernel documentation: block/stat).
 *
 * @param reads completed requests
 * @param readBytes what they read
 * @param writes completed requests
 * @param writtenBytes what they wrote
 * @param busyMillis time in which it had at least one request ({@code io_ticks})
 * @param queueMillis the time of its requests, summed over them: in a second it grows by 1000 for
 *     each that is always there ({@code time_in_queue})
 */
public record DeviceIo(
    long reads,
    long readBytes,
    long writes,
    long writtenBytes,
    OptionalLong busyMillis,
    OptionalLong queueMillis) {

  /** The unit of these files, whatever the sectors of the disk. */
  private static final long SECTOR_BYTES = 512;

  private static final int WRITTEN_FIELD = 6;
  private static final int BUSY_FIELD = 9;
  private static final int QUEUE_FIELD = 10;

  /** Refuses what is missing. */
  public DeviceIo {
    Objects.requireNonNull(busyMillis, "busyMillis");
    Objects.requireNonNull(queueMillis, "queueMillis");
  }

  static Optional<DeviceIo> parse(String line) {
    String[] fields = line.strip().split("\\s+");
    if (fields.length <= WRITTEN_FIELD) {
      return Optional.empty();
    }
    OptionalLong reads = KeyedNumbers.parse(fields[0]);
    OptionalLong read = KeyedNumbers.parse(fields[2]);
    OptionalLong writes = KeyedNumbers.parse(fields[4]);
    OptionalLong written = KeyedNumbers.parse(fields[WRITTEN_FIELD]);
    return reads.isPresent() && read.isPresent() && writes.isPresent() && written.isPresent()
        ? Optional.of(
            new DeviceIo(
                reads.getAsLong(),
                read.getAsLong() * SECTOR_BYTES,
                writes.getAsLong(),
                written.getAsLong() * SECTOR_BYTES,
                number(fields, BUSY_FIELD),
                number(fields, QUEUE_FIELD)))
        : Optional.empty();
  }

  private static OptionalLong number(String[] fields, int index) {
    return index < fields.length ? KeyedNumbers.parse(fields[index]) : OptionalLong.empty();
  }
}
