package io.weir.report.html;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills the page's template.
 *
 * <p>Places are written <code>{{name}}</code>. All are filled in one pass, so a text that looks
 * like a place stays as it is.
 */
public final class PageTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)\\}\\}");

  private PageTemplate() {}

  /** The template with its places filled. */
  public static String fill(String template, Map<String, String> texts) {
    Matcher places = PLACE.matcher(template);
    return places.replaceAll(
        place -> {
          if (!texts.containsKey(place.group(1))) {
            throw new IllegalStateException("no text for the place " + place.group());
          }
          return Matcher.quoteReplacement(texts.get(place.group(1)));
        });
  }

  /** The name of this inline script or style in a content security policy. */
  public static String policyHash(String content) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
