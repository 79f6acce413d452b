package io.weir.merge;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The budgets of one scheduler or tracker: its share of the given budget, below that one budget for
 * each kind, below those one for each merge.
 *
 * <p>Usually there is one such tree. A directory whose budget is not related to the scheduler's has
 * another one, with the same settings. So has a {@link ProcessorShare}, but its kinds have no
 * rates: theirs are of bytes.
 *
 * <p><b>Threads:</b> any; guarded by this. The lock of the budgets is taken inside.
 */
final class MergeBudgets {

  private final ByteBudget budget;
  private final Map<ByteBudget, Share> shares = new LinkedHashMap<>(); // guarded by this
  private final Map<MergeKind, Rate> rates = new EnumMap<>(MergeKind.class); // guarded by this
  private final Map<MergeKind, Pacing> pacings = new EnumMap<>(MergeKind.class); // guarded by this
  private List<ByteBudget> paying = List.of(); // guarded by this: those of the last merge
  private ByteBudget processors; // guarded by this: of microseconds; null while there is none
  private int weight = 1; // guarded by this
  private boolean lifted; // guarded by this

  /** The share of one budget, and the budgets of the kinds below it. */
  private record Share(ByteBudget whole, Map<MergeKind, ByteBudget> kinds, boolean ofBytes) {}

  MergeBudgets(ByteBudget budget) {
    this.budget = budget;
    for (MergeKind kind : MergeKind.values()) {
      rates.put(kind, Rate.UNLIMITED);
      pacings.put(kind, kind == MergeKind.CRITICAL ? Pacing.DEBITED : Pacing.PACED);
    }
  }

  synchronized void setWeight(int newWeight) {
    weight = BudgetOptions.named("share").withWeight(newWeight).weight();
    shares.values().forEach(share -> share.whole().setWeight(weight));
  }

  synchronized void setRate(MergeKind kind, Rate rate) {
    rates.put(mayWait(kind), Objects.requireNonNull(rate, "rate"));
    shares.values().stream()
        .filter(Share::ofBytes)
        .forEach(share -> share.kinds().get(kind).setRate(rate));
  }

  synchronized void setPacing(MergeKind kind, Pacing pacing) {
    pacings.put(mayWait(kind), Objects.requireNonNull(pacing, "pacing"));
    shares.values().forEach(share -> share.kinds().get(kind).setPacing(pacingNow(kind)));
  }

  /**
   * Lets all merges pass at once, or holds them back again. This applies to the kinds too: a kind's
   * own rate would still hold its merges back.
   */
  synchronized void setLifted(boolean nowLifted) {
    lifted = nowLifted;
    for (Share share : shares.values()) {
      share.whole().setPacing(lifted ? Pacing.DEBITED : Pacing.PACED);
      share.kinds().forEach((kind, b) -> b.setPacing(pacingNow(kind)));
    }
  }

  /**
   * The budgets to charge for a merge that writes through directories with these budgets: the
   * scheduler's and theirs. A budget above another one is left out, because it is charged anyway.
   */
  synchronized List<ByteBudget> payers(Collection<ByteBudget> ofDirectories) {
    List<ByteBudget> payers = new ArrayList<>();
    payers.add(budget);
    payers.addAll(ofDirectories);
    paying =
        payers.stream()
            .distinct()
            .filter(b -> payers.stream().noneMatch(other -> other != b && isAbove(b, other)))
            .toList();
    return paying;
  }

  /** Creates the budget of one merge. */
  synchronized ByteBudget forMerge(ByteBudget payer, MergeKind kind) {
    return share(payer).kinds().get(kind).child(BudgetOptions.named("merge"));
  }

  /** Sets the budget of microseconds that merges which begin from now on take as well. */
  synchronized void setProcessors(ByteBudget budgetOfMicros) {
    processors = budgetOfMicros;
  }

  /** Creates the budget of one merge's microseconds, if there is one of all. */
  synchronized Optional<ByteBudget> processorsForMerge(MergeKind kind) {
    return Optional.ofNullable(processors).map(payer -> forMerge(payer, kind));
  }

  /** Whether a cap or a pause holds merges back now. */
  synchronized boolean arePaced() {
    return !lifted
        && (isHeld(MergeKind.NATURAL) || isHeld(MergeKind.FORCED) || isHeld(MergeKind.OTHER));
  }

  /**
   * The lowest cap that applies to natural merges, whether lifted or not; 0 when paused, empty when
   * they do not wait.
   */
  synchronized OptionalLong capBytesPerSecond() {
    return pacings.get(MergeKind.NATURAL) == Pacing.DEBITED
        ? OptionalLong.empty()
        : limits(MergeKind.NATURAL).mapToLong(Rate::bytesPerSecond).min();
  }

  /** Refuses critical merges, which never wait. */
  static MergeKind mayWait(MergeKind kind) {
    if (kind == MergeKind.CRITICAL) {
      throw new IllegalArgumentException("kind must be one that may wait: " + kind);
    }
    return kind;
  }

  private static boolean isAbove(ByteBudget upper, ByteBudget lower) {
    return upwards(lower).skip(1).anyMatch(b -> b == upper);
  }

  private static Stream<ByteBudget> upwards(ByteBudget budget) {
    return Stream.iterate(budget, Objects::nonNull, b -> b.parent().orElse(null));
  }

  private boolean isHeld(MergeKind kind) {
    return pacingNow(kind) == Pacing.PACED
        && (limits(kind).findAny().isPresent()
            || processors != null && processors.rate().isLimited());
  }

  /** The rates that limit merges of this kind while they are paced. */
  private Stream<Rate> limits(MergeKind kind) {
    Stream<ByteBudget> above =
        payersNow().stream()
            .flatMap(payer -> upwards(payer).takeWhile(b -> b.pacing() == Pacing.PACED));
    return Stream.concat(Stream.of(rates.get(kind)), above.map(ByteBudget::rate))
        .filter(rate -> rate.state() != Rate.State.UNLIMITED);
  }

  private Collection<ByteBudget> payersNow() {
    return paying.isEmpty() ? List.of(budget) : paying;
  }

  private Pacing pacingNow(MergeKind kind) {
    return lifted ? Pacing.DEBITED : pacings.get(kind);
  }

  private Share share(ByteBudget payer) {
    return shares.computeIfAbsent(payer, this::newShare);
  }

  private Share newShare(ByteBudget payer) {
    ByteBudget whole =
        payer.child(BudgetOptions.named(payer.name() + ", one scheduler").withWeight(weight));
    whole.setPacing(lifted ? Pacing.DEBITED : Pacing.PACED);
    Map<MergeKind, ByteBudget> kinds = new EnumMap<>(MergeKind.class);
    for (MergeKind kind : MergeKind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      Rate rate = payer == processors ? Rate.UNLIMITED : rates.get(kind);
      ByteBudget b = whole.child(BudgetOptions.named(name).withRate(rate));
      b.setPacing(pacingNow(kind));
      kinds.put(kind, b);
    }
    return new Share(whole, kinds, payer != processors);
  }
}
