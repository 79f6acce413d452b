package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.rate.BudgetListener;
import io.weir.rate.BudgetOptions;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import io.weir.suite.Alone;
import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What others do to the file of a shared cap, and to the processes and threads that share it. */
@Slow("starts processes that share a cap for seconds")
@Alone("other processes would take the processors that these need")
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a read hears no interrupt
class SharedCapFaultsTest {

  private static final long CAP = 20_000_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BURST_BYTES =
      CAP * BudgetOptions.DEFAULT_BURST.toNanos() / NANOS_PER_SECOND;
  private static final Pattern TAKES = Pattern.compile("\\btakes=(\\d+)");

  @TempDir Path temp;

  private Path file() {
    return temp.resolve("cap");
  }

  private SharedCap join() throws IOException {
    return SharedCap.join(file(), Rate.perSecond(CAP));
  }

  private ChildJvm process(SharingProcess.Fault fault) throws IOException {
    return ChildJvm.start(
        SharingProcess.class, file().toString(), Long.toString(CAP), "1", fault.name());
  }

  /** When a process had had so many bytes. */
  private record Account(long atNanos, long bytes) {

    static Account after(ChildJvm process, long nanos) throws IOException {
      while (true) {
        String[] numbers = process.nextLine().split(" ");
        Account account = new Account(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        if (account.atNanos - nanos >= 0) {
          return account;
        }
      }
    }

    double perSecond(Account later) {
      return (later.bytes - bytes) * NANOS_PER_SECOND / (later.atNanos - atNanos);
    }
  }

  private static long seconds(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }

  /** The sum of what the lines of the file take: of one moment, as two readings agree. */
  private long taken() throws IOException {
    String before = "";
    String now = Files.readString(file());
    while (!now.equals(before)) {
      before = now;
      now = Files.readString(file());
    }
    return TAKES.matcher(now).results().mapToLong(r -> Long.parseLong(r.group(1))).sum();
  }

