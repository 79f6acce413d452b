package io.weir.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page's fixed parts, which are resources of this package, and the joining of them.
 *
 * <p>Places are written <code>{{name}}</code>. All are filled in one pass, so a text that is put in
 * and happens to look like a place stays as it is.
 */
final class PageTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)\\}\\}");

  private PageTemplate() {}

  static String fill(String template, Map<String, String> texts) {
    Matcher places = PLACE.matcher(template);
    return places.replaceAll(
        place -> {
          String text = texts.get(place.group(1));
          if (text == null) {
            throw new IllegalStateException("no text for the place " + place.group());
          }
          return Matcher.quoteReplacement(text);
        });
  }

  static String resource(String name) throws IOException {
    try (InputStream in = PageTemplate.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("missing from the jar: io/weir/report/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** How a content security policy names exactly this inline script or style. */
  static String policyHash(String content) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
