package io.weir.control;

import io.weir.rate.Rate;
import io.weir.suite.ChildJvm;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that takes all that a shared cap gives it, and says twenty times a second when it is
 * and how many bytes it has had. Another thread of it may do what code that knows nothing of Weir
 * does: each of these opens the file once more, and closes it.
 */
final class SharingProcess {

  /** What the other thread does again and again. */
  enum Fault {
    NONE,
    READ,
    COPY,
    SECOND_LOADER,
    SECOND_NAME;

    private void act(Path file, Rate cap) throws Exception {
      switch (this) {
        case NONE -> {}
        case READ -> Files.readString(file);
        case COPY -> {
          String copy = "copy-" + ProcessHandle.current().pid();
          Files.copy(file, file.resolveSibling(copy), StandardCopyOption.REPLACE_EXISTING);
        }
        case SECOND_LOADER -> joinAndLeaveInALoaderOfItsOwn(file, cap);
        case SECOND_NAME -> {
          Path other = file.resolveSibling("name-" + ProcessHandle.current().pid());
          Files.deleteIfExists(other);
          Files.createLink(other, file);
          Files.readString(other);
        }
      }
    }
  }

  private static final long SAYS_EVERY_NANOS = 50_000_000;
  private static final long FAULT_EVERY_NANOS = 20_000_000;
  private static final long LOADER_EVERY_NANOS = 500_000_000; // else it takes a processor

  private SharingProcess() {}

  /** Arguments: the file, the cap in bytes per second, the weight, the fault. */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    PrintStream out = ChildJvm.output();
    Path file = Path.of(arguments[0]);
    Rate cap = Rate.perSecond(Long.parseLong(arguments[1]));
    SharedCap shared = SharedCap.join(file, cap);
    shared.setWeight(Integer.parseInt(arguments[2]));
    Fault fault = Fault.valueOf(arguments[3]);
    if (fault != Fault.NONE) {
      Thread.ofPlatform().daemon().start(() -> actAgainAndAgain(fault, file, cap));
    }
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

  private static void actAgainAndAgain(Fault fault, Path file, Rate cap) {
    try {
      while (true) {
        fault.act(file, cap);
        LockSupport.parkNanos(
            fault == Fault.SECOND_LOADER ? LOADER_EVERY_NANOS : FAULT_EVERY_NANOS);
      }
    } catch (Exception e) {
      Runtime.getRuntime().halt(4);
    }
  }

  /** As a second web application with a copy of the library. */
  private static void joinAndLeaveInALoaderOfItsOwn(Path file, Rate cap) throws Exception {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      path.add(new File(entry).toURI().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> rate = loader.loadClass(Rate.class.getName());
      Object ofThatLoader =
          rate.getMethod("perSecond", long.class).invoke(null, cap.bytesPerSecond());
      Object second =
          loader
              .loadClass(SharedCap.class.getName())
              .getMethod("join", Path.class, rate)
              .invoke(null, file, ofThatLoader);
      ((AutoCloseable) second).close();
    }
  }
}
