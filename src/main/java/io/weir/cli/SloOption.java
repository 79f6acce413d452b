package io.weir.cli;

import io.weir.option.HumanBytes;
import io.weir.option.HumanDuration;
import io.weir.run.RunFigure;
import io.weir.stress.plan.Slo;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Objectives as people write them: {@code reopen.p99 < 100ms}, {@code weir: merge.seconds <= 1.2x
 * stock}.
 */
final class SloOption {

  private static final Pattern SLO =
      Pattern.compile(
          "(?:(?<arm>[^:]*[^:\\s])\\s*:\\s*)?(?<figure>[a-zA-Z]+(?:\\.[a-zA-Z0-9]+)+)\\s*(?<sign><=?|>=?)\\s*(?<bound>\\S.*)");

  private static final Pattern RATIO = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*x\\s+(.+)");
  private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*/\\s*s");
  private static final Pattern SHARE = Pattern.compile("0(?:\\.\\d{1,9})?|1(?:\\.0{1,9})?");
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private SloOption() {}

  static Slo parse(String text) {
    Matcher matcher = SLO.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "slo must be [ARM:] FIGURE < BOUND, such as 'reopen.p99 < 100ms' or"
              + " 'weir: merge.seconds < 1.2x stock': '"
              + text
              + "'");
    }
    RunFigure figure =
        RunFigure.of(matcher.group("figure"))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "slo knows the figures "
                            + Arrays.stream(RunFigure.values())
                                .map(RunFigure::id)
                                .collect(Collectors.joining(", "))
                            + ": '"
                            + text
                            + "'"));
    Slo.Relation relation =
        Arrays.stream(Slo.Relation.values())
            .filter(r -> r.sign().equals(matcher.group("sign")))
            .findFirst()
            .orElseThrow();
    Optional<String> arm = Optional.ofNullable(matcher.group("arm"));
    String bound = matcher.group("bound").trim();
    Matcher ratio = RATIO.matcher(bound);
    if (ratio.matches()) {
      double times = Double.parseDouble(ratio.group(1));
      return new Slo(text.trim(), arm, figure, relation, times, Optional.of(ratio.group(2).trim()));
    }
    return new Slo(
        text.trim(), arm, figure, relation, bound(text, figure, bound), Optional.empty());
  }

  private static double share(String option, String bound) {
    if (!SHARE.matcher(bound).matches()) {
      throw new IllegalArgumentException(
          option + " must be a share from 0 to 1, such as 0.9: " + bound);
    }
    return Double.parseDouble(bound);
  }

  private static double bound(String slo, RunFigure figure, String bound) {
    String option = "slo '" + slo.trim() + "'";
    return switch (figure.unit()) {
      case "ms" -> HumanDuration.parse(option, bound).toMillis();
      case "s" -> HumanDuration.parse(option, bound).toMillis() / 1e3;
      case "MB" -> {
        BigDecimal bytes =
            HumanBytes.parse(bound)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            option + " must be a size such as 16MB: " + bound));
        yield bytes.doubleValue() / BYTES_PER_MEGABYTE;
      }
      case "" -> share(option, bound);
      default -> {
        Matcher rate = RATE.matcher(bound);
        if (!rate.matches()) {
          throw new IllegalArgumentException(option + " must be a rate such as 49.5/s: " + bound);
        }
        yield Double.parseDouble(rate.group(1));
      }
    };
  }
}
