package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ShareSeat.Oddity;
import io.weir.control.ShareSeat.Terms;
import io.weir.fakes.SteppedClock;
import io.weir.procfs.Procfs;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that share a rate, on a clock that the test moves. The kernel does not say who lives.
 */
class ShareSeatTest {

  private static final long CAP = 1_000_000;
  private static final long TICK = ShareSeat.TICK_NANOS;
  private static final int SEEDS = 100;

  private final SteppedClock clock = new SteppedClock();
  private final List<String> file = new ArrayList<>(Collections.nCopies(ShareFile.LINES, ""));
  private final List<Process> processes = new ArrayList<>();
  private Random random = new Random(0);
  private boolean disturbed;
  private int depth;
  private long wentOnNanos;

  @TempDir Path noProc;

  /** One process. Between any two of its accesses to the file, others may act, or it is stopped. */
  private final class Process implements ShareSeat.Lines {

    final List<Oddity> oddities = new ArrayList<>();
    final ShareSeat seat;
    long wants = Rate.MAX_BYTES_PER_SECOND;
    long rate;
    long dueNanos = clock.nanoTime();
    boolean looks;
    boolean stopped;
    boolean stoppedAgain;
    String failing = "text of no line";

    Process() {
      seat =
          new ShareSeat(
              this,
              clock,
              new Procfs(noProc),
              bytes -> {
                rate = bytes;
                requireTheCap();
              },
              oddities::add);
      processes.add(this);
    }

    ShareSeat.View look() {
      looks = true;
      dueNanos = clock.nanoTime() + TICK;
      try {
        ShareSeat.View view = seat.look(new Terms(CAP, wants, 1));
        assertEquals(rate, view.takenBytesPerSecond());
        return view;
      } catch (IOException e) {
        throw new AssertionError(e);
      } finally {
        looks = false;
      }
    }

