package io.weir.control;

import io.weir.rate.Rate;
import io.weir.suite.ChildJvm;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * A process that takes all that a shared cap gives it, and says twenty times a second when it is
 * and how many bytes it has had.
 */
final class SharingProcess {

  private static final long SAYS_EVERY_NANOS = 50_000_000;

  private SharingProcess() {}

  /** Arguments: the file, the cap in bytes per second, the weight. */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    PrintStream out = ChildJvm.output();
    SharedCap shared =
        SharedCap.join(Path.of(arguments[0]), Rate.perSecond(Long.parseLong(arguments[1])));
    shared.setWeight(Integer.parseInt(arguments[2]));
    long bytes = 0;
    long sayNanos = System.nanoTime();
    while (true) {
      bytes += shared.budget().acquire(1 << 20);
      if (System.nanoTime() - sayNanos >= 0) {
        out.println(System.nanoTime() + " " + bytes);
        sayNanos += SAYS_EVERY_NANOS;
      }
    }
  }
}
