package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.SharedCap.Snapshot;
import io.weir.procfs.ProcessIdentity;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetListener;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import io.weir.suite.Alone;
import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that share a cap; this JVM is one of them where a test says so. */
@Slow("starts processes that share a cap for seconds")
@Alone("other processes would take the processors that these need")
@Timeout(60)
class SharedCapTest {

  private static final long CAP = 20_000_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BURST_BYTES =
      CAP * BudgetOptions.DEFAULT_BURST.toNanos() / NANOS_PER_SECOND;

  @TempDir Path temp;

  private Path file() {
    return temp.resolve("cap");
  }

  /** When a process had had so many bytes. */
  private record Account(long atNanos, long bytes) {

    static Account next(ChildJvm process) throws IOException {
      String[] numbers = process.nextLine().split(" ");
      return new Account(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    static Account at(ChildJvm process, long nanos) throws IOException {
      while (true) {
        Account account = next(process);
        if (account.atNanos >= nanos) {
          return account;
        }
      }
    }

    double perSecond(Account later) {
      return (later.bytes - bytes) * NANOS_PER_SECOND / (later.atNanos - atNanos);
    }
  }

  private ChildJvm process(int weight) throws IOException {
    return ChildJvm.start(
        SharingProcess.class,
        file().toString(),
        Long.toString(CAP),
        Integer.toString(weight),
        SharingProcess.Fault.NONE.name());
  }

  private boolean says(String text) {
    try {
      return Files.readString(file()).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long seconds(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }

  @Test
  void twoProcesses_getHalfEach_neverMoreThanTheCap_andOneThatIsKilledLeavesItAll()
      throws Exception {
    try (ChildJvm first = process(1)) {
      Account alone = Account.next(first);
      Account aloneLater = Account.at(first, alone.atNanos + seconds(1));
      assertEquals(CAP, alone.perSecond(aloneLater), 0.1 * CAP, "alone");
      try (ChildJvm second = process(1)) {
        Account secondBegan = Account.next(second);
        Account firstThen = Account.at(first, secondBegan.atNanos);
        Account firstFrom = Account.at(first, secondBegan.atNanos + seconds(0.5));
        Account secondFrom = Account.at(second, secondBegan.atNanos + seconds(0.5));
        Account firstTo = Account.at(first, firstFrom.atNanos + seconds(2));
        Account secondTo = Account.at(second, secondFrom.atNanos + seconds(2));

        assertEquals(CAP / 2.0, firstFrom.perSecond(firstTo), 0.05 * CAP, "the first");
        assertEquals(CAP / 2.0, secondFrom.perSecond(secondTo), 0.05 * CAP, "the second");
        // From the moment at which there were two: the way to fair shares is included.
        double seconds = (firstTo.atNanos - firstThen.atNanos) / NANOS_PER_SECOND;
        double most =
            CAP * seconds
                + 2 * BURST_BYTES
                + CAP * Math.abs(firstTo.atNanos - secondTo.atNanos) / NANOS_PER_SECOND;
        long both = firstTo.bytes - firstThen.bytes + secondTo.bytes;
        assertTrue(both <= most, () -> both + " of at most " + most);

        second.kill();
        second.exitCode();
      }
      Account ended = Account.at(first, System.nanoTime() + seconds(0.5));
      Account endedLater = Account.at(first, ended.atNanos + seconds(1));
      assertEquals(CAP, ended.perSecond(endedLater), 0.05 * CAP, "after the other's death");
    }
  }

  @Test
  void weights_andAnIdleProcess() throws Exception {
    try (SharedCap idle = SharedCap.join(file(), Rate.perSecond(CAP));
        ChildJvm heavy = process(3);
        ChildJvm light = process(1)) {
      long settled = Math.max(Account.next(heavy).atNanos, Account.next(light).atNanos);
      Account heavyFrom = Account.at(heavy, settled + seconds(0.5));
      Account lightFrom = Account.at(light, settled + seconds(0.5));
      Account heavyTo = Account.at(heavy, heavyFrom.atNanos + seconds(2));
      Account lightTo = Account.at(light, lightFrom.atNanos + seconds(2));

      assertEquals(0.75 * CAP, heavyFrom.perSecond(heavyTo), 0.05 * CAP, "weight 3");
      assertEquals(0.25 * CAP, lightFrom.perSecond(lightTo), 0.025 * CAP, "weight 1");
      assertEquals(3, idle.snapshot().processes());
      assertEquals(CAP / 100, idle.snapshot().share().bytesPerSecond());

      idle.setCap(Rate.perSecond(CAP / 10));
      Await.until(
          "the lowest cap holds", () -> idle.snapshot().share().bytesPerSecond() == CAP / 10 / 100);
    }
  }

  @Test
  void alone_theShareIsTheCap_atOnce() throws IOException {
    try (SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP))) {
      assertEquals(Rate.perSecond(CAP), shared.budget().rate());
      assertEquals(new Snapshot(Rate.perSecond(CAP), Rate.perSecond(CAP), 1), shared.snapshot());
      shared.setCap(Rate.perSecond(CAP / 2));
      Await.until(
          "the cap has changed", () -> shared.budget().rate().equals(Rate.perSecond(CAP / 2)));
    }
    assertEquals("", Files.readString(file()).lines().skip(1).reduce("", String::concat).strip());
  }

  /** As a killed process leaves it. */
  private String lineOf(long processId, long startTicks, String boot, String namespaces) {
    return new ShareClaim(
            "dead",
            processId,
            Optional.of(new ProcessIdentity(processId, startTicks, boot, namespaces)),
            CAP / 2,
            CAP,
            CAP / 2,
            0,
            1,
            7)
        .format();
  }

  private void writeLine(int line, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      String padded = text + " ".repeat(ShareFile.LINE_BYTES - 1 - text.length()) + "\n";
      channel.write(
          ByteBuffer.wrap(padded.getBytes(StandardCharsets.ISO_8859_1)),
          (long) line * ShareFile.LINE_BYTES);
    }
  }

