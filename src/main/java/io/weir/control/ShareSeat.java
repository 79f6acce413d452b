package io.weir.control;

import io.weir.control.FairShares.Demand;
import io.weir.procfs.ProcessIdentity;
import io.weir.procfs.Procfs;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The place of one process among those that share a rate by lines of text: it keeps its own line,
 * judges who lives by the others', and takes its share. It looks ten times a second.
 *
 * <p><b>No locks.</b> Each line has one writer, and the shares never add up to more than the rate:
 *
 * <ol>
 *   <li>Who takes less lowers its rate first, and then says so.
 *   <li>Who wants to take more asks in its line, and then reads all lines once more. It takes that
 *       much only if it fits beside what all others take and ask. Of two that ask at the same time,
 *       at least one sees the other; the one with the lower id may go on.
 *   <li>A new line counts for two ticks before its writer takes anything. If two processes have
 *       taken one line, the first one to look again claims another line meanwhile.
 *   <li>When a line vanishes, the others take no more for two ticks: its writer may have lost it.
 *       Who leaves says so in its line, which the others remove later.
 * </ol>
 *
 * <p><b>Who lives.</b> A process lives as long as its line changes. If the line has not changed for
 * a tick and the kernel shows that the process has ended, it is dead, and so is one of an earlier
 * boot. Otherwise, a line that does not change for {@link #LEASE_NANOS} does not count. That time
 * is counted in the looks of this process, at most two ticks for each, so that a process which was
 * stopped itself takes nobody else for dead. No clock is compared with that of another process.
 *
 * <p><b>Coming back.</b> A process that could not write its line for half of the lease, or has lost
 * its line, may have been taken for dead. It takes at most what the others leave, which may be
 * nothing, until they have made room: within two ticks.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> {@link IOException} of the lines; what it takes stays.
 */
final class ShareSeat {

  static final long TICK_NANOS = 100_000_000;

  /** How long a new line counts before its writer takes anything, and a lost one after. */
  static final long SETTLE_NANOS = 2 * TICK_NANOS;

  /** How long a line counts that does not change. */
  static final long LEASE_NANOS = 3_000_000_000L;

  private static final long AWAY_NANOS = LEASE_NANOS / 2;
  private static final int NO_LINE = -1;
  private static final String BLANK = "";

  /** Before the id of one that has left; the others need not ask what became of it. */
  private static final String LEFT = "left ";

  /** The lines, which all processes see. */
  interface Lines {

    /** Whether these are others than at the last call; they are opened anew then. */
    boolean isReplaced() throws IOException;

    /** All of them, without blanks around. */
    List<String> read() throws IOException;

    void write(int line, String text) throws IOException;
  }

  /** What this process says of itself. */
  record Terms(long capBytesPerSecond, long wantedBytesPerSecond, int weight) {}

  /** As of the last look. */
  record View(long capBytesPerSecond, long takenBytesPerSecond, int processes) {}

  /** Why a share changes, apart from what the processes want. Each is reported. */
  enum Oddity {
    LINE_LOST("this process found its line changed by others, and claimed a line again"),
    AWAY("this process was stopped for a while, and claimed its share again"),
    REPLACED("the file was deleted or replaced, and this process has joined the new one"),
    OTHER_ENDED("a process ended without leaving; the others have its share"),
    OTHER_SILENT(
        "a process has not said for 3 s that it lives: it ended, is stopped or cannot write the"
            + " file; the others have its share");

    final String text;

    Oddity(String text) {
      this.text = text;
    }
  }

  /** All lines are taken by processes that seem to live. */
  static final class NoLineException extends IOException {

    private static final long serialVersionUID = 1;

    NoLineException(int lines) {
      super("at most %d processes can share a cap".formatted(lines));
    }
  }

  /** What is known of another's line. */
  private final class Other {

    private String text = BLANK;
    private Optional<ShareClaim> claim = Optional.empty();
    private long silentNanos;
    private long goneNanos;
    private boolean changed; // since it was first seen

    void see(String newText, Optional<ShareClaim> newClaim, long passedNanos) {
      changed |= !text.isEmpty() && !text.equals(newText);
      silentNanos = text.equals(newText) ? silentNanos + passedNanos : 0;
      goneNanos = 0;
      text = newText;
      claim = newClaim;
    }

    /** Counts from the first reading without it. */
    void miss(long passedNanos) {
      goneNanos = goneNanos == 0 ? 1 : goneNanos + passedNanos;
    }

    /** Whether it is there and wants a share; what it holds counts in any case. */
    boolean competes() {
      return goneNanos == 0 && claim.isPresent();
    }

    /** Whether others may have what it took. */
    Optional<Oddity> dead() {
      if (silentNanos >= LEASE_NANOS) {
        return Optional.of(Oddity.OTHER_SILENT);
      }
      boolean ended =
          silentNanos >= TICK_NANOS
              && switch (life()) {
                case ENDED -> true;
                // One that changes is of another kernel, which shares the file.
                case EARLIER_BOOT -> !changed && silentNanos >= SETTLE_NANOS;
                case ALIVE, UNKNOWN -> false;
              };
      return ended ? Optional.of(Oddity.OTHER_ENDED) : Optional.empty();
    }

    private ProcessIdentity.Life life() {
      return claim.isPresent() && claim.get().process().isPresent() && self.isPresent()
          ? procfs.life(claim.get().process().get(), self.get())
          : ProcessIdentity.Life.UNKNOWN;
    }
  }

  private final Lines lines;
  private final NanoClock clock;
  private final Procfs procfs;
  private final Optional<ProcessIdentity> self;
  private final LongConsumer rate;
  private final Consumer<Oddity> oddities;
  private final String id = UUID.randomUUID().toString().substring(0, 18).replace("-", "");
  private final Map<String, Other> others = new HashMap<>();
  private Terms terms = new Terms(Rate.MAX_BYTES_PER_SECOND, 0, 1);
  private List<String> texts = List.of(); // as of the last reading
  private int line = NO_LINE;
  private String written = BLANK;
  private boolean ownsLine; // as of the last reading
  private long beat;
  private long takenBytesPerSecond;
  private long askedBytesPerSecond;
  private long partBytesPerSecond = Rate.MAX_BYTES_PER_SECOND;
  private long claimedNanos;
  private long writtenNanos;
  private long judgedNanos;

  /**
   * @param rate sets the rate of this process; 0 lets nothing pass
   * @param oddities receives what is worth a line in the log
   */
  ShareSeat(
      Lines lines, NanoClock clock, Procfs procfs, LongConsumer rate, Consumer<Oddity> oddities) {
    this.lines = lines;
    this.clock = clock;
    this.procfs = procfs;
    this.self = procfs.self();
    this.rate = rate;
    this.oddities = oddities;
    this.judgedNanos = clock.nanoTime();
    this.writtenNanos = judgedNanos;
  }

  /**
   * Looks once.
   *
   * @throws NoLineException if there is no line left
   */
  View look(Terms newTerms) throws IOException {
    terms = newTerms;
    long nowNanos = clock.nanoTime();
    boolean replaced = lines.isReplaced();
    judge();
    boolean lost = line != NO_LINE && !ownsLine;
    boolean away = isAway();
    if (lost || away) {
      oddities.accept(!lost ? Oddity.AWAY : replaced ? Oddity.REPLACED : Oddity.LINE_LOST);
      askedBytesPerSecond = 0;
      limit(room());
    }
    if (lost || line == NO_LINE) {
      line = NO_LINE;
      line = freeLine();
      claimedNanos = nowNanos;
    }
    write(); // before it looks whether others have taken it for dead
    away |= isAway();
    writtenNanos = nowNanos;
    judge();
    if (!ownsLine) {
      return view(); // the next look claims another
    }
    long fair = fair();
    long most = lost || away ? Math.min(fair, room()) : fair;
    if (takenBytesPerSecond > most) {
      limit(most);
      askedBytesPerSecond = 0;
      write();
    } else if (nowNanos - claimedNanos >= SETTLE_NANOS) {
      grow(Math.min(fair, room()));
    }
    return view();
  }

  /**
   * When the lines cannot be used, others may take this process for dead. It keeps at most its part
   * by weight.
   */
  void lookFailed() {
    if (isAway()) {
      limit(partBytesPerSecond);
    }
  }

  /** Gives up the own line, if it is still there. The others remove it when all have seen it. */
  void leave() throws IOException {
    lines.isReplaced(); // an interrupt may have closed them
    if (line != NO_LINE && lines.read().get(line).equals(written)) {
      lines.write(line, others.values().stream().anyMatch(Other::competes) ? LEFT + id : BLANK);
    }
    line = NO_LINE;
  }

  private View view() {
    long processes = 1 + others.values().stream().filter(Other::competes).count();
    return new View(cap(), takenBytesPerSecond, Math.toIntExact(processes));
  }

  private boolean isAway() {
    return beat > 0 && clock.nanoTime() - writtenNanos >= AWAY_NANOS;
  }

  /** Takes no more than that from now on. */
  private void limit(long bytesPerSecond) {
    if (takenBytesPerSecond > bytesPerSecond) {
      takenBytesPerSecond = bytesPerSecond;
      rate.accept(bytesPerSecond);
    }
  }

  private void grow(long bytesPerSecond) throws IOException {
    if (bytesPerSecond <= takenBytesPerSecond || isOneGone()) {
      askedBytesPerSecond = 0;
      return;
    }
    askedBytesPerSecond = bytesPerSecond;
    write();
    judge();
    if (!ownsLine) {
      return;
    }
    if (bytesPerSecond <= room() && !isOneGone()) {
      take(bytesPerSecond);
    } else if (!waitsForLaterOnes(bytesPerSecond)) {
      askedBytesPerSecond = 0;
      write();
    }
  }

  /** Says so first: whoever stops it in between stops it with too much in its line. */
  private void take(long bytesPerSecond) throws IOException {
    long before = takenBytesPerSecond;
    takenBytesPerSecond = bytesPerSecond;
    askedBytesPerSecond = 0;
    try {
      write();
    } catch (IOException e) {
      takenBytesPerSecond = before;
      throw e;
    }
    rate.accept(bytesPerSecond);
  }

  /** Whether only what later ones ask is in its way: they will withdraw that. */
  private boolean waitsForLaterOnes(long bytesPerSecond) {
    long taken = 0;
    for (Other other : others.values()) {
      ShareClaim claim = other.claim.orElse(null);
      if (claim != null) {
        taken += claim.takenBytesPerSecond();
        if (claim.askedBytesPerSecond() > 0 && claim.id().compareTo(id) < 0) {
          return false;
        }
      }
    }
    return bytesPerSecond <= cap() - taken;
  }

  /** Reads all lines, and removes those of the dead. */
  private void judge() throws IOException {
    texts = lines.read();
    long nowNanos = clock.nanoTime();
    long passedNanos = Math.min(nowNanos - judgedNanos, SETTLE_NANOS);
    judgedNanos = nowNanos;
    ownsLine = line != NO_LINE && texts.get(line).equals(written);
    others.values().forEach(other -> other.miss(passedNanos));
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      if (text.isEmpty() || i == line && ownsLine) {
        continue;
      }
      boolean left = text.startsWith(LEFT);
      if (left) {
        others.remove(text.substring(LEFT.length()));
      }
      Optional<ShareClaim> claim = ShareClaim.parse(text);
      String name = claim.map(ShareClaim::id).orElse("line " + i);
      if (name.equals(id)) { // of the past, in a file that somebody has restored
        blank(i);
        continue;
      }
      Other other = others.computeIfAbsent(name, unused -> new Other());
      other.see(text, claim, passedNanos);
      if (left) {
        if (other.silentNanos >= SETTLE_NANOS) {
          blank(i);
        }
        continue;
      }
      Optional<Oddity> dead = other.dead();
      if (dead.isPresent()) {
        blank(i);
        others.remove(name);
        oddities.accept(dead.get());
      }
    }
    others.values().removeIf(other -> other.goneNanos > SETTLE_NANOS);
  }

  private void blank(int i) throws IOException {
    lines.write(i, BLANK);
    texts.set(i, BLANK);
  }

  private int freeLine() throws NoLineException {
    int free = texts.indexOf(BLANK);
    if (free < 0) {
      throw new NoLineException(texts.size());
    }
    return free;
  }

  private void write() throws IOException {
    beat++;
    written =
        new ShareClaim(
                id,
                ProcessHandle.current().pid(),
                self,
                terms.capBytesPerSecond(),
                terms.wantedBytesPerSecond(),
                takenBytesPerSecond,
                askedBytesPerSecond,
                terms.weight(),
                beat)
            .format();
    lines.write(line, written);
  }

  /** The lowest one that a process names. */
  private long cap() {
    long cap = terms.capBytesPerSecond();
    for (Other other : others.values()) {
      if (other.competes()) {
        cap = Math.min(cap, other.claim.get().capBytesPerSecond());
      }
    }
    return cap;
  }

  /** Whether one may have lost its line, after it took more than it said when it was seen last. */
  private boolean isOneGone() {
    return others.values().stream()
        .anyMatch(other -> other.claim.isPresent() && other.goneNanos > 0);
  }

  /** What the others leave. */
  private long room() {
    long held = 0;
    for (Other other : others.values()) {
      held += other.claim.map(ShareClaim::heldBytesPerSecond).orElse(0L);
    }
    return Math.max(0, cap() - held);
  }

  private long fair() {
    List<Demand> demands = new ArrayList<>();
    int weights = terms.weight();
    for (Other other : others.values()) {
      if (other.competes()) {
        ShareClaim claim = other.claim.get();
        demands.add(new Demand(claim.wantedBytesPerSecond(), claim.weight()));
        weights += claim.weight();
      }
    }
    demands.add(new Demand(terms.wantedBytesPerSecond(), terms.weight()));
    long cap = cap();
    partBytesPerSecond = cap * terms.weight() / weights;
    return FairShares.of(cap, demands)[demands.size() - 1];
  }
}
