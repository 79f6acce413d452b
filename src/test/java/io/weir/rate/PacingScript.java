package io.weir.rate;

import io.weir.fakes.AutoClock;
import io.weir.rate.RequestQueue.Request;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Plays a pacing script on the real queue, with a clock that jumps from event to event, and writes
 * down what happened and when, to the nanosecond.
 *
 * <p>A script is a list of lines:
 *
 * <pre>
 * budget NAME [under PARENT] [rate BYTES|paused] [burst MILLIS] [weight N]
 * at MICROS claim CLAIMANT of BUDGET BYTES in PIECE [thinks MICROS]
 * at MICROS rate BUDGET BYTES|paused|unlimited
 * at MICROS debited BUDGET | paced BUDGET
 * at MICROS leave CLAIMANT
 * at MICROS totals
 * until MICROS
 * </pre>
 *
 * A claimant asks for its bytes piece by piece, each as soon as the one before was granted and
 * thought over. Every grant is a line unless the script says {@code quiet}.
 */
final class PacingScript {

  private static final long NANOS_PER_MICRO = 1000;

  private record Event(long atNanos, long order, Runnable action) {}

  private static final class Claimant {
    final String name;
    final BudgetNode node;
    final long pieceBytes;
    final long thinkNanos;
    long leftBytes;
    long grantedBytes;
    Request waiting;

    Claimant(String name, BudgetNode node, long bytes, long pieceBytes, long thinkNanos) {
      this.name = name;
      this.node = node;
      this.leftBytes = bytes;
      this.pieceBytes = pieceBytes;
      this.thinkNanos = thinkNanos;
    }
  }

  private final FairQueue queue = new FairQueue();
  private final ParkingStrategy strategy = new ParkingStrategy(new AutoClock());
  private final Map<BudgetNode, RequestQueue> requests = new HashMap<>();
  private final Map<String, BudgetNode> nodes = new LinkedHashMap<>();
  private final Map<String, Claimant> claimants = new TreeMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.atNanos != b.atNanos
                  ? Long.compare(a.atNanos, b.atNanos)
                  : Long.compare(a.order, b.order));
  private final StringBuilder log = new StringBuilder();
  private long nowNanos;
  private long untilNanos;
  private long order;
  private boolean quiet;

  static String play(List<String> lines) {
    PacingScript script = new PacingScript();
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        script.read(Arrays.asList(line.trim().split("\\s+")));
      }
    }
    script.run();
    return script.log.toString();
  }

  private void read(List<String> words) {
    switch (words.get(0)) {
      case "budget" -> addBudget(words);
      case "quiet" -> quiet = true;
      case "until" -> untilNanos = micros(words.get(1));
      case "at" -> at(micros(words.get(1)), () -> act(words.subList(2, words.size())));
      default -> throw new IllegalArgumentException("unknown line: " + words);
    }
  }

  private void addBudget(List<String> words) {
    BudgetOptions options = BudgetOptions.named(words.get(1));
    BudgetNode parent = null;
    for (int i = 2; i < words.size(); i += 2) {
      String value = words.get(i + 1);
      switch (words.get(i)) {
        case "under" -> parent = node(value);
        case "rate" -> options = options.withRate(rate(value));
        case "burst" ->
            options = options.withBurst(java.time.Duration.ofMillis(Long.parseLong(value)));
        case "weight" -> options = options.withWeight(Integer.parseInt(value));
        default -> throw new IllegalArgumentException("unknown option: " + words);
      }
    }
    nodes.put(words.get(1), new BudgetNode(parent, options, 0));
  }

  private void act(List<String> words) {
    String subject = words.size() > 1 ? words.get(1) : "";
    switch (words.get(0)) {
      case "claim" -> {
        Claimant claimant =
            new Claimant(
                subject,
                node(words.get(3)),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(6)),
                words.size() > 8 ? micros(words.get(8)) : 0);
        claimants.put(subject, claimant);
        ask(claimant);
      }
      case "rate" -> {
        node(subject).changeRate(rate(words.get(2)), nowNanos);
        queue.reconsider(node(subject));
        say("rate " + subject + " " + node(subject).bucket().rate());
      }
      case "debited", "paced" -> {
        queue.setDebited(node(subject), words.get(0).equals("debited"));
        say(words.get(0) + " " + subject);
      }
      case "leave" -> {
        Claimant claimant = claimants.get(subject);
        claimant.leftBytes = 0;
        if (claimant.waiting != null) {
          queue.remove(claimant.waiting, nowNanos);
          claimant.waiting = null;
        }
        say(subject + " leaves");
      }
      case "totals" -> {
        StringBuilder totals = new StringBuilder("totals");
        claimants.forEach((name, c) -> totals.append(' ').append(name + "=" + c.grantedBytes));
        nodes.forEach(
            (name, n) -> {
              BudgetSnapshot s = n.snapshotLocked(nowNanos);
              totals.append(" | " + name + " waiting=" + s.waiting() + " owed=" + s.debtBytes());
            });
        say(totals.toString());
      }
      default -> throw new IllegalArgumentException("unknown action: " + words);
    }
  }

  private void run() {
    while (true) {
      queue.serve(nowNanos, this::granted);
      long nextNanos = untilNanos;
      long waitNanos = queue.nanosUntilNext(nowNanos);
      if (waitNanos != TokenBucket.FOREVER) {
        nextNanos = Math.min(nextNanos, nowNanos + waitNanos);
      }
      Event event = events.peek();
      if (event != null && event.atNanos <= nextNanos) {
        events.poll();
        nowNanos = event.atNanos;
        event.action.run();
      } else if (nextNanos >= untilNanos) {
        nowNanos = untilNanos;
        act(List.of("totals"));
        return;
      } else {
        nowNanos = nextNanos;
      }
    }
  }

  private void ask(Claimant claimant) {
    if (claimant.leftBytes > 0) {
      long bytes = Math.min(claimant.leftBytes, claimant.pieceBytes);
      RequestQueue own = requests.computeIfAbsent(claimant.node, RequestQueue::new);
      claimant.waiting = new Request(own, bytes, strategy, nowNanos);
      queue.add(claimant.waiting);
    }
  }

  private void granted(Request request) {
    Claimant claimant =
        claimants.values().stream().filter(c -> c.waiting == request).findFirst().orElseThrow();
    claimant.waiting = null;
    claimant.leftBytes -= request.grantedBytes();
    claimant.grantedBytes += request.grantedBytes();
    if (!quiet) {
      say(claimant.name + " " + request.grantedBytes());
    }
    at(nowNanos + claimant.thinkNanos, () -> ask(claimant));
  }

  private void at(long atNanos, Runnable action) {
    events.add(new Event(atNanos, order++, action));
  }

  private void say(String what) {
    log.append(String.format(Locale.ROOT, "%,15d ns  %s%n", nowNanos, what));
  }

  private BudgetNode node(String name) {
    if (!nodes.containsKey(name)) {
      throw new IllegalArgumentException("no such budget: " + name);
    }
    return nodes.get(name);
  }

  private static long micros(String number) {
    return Math.round(Double.parseDouble(number) * NANOS_PER_MICRO);
  }

  private static Rate rate(String word) {
    return switch (word) {
      case "paused" -> Rate.PAUSED;
      case "unlimited" -> Rate.UNLIMITED;
      default -> Rate.perSecond(Long.parseLong(word));
    };
  }
}