  /**
   * The line of a process that was killed, of an earlier one with a number that lives, of a boot.
   */
  @ParameterizedTest
  @ValueSource(strings = {"no such process", "number used again", "earlier boot"})
  void join_theClaimOfADeadProcess_isRemoved(String kind) throws IOException {
    SharedCap.join(file(), Rate.perSecond(CAP)).close();
    ProcessIdentity self = Procfs.SYSTEM.self().orElseThrow();
    long number = kind.equals("no such process") ? Integer.MAX_VALUE : self.number();
    String boot = kind.equals("earlier boot") ? "00000000" : self.boot();
    writeLine(5, lineOf(number, self.startTicks() - 1, boot, self.namespaces()));

    try (SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP))) {
      assertEquals(Rate.perSecond(CAP), shared.budget().rate());
      assertTrue(!says("id=dead"));
    }
  }

  /** In another container, the kernel does not say who lives. */
  @Test
  void join_theClaimOfAProcessInAnotherNamespace_countsForThreeSeconds() throws IOException {
    SharedCap.join(file(), Rate.perSecond(CAP)).close();
    ProcessIdentity self = Procfs.SYSTEM.self().orElseThrow();
    writeLine(5, lineOf(1, 1, self.boot(), "1.1"));

    try (SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP))) {
      assertEquals(Rate.perSecond(CAP / 2), shared.snapshot().cap());
      assertEquals(Rate.PAUSED, shared.budget().rate());
      Await.until("it is free", () -> shared.budget().rate().equals(Rate.perSecond(CAP)));
      assertTrue(!says("id=dead"));
    }
  }

  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void close_whileAListenerOfTheBudgetHangs_returns() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP));
    shared
        .budget()
        .addListener(
            new BudgetListener() {
              @Override
              public void rateChanged(Rate before, Rate after) {
                if (!after.equals(Rate.perSecond(CAP / 2))) {
                  return; // on a busy machine the first turn may still set the rate of the start
                }
                hanging.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    shared.setCap(Rate.perSecond(CAP / 2));
    hanging.await();

    shared.close();

    assertEquals(Rate.perSecond(CAP / 2), shared.budget().rate());
    assertTrue(!says("process="));
    goOn.countDown();
  }

  @Test
  void aFileThatIsDeleted_isMadeAnew() throws IOException {
    try (SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP))) {
      Files.delete(file());
      Await.until("it is there again", () -> Files.exists(file()));
      Await.until("it says who shares", () -> says("process="));
      assertEquals(Rate.perSecond(CAP), shared.budget().rate());
    }
  }

  @Test
  void join_whatIsWrong_isSaid() throws IOException {
    Files.writeString(temp.resolve("other"), "something else, and long enough".repeat(10));
    IOException other =
        assertThrows(
            IOException.class,
            () -> SharedCap.join(temp.resolve("other"), Rate.perSecond(CAP)).close());
    assertTrue(
        other.getMessage().contains("is not a file of a shared cap of this version of Weir"));
    assertTrue(other.getMessage().endsWith("delete the file, or name another file."));
    assertThrows(
        FileSystemException.class,
        () -> SharedCap.join(temp.resolve("missing/cap"), Rate.perSecond(CAP)).close());
    assertThrows(
        IllegalArgumentException.class, () -> SharedCap.join(file(), Rate.UNLIMITED).close());
    try (SharedCap shared = SharedCap.join(file(), Rate.perSecond(CAP))) {
      assertThrows(
          IllegalStateException.class, () -> SharedCap.join(file(), Rate.perSecond(CAP)).close());
      ByteBudget child = shared.budget().child(BudgetOptions.named("one index"));
      assertTrue(child.parent().isPresent());
    }
    SharedCap.join(file(), Rate.perSecond(CAP)).close(); // once more, after close
  }
}
