package io.weir.report.words;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sentences that differ in their numbers only become one, with ranges for numbers. */
final class NumberRanges {

  /** A number that stands alone: not the 99 of p99, nor the 2 of v1.2. */
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?");

  private NumberRanges() {}

  /** The sentence without its numbers: the same for all sentences that become one. */
  static String template(String sentence) {
    return NUMBER.matcher(sentence).replaceAll("#");
  }

  /**
   * {@code others wrote 5 to 31 MB to files}.
   *
   * @param sentences at least one, all of one {@link #template}
   */
  static String of(List<String> sentences) {
    List<List<String>> numbers = new ArrayList<>();
    for (String sentence : sentences) {
      Matcher matcher = NUMBER.matcher(sentence);
      for (int i = 0; matcher.find(); i++) {
        if (i == numbers.size()) {
          numbers.add(new ArrayList<>());
        }
        numbers.get(i).add(matcher.group());
      }
    }
    Matcher matcher = NUMBER.matcher(sentences.getFirst());
    StringBuilder out = new StringBuilder();
    for (int i = 0; matcher.find(); i++) {
      matcher.appendReplacement(out, range(numbers.get(i)));
    }
    return matcher.appendTail(out).toString();
  }

  private static String range(List<String> numbers) {
    String least = numbers.getFirst();
    String most = least;
    for (String number : numbers) {
      double value = Double.parseDouble(number);
      least = value < Double.parseDouble(least) ? number : least;
      most = value > Double.parseDouble(most) ? number : most;
    }
    return least.equals(most) ? least : least + " to " + most;
  }
}