    void leave() {
      try {
        seat.leave();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public boolean isReplaced() {
      return false;
    }

    @Override
    public List<String> read() {
      othersAct(this);
      return new ArrayList<>(file);
    }

    @Override
    public void write(int line, String text) throws IOException {
      if (text.contains(failing)) {
        throw new IOException("no space left");
      }
      othersAct(this);
      file.set(line, text);
    }
  }

  /** What those that run may write now. One that was stopped counts from its next look on. */
  private void requireTheCap() {
    long sum = processes.stream().filter(p -> !p.stopped).mapToLong(p -> p.rate).sum();
    assertTrue(sum <= CAP, () -> sum + " of " + CAP);
  }

  private void othersAct(Process actor) {
    if (!disturbed || depth > 3) {
      return;
    }
    depth++;
    clock.advanceNanos(random.nextInt(50_000));
    if (random.nextInt(3) == 0) {
      Process other = processes.get(random.nextInt(processes.size()));
      if (!other.looks && !other.stopped) {
        other.look();
      }
    }
    if (random.nextInt(400) == 0 && depth == 1) {
      actor.stopped = true;
      actor.stoppedAgain = true;
      runFor(random.nextInt(8) * 1_000_000_000L);
    }
    depth--;
  }

  private void runFor(long nanos) {
    for (long end = clock.nanoTime() + nanos; clock.nanoTime() - end < 0; ) {
      Process next = null;
      for (Process process : processes) {
        if (!process.stopped
            && !process.looks
            && (next == null || process.dueNanos - next.dueNanos < 0)) {
          next = process;
        }
      }
      if (next == null) {
        clock.advanceNanos(TICK);
      } else {
        clock.advanceNanos(Math.max(0, next.dueNanos - clock.nanoTime()));
        next.look();
      }
    }
  }

  @Test
  void shares_whateverOthersDoBetweenTwoAccesses_areNeverMoreThanTheCap_andFairInTheEnd() {
    for (int seed = 0; seed < SEEDS; seed++) {
      random = new Random(seed);
      processes.clear();
      Collections.fill(file, "");
      disturbed = true;
      try {
        disturb();
        disturbed = false;
        goOn();
        processes.forEach(p -> p.wants = Rate.MAX_BYTES_PER_SECOND);
        runFor(ShareSeat.LEASE_NANOS + 10 * TICK);
        for (Process process : processes) {
          assertEquals((double) CAP / processes.size(), process.rate, 2);
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private void disturb() {
    new Process();
    for (int step = 0; step < 40; step++) {
      runFor(random.nextInt(5) * TICK / 2);
      goOn();
      // No process goes on and loses its line in one moment: others must have seen its line.
      boolean settled = clock.nanoTime() - wentOnNanos > 3 * TICK;
      switch (random.nextInt(settled ? 8 : 6)) {
        case 0, 1 -> {
          if (processes.size() < 4) {
            new Process();
          }
        }
        case 2 -> {
          if (processes.size() > 1) {
            Process gone = processes.remove(random.nextInt(processes.size()));
            if (random.nextBoolean()) {
              gone.leave(); // else it was killed: its line stays
            }
          }
        }
        case 3, 4 ->
            processes.get(random.nextInt(processes.size())).wants =
                random.nextBoolean() ? Rate.MAX_BYTES_PER_SECOND : random.nextLong(CAP);
        case 6 -> file.set(random.nextInt(file.size()), "");
        case 7 -> file.set(random.nextInt(file.size()), "process=1 half a line");
        default -> {}
      }
      if (random.nextInt(10) == 0) {
        Process stopped = processes.get(random.nextInt(processes.size()));
        stopped.stopped = true;
        runFor(random.nextInt(6) * 1_000_000_000L);
      }
    }
  }

  /** Those that are stopped go on; their threads look at once. */
  private void goOn() {
    for (Process process : processes) {
      if (process.stopped) {
        do {
          process.stoppedAgain = false;
          process.look();
        } while (process.stoppedAgain);
        wentOnNanos = clock.nanoTime();
        process.stopped = false;
        requireTheCap();
      }
    }
  }

  private Process joined() {
    Process process = new Process();
    runFor(6 * TICK);
    return process;
  }

  @Test
  void newcomer_whileOneHasAll_hasHalfAsSoonAsThatMadeRoom_andNothingBefore() {
    Process first = joined();
    assertEquals(CAP, first.rate);
    Process second = new Process();
    second.look();
    assertEquals(0, second.rate);
    runFor(4 * TICK);
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
  }

  @Test
  void processThatNoLongerWrites_losesItsShareAfterThreeSeconds_notBefore() {
    Process first = joined();
    Process second = joined();
    second.stopped = true;
    runFor(ShareSeat.LEASE_NANOS - 2 * TICK);
    assertEquals(CAP / 2, first.rate);
    runFor(3 * TICK);
    assertEquals(CAP, first.rate);
    assertEquals(List.of(Oddity.OTHER_SILENT), first.oddities);

    second.look();
    second.stopped = false;
    assertEquals(0, second.rate);
    assertTrue(second.oddities.contains(Oddity.LINE_LOST), second.oddities::toString);
    runFor(5 * TICK);
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
  }

  /** A machine that was suspended, a frozen file system: nobody could write. */
  @ParameterizedTest
  @ValueSource(longs = {4, 3600})
  void allStoppedForAWhile_takeNobodyForDead(long seconds) {
    Process first = joined();
    Process second = joined();
    clock.advanceNanos(seconds * 1_000_000_000L);
    first.look();
    second.look();
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
    runFor(5 * TICK);
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
    assertEquals(List.of(Oddity.AWAY), first.oddities);
  }

  @Test
  void lineTakenByOthers_isClaimedAgain_andTheShareStays() {
    Process first = joined();
    Process second = joined();
    Collections.fill(file, "");
    runFor(2 * TICK);
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
    assertEquals(List.of(Oddity.LINE_LOST), first.oddities);
    runFor(5 * TICK);
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
  }

  @Test
  void othersThatJoinAndLeaveAllTheTime_doNotKeepAShareFromGrowing() {
    Process first = joined();
    Process second = joined();
    second.wants = 0;
    runFor(5 * TICK);
    assertEquals(CAP, first.rate);
    for (int i = 0; i < 6; i++) {
      Process third = new Process();
      third.wants = 0;
      runFor(2 * TICK);
      processes.remove(third);
      third.leave();
      second.wants = Rate.MAX_BYTES_PER_SECOND;
    }
    assertEquals(List.of(CAP / 2, CAP / 2), List.of(first.rate, second.rate));
    runFor(5 * TICK);
    assertEquals(2, file.stream().filter(text -> !text.isEmpty()).count());
  }

  @Test
  void shareThatCannotBeWritten_isTakenLater() {
    Process first = new Process();
    first.failing = "takes=" + CAP;
    first.look();
    clock.advanceNanos(2 * TICK);
    assertThrows(AssertionError.class, first::look);
    assertEquals(0, first.rate);
    first.failing = "text of no line";
    runFor(6 * TICK);
    assertEquals(CAP, first.rate);
  }

  @Test
  void fileThatCannotBeUsed_leavesAtMostThePartByWeight_afterAWhile() {
    Process first = joined();
    Process idle = joined();
    idle.wants = 0;
    runFor(5 * TICK);
    assertEquals(CAP, first.rate);
    first.seat.lookFailed();
    assertEquals(CAP, first.rate);
    clock.advanceNanos(ShareSeat.LEASE_NANOS / 2);
    first.seat.lookFailed();
    assertEquals(CAP / 2, first.rate);
  }
}
