package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.ProcessIdentity;
import io.weir.rate.Rate;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareClaimTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(before);
  }

  /** Processes with different locales share one file. */
  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "fa-IR", "hi-IN-u-nu-deva", "tr-TR", "en-US"})
  void format_inAnyLocale_isTheSameText(String locale) {
    Locale.setDefault(Locale.forLanguageTag(locale));
    ShareClaim claim =
        new ShareClaim(
            "1f",
            12,
            Optional.of(new ProcessIdentity(12, 77, "18a898f7", "4026531836.4026531834")),
            20_000_000,
            3,
            4,
            6,
            5,
            9);
    assertEquals(
        "process=12 cap=20000000 wants=3 takes=4 asks=6 weight=5 id=1f beat=9"
            + " start=77 boot=18a898f7 spaces=4026531836.4026531834 sum=f9e6b89c",
        claim.format());
    assertEquals(Optional.of(claim), ShareClaim.parse(claim.format()));
  }

  @Test
  void format_ofTheLargestNumbers_fitsInALine() {
    ShareClaim claim =
        new ShareClaim(
            "0123456789abcdef",
            4_194_304,
            Optional.of(
                new ProcessIdentity(
                    4_194_304, 99_999_999_999L, "18a898f7", "4294967295.4294967295")),
            Rate.MAX_BYTES_PER_SECOND,
            Rate.MAX_BYTES_PER_SECOND,
            Rate.MAX_BYTES_PER_SECOND,
            Rate.MAX_BYTES_PER_SECOND,
            1000,
            99_999_999_999L);
    assertTrue(claim.format().length() < ShareFile.LINE_BYTES, claim::format);
  }

  @Test
  void parse_withoutAnIdentity_isTheSameClaim() {
    ShareClaim claim = new ShareClaim("1f", 12, Optional.empty(), 1, 2, 3, 4, 5, 6);
    assertEquals(Optional.of(claim), ShareClaim.parse(claim.format()));
  }

  /** Others may read a line while it is written. */
  @Test
  void parse_ofAnythingElse_orOfHalfALine_isEmpty() {
    ShareClaim claim = new ShareClaim("1f", 12, Optional.empty(), 1000, 2000, 3000, 0, 5, 6);
    ShareClaim next = new ShareClaim("1f", 12, Optional.empty(), 1000, 2000, 4444, 0, 5, 7);
    assertEquals(
        Optional.empty(), ShareClaim.parse("process=12 cap=many wants=3 takes=4 weight=5"));
    assertEquals(Optional.empty(), ShareClaim.parse(""));
    String before = claim.format();
    String after = next.format();
    for (int i = 1; i < after.length(); i++) {
      String torn = after.substring(0, i) + before.substring(Math.min(i, before.length()));
      if (!torn.equals(before) && !torn.equals(after)) {
        assertEquals(Optional.empty(), ShareClaim.parse(torn), torn);
      }
    }
  }
}
