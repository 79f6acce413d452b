package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    ShareClaim claim = new ShareClaim(12, 20_000_000, 3, 4, 5);
    assertEquals("process=12 cap=20000000 wants=3 takes=4 weight=5", claim.format());
    assertEquals(Optional.of(claim), ShareClaim.parse(claim.format()));
  }

  @Test
  void parse_ofAnythingElse_isEmpty() {
    assertEquals(
        Optional.empty(), ShareClaim.parse("process=12 cap=many wants=3 takes=4 weight=5"));
    assertEquals(Optional.empty(), ShareClaim.parse(""));
  }
}
