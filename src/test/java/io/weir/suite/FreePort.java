package io.weir.suite;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that get theirs before they listen. They lie below those that the kernel gives
 * to programs that ask for any, so no other program gets them in the meantime.
 */
public final class FreePort {

  private static final int FIRST = 20_000;
  private static final int END = 32_000;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST, END));

  private FreePort() {}

  /** One that no program listens on; this JVM does not give it again. */
  public static int next() {
    while (true) {
      int port = FIRST + (NEXT.getAndIncrement() - FIRST) % (END - FIRST);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        // It is taken.
      }
    }
  }
}
