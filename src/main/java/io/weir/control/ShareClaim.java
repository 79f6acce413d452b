package io.weir.control;

import io.weir.rate.Rate;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What one process says of itself in a {@link ShareFile}: a line of text.
 *
 * @param processId for a person who reads the file
 * @param capBytesPerSecond the cap that it was given; the lowest one of all processes holds
 * @param wantedBytesPerSecond what it could use
 * @param takenBytesPerSecond the rate at which it writes now, at most
 * @param weight its share relative to the others
 */
record ShareClaim(
    long processId,
    long capBytesPerSecond,
    long wantedBytesPerSecond,
    long takenBytesPerSecond,
    int weight) {

  String format() {
    return String.format(
        Locale.ROOT, // others read it
        "process=%d cap=%d wants=%d takes=%d weight=%d",
        processId,
        capBytesPerSecond,
        wantedBytesPerSecond,
        takenBytesPerSecond,
        weight);
  }

  /** Empty if the text is not of this format. */
  static Optional<ShareClaim> parse(String line) {
    Map<String, Long> values = new HashMap<>();
    try {
      for (String word : line.strip().split(" ")) {
        String[] pair = word.split("=", 2);
        values.put(pair[0], Long.parseLong(pair[1]));
      }
      ShareClaim claim =
          new ShareClaim(
              values.get("process"),
              values.get("cap"),
              values.get("wants"),
              values.get("takes"),
              Math.toIntExact(values.get("weight")));
      return claim.isValid() ? Optional.of(claim) : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // a word without a number, or one that is missing
    }
  }

  private boolean isValid() {
    return capBytesPerSecond >= Rate.MIN_BYTES_PER_SECOND
        && wantedBytesPerSecond >= 0
        && takenBytesPerSecond >= 0
        && weight >= 1;
  }
}
