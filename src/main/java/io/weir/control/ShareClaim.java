package io.weir.control;

import io.weir.procfs.ProcessIdentity;
import io.weir.rate.Rate;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * What one process says of itself in a {@link ShareFile}: a line of text with a check sum, because
 * others may read it while it is written.
 *
 * @param id of the one who writes the line, drawn at random; without blanks
 * @param processId for a person who reads the file
 * @param process tells whether it has ended; empty if its kernel does not say
 * @param capBytesPerSecond the cap that it was given; the lowest one of all processes holds
 * @param wantedBytesPerSecond what it could use
 * @param takenBytesPerSecond the rate at which it writes now, at most
 * @param askedBytesPerSecond the rate that it is about to take; 0 if none
 * @param weight its share relative to the others
 * @param beat another number each time, so that others see that it lives
 */
record ShareClaim(
    String id,
    long processId,
    Optional<ProcessIdentity> process,
    long capBytesPerSecond,
    long wantedBytesPerSecond,
    long takenBytesPerSecond,
    long askedBytesPerSecond,
    int weight,
    long beat) {

  private static final String SUM = " sum=";

  /** What others must leave to it. */
  long heldBytesPerSecond() {
    return Math.max(takenBytesPerSecond, askedBytesPerSecond);
  }

  String format() {
    String text =
        String.format(
            Locale.ROOT, // others read it
            "process=%d cap=%d wants=%d takes=%d asks=%d weight=%d id=%s beat=%d%s",
            processId,
            capBytesPerSecond,
            wantedBytesPerSecond,
            takenBytesPerSecond,
            askedBytesPerSecond,
            weight,
            id,
            beat,
            process.map(ShareClaim::format).orElse(""));
    return text + SUM + sum(text);
  }

  private static String format(ProcessIdentity process) {
    return String.format(
        Locale.ROOT,
        " start=%d boot=%s spaces=%s",
        process.startTicks(),
        process.boot(),
        process.namespaces());
  }

  private static String sum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return Long.toHexString(sum.getValue());
  }

  /** Empty if the text is not of this format, or if it was not written as a whole. */
  static Optional<ShareClaim> parse(String line) {
    int end = line.lastIndexOf(SUM);
    if (end < 0 || !line.substring(end + SUM.length()).equals(sum(line.substring(0, end)))) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    try {
      for (String word : line.substring(0, end).split(" ")) {
        String[] pair = word.split("=", 2);
        values.put(pair[0], pair[1]);
      }
      long processId = Long.parseLong(values.get("process"));
      Optional<ProcessIdentity> process =
          values.containsKey("start")
              ? Optional.of(
                  new ProcessIdentity(
                      processId,
                      Long.parseLong(values.get("start")),
                      values.get("boot"),
                      values.get("spaces")))
              : Optional.empty();
      ShareClaim claim =
          new ShareClaim(
              values.get("id"),
              processId,
              process,
              Long.parseLong(values.get("cap")),
              Long.parseLong(values.get("wants")),
              Long.parseLong(values.get("takes")),
              Long.parseLong(values.get("asks")),
              Integer.parseInt(values.get("weight")),
              Long.parseLong(values.get("beat")));
      return claim.isValid() ? Optional.of(claim) : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // a word without a value, or one that is missing
    }
  }

  private boolean isValid() {
    return id != null
        && process.map(p -> p.boot() != null && p.namespaces() != null).orElse(true)
        && capBytesPerSecond >= Rate.MIN_BYTES_PER_SECOND
        && wantedBytesPerSecond >= 0
        && takenBytesPerSecond >= 0
        && askedBytesPerSecond >= 0
        && weight >= 1;
  }
}