  private boolean says(String text) {
    try {
      return Files.readString(file()).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Each process closes the file again and again, which drops all POSIX locks that it has on it.
   */
  @ParameterizedTest
  @EnumSource(value = SharingProcess.Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void foreignCodeClosesTheFile_bothProcessesKeepHalf_neverMoreThanTheCap(
      SharingProcess.Fault fault) throws Exception {
    try (ChildJvm first = process(fault);
        ChildJvm second = process(fault)) {
      long start =
          Math.max(
              Account.after(first, Long.MIN_VALUE / 2).atNanos,
              Account.after(second, Long.MIN_VALUE / 2).atNanos);
      Account firstFrom = Account.after(first, start + seconds(1));
      Account secondFrom = Account.after(second, start + seconds(1));
      for (long end = System.nanoTime() + seconds(3); System.nanoTime() - end < 0; ) {
        long taken = taken();
        assertTrue(taken <= CAP, () -> "the lines take " + taken);
      }
      Account firstTo = Account.after(first, firstFrom.atNanos + seconds(3));
      Account secondTo = Account.after(second, secondFrom.atNanos + seconds(3));

      assertEquals(CAP / 2.0, firstFrom.perSecond(firstTo), 0.05 * CAP, "the first");
      assertEquals(CAP / 2.0, secondFrom.perSecond(secondTo), 0.05 * CAP, "the second");
      double most = CAP * 1.02 + 2 * BURST_BYTES / 3;
      double both = firstFrom.perSecond(firstTo) + secondFrom.perSecond(secondTo);
      assertTrue(both <= most, () -> both + " of at most " + most);
    }
  }

  @Test
  void join_bySymbolicLinkOrHardLink_isTheSameCap_andRefused() throws IOException {
    Path link = temp.resolve("symbolic");
    Path name = temp.resolve("hard");
    try (SharedCap shared = join()) {
      Files.createSymbolicLink(link, file());
      Files.createLink(name, file());

      assertThrows(
          IllegalStateException.class, () -> SharedCap.join(link, Rate.perSecond(CAP)).close());
      assertThrows(
          IllegalStateException.class, () -> SharedCap.join(name, Rate.perSecond(CAP)).close());
      assertEquals(Rate.perSecond(CAP), shared.budget().rate());
    }
    SharedCap.join(link, Rate.perSecond(CAP)).close(); // once more, after close
    assertTrue(Files.isSymbolicLink(link));
  }

  /** An interrupt closes a channel that the thread uses. */
  @Test
  void close_onAnInterruptedThread_leavesTheFile_andItCanBeJoinedAgain() throws IOException {
    SharedCap shared = join();
    Thread.currentThread().interrupt();
    shared.close();

    assertTrue(Thread.interrupted(), "the interrupt must stay set");
    assertFalse(says("process="));
    shared.close();
    join().close();
  }

  @Test
  void join_onAnInterruptedThread_joins_andTheInterruptStaysSet() throws IOException {
    Thread.currentThread().interrupt();
    try (SharedCap shared = join()) {
      assertTrue(Thread.interrupted(), "the interrupt must stay set");
      assertEquals(Rate.perSecond(CAP), shared.budget().rate());
    }
    assertFalse(says("process="));
  }

  /** Its listener must not hold up other processes either, which once waited for its lock. */
  @Test
  void aListenerNeverReturns_theOthersStillGetTheirShare_andCloseReturns() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (SharedCap shared = join()) {
      shared
          .budget()
          .addListener(
              new BudgetListener() {
                @Override
                public void rateChanged(Rate before, Rate after) {
                  hanging.countDown();
                  try {
                    goOn.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }
              });
      shared.setCap(Rate.perSecond(CAP - 1));
      hanging.await();
      try (ChildJvm other = process(SharingProcess.Fault.NONE)) {
        Account from = Account.after(other, System.nanoTime() + seconds(1));
        Account to = Account.after(other, from.atNanos + seconds(1));
        assertTrue(from.perSecond(to) >= 0.9 * CAP, () -> "got " + from.perSecond(to));
      }
    } finally {
      goOn.countDown();
    }
    assertFalse(says("process=" + ProcessHandle.current().pid() + " "));
  }

  @Test
  void aProcessIsStopped_theOthersUseItsShare_andItTakesPartAgainWhenItGoesOn() throws Exception {
    try (ChildJvm stopped = process(SharingProcess.Fault.NONE)) {
      Account.after(stopped, System.nanoTime());
      stopped.signal("STOP");
      try (SharedCap shared = join()) {
        Await.until(
            "the share of the stopped process is free",
            () -> shared.budget().rate().equals(Rate.perSecond(CAP)));
        Thread.ofPlatform().daemon().start(() -> takeAll(shared));

        stopped.signal("CONT");
        long on = System.nanoTime();
        for (long end = on + seconds(2); System.nanoTime() - end < 0; ) {
          long taken = taken();
          assertTrue(taken <= CAP, () -> "the lines take " + taken);
        }
        double got = 0; // in a second; on a busy machine it may take a few until it is steady
        for (long end = on + seconds(60);
            Math.abs(got - CAP / 2.0) > 0.05 * CAP && System.nanoTime() - end < 0; ) {
          Account from = Account.after(stopped, System.nanoTime());
          got = from.perSecond(Account.after(stopped, from.atNanos + seconds(1)));
        }
        assertEquals(CAP / 2.0, got, 0.05 * CAP);
      }
    }
  }

  private static void takeAll(SharedCap shared) {
    try {
      while (true) {
        shared.budget().acquire(1 << 20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aProcessIsKilled_itsShareIsFree() throws Exception {
    try (SharedCap shared = join();
        ChildJvm killed = process(SharingProcess.Fault.READ)) {
      Await.until("there are two", () -> shared.snapshot().processes() == 2);
      killed.kill();
      killed.exitCode();
      Await.until("there is one", () -> shared.snapshot().processes() == 1);
      Await.until("all is free", () -> shared.budget().rate().equals(Rate.perSecond(CAP)));
    }
  }

  @Test
  void theFileIsReplaced_bothProcessesMeetInTheNewOne() throws Exception {
    try (ChildJvm first = process(SharingProcess.Fault.NONE);
        ChildJvm second = process(SharingProcess.Fault.NONE)) {
      Account.after(first, System.nanoTime());
      Account.after(second, System.nanoTime());
      Path other = temp.resolve("other");
      Files.copy(file(), other);
      Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);

      Account from = Account.after(first, System.nanoTime() + seconds(1));
      Account secondFrom = Account.after(second, from.atNanos);
      Account to = Account.after(first, from.atNanos + seconds(2));
      Account secondTo = Account.after(second, secondFrom.atNanos + seconds(2));
      assertEquals(CAP / 2.0, from.perSecond(to), 0.05 * CAP, "the first");
      assertEquals(CAP / 2.0, secondFrom.perSecond(secondTo), 0.05 * CAP, "the second");
      Matcher lines = Pattern.compile("process=").matcher(Files.readString(file()));
      assertEquals(2, lines.results().count());
    }
  }

  /** As an editor does, or {@code > file}. */
  @Test
  void theFileIsEmptied_theProcessClaimsItsShareAgain_andLogsItOnce() throws IOException {
    try (CapturedLog log = CapturedLog.of(SharedCap.class.getPackage());
        SharedCap shared = join()) {
      for (int i = 0; i < 2; i++) {
        Files.writeString(file(), "");
        Await.until("it says who shares", () -> says("process="));
        assertEquals(Rate.perSecond(CAP), shared.budget().rate());
      }
      Await.until("it is logged", () -> !log.messages().isEmpty());
      assertEquals(
          List.of(
              "the shares of the cap in "
                  + file().toRealPath()
                  + " change: this process found its line changed by others, and claimed a line"
                  + " again"),
          log.messages());
    }
  }
}
