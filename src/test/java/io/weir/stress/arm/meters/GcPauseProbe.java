package io.weir.stress.arm.meters;

import io.weir.time.NanoClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A JVM with a live heap that asks for collections, while a thread that does nothing but look at
 * the clock tells when it stood still. Argument: the recorder's directory. One line for each
 * collection asked for ({@code asked FROM TO}), standstill ({@code gap FROM TO}) and pause ({@code
 * pause START DURATION COLLECTOR NAME CAUSE}, parted by tabs).
 */
final class GcPauseProbe {

  private static final int LIVE_OBJECTS = 400_000;
  private static final int COLLECTIONS = 3;
  private static final long GAP_NANOS = 200_000;

  private static final CountDownLatch WATCHING = new CountDownLatch(1);

  private static volatile boolean done;

  private GcPauseProbe() {}

  public static void main(String[] arguments) throws Exception {
    List<Object> live = new ArrayList<>();
    for (int i = 0; i < LIVE_OBJECTS; i++) {
      live.add(new long[10]);
    }
    StringBuilder lines = new StringBuilder();
    GcEvents events = new GcEvents(NanoClock.SYSTEM, Path.of(arguments[0]));
    List<long[]> gaps = new ArrayList<>();
    Thread watcher = Thread.ofPlatform().daemon().start(() -> watch(gaps));
    WATCHING.await();
    for (int i = 0; i < COLLECTIONS; i++) {
      long from = System.nanoTime();
      System.gc();
      lines.append("asked\t%d\t%d\n".formatted(from, System.nanoTime()));
    }
    done = true;
    watcher.join();
    events.close();
    gaps.forEach(gap -> lines.append("gap\t%d\t%d\n".formatted(gap[0], gap[1])));
    for (GcEvents.Pause pause : events.take()) {
      lines.append(
          "pause\t%d\t%d\t%s\t%s\t%s\n"
              .formatted(
                  pause.startNanos(),
                  pause.durationNanos(),
                  pause.collector().orElse("none"),
                  pause.name(),
                  pause.cause().orElse("none")));
    }
    lines.append("failure\t").append(events.failure().orElse("none")).append('\n');
    lines.append("live\t").append(live.size()).append('\n');
    System.out.write(lines.toString().getBytes());
    System.out.flush();
  }

  private static void watch(List<long[]> gaps) {
    long last = System.nanoTime();
    WATCHING.countDown();
    boolean ending;
    do {
      ending = done; // before the clock is read: the last standstill is seen only after it
      long now = System.nanoTime();
      if (now - last > GAP_NANOS) {
        gaps.add(new long[] {last, now});
      }
      last = now;
    } while (!ending);
  }
}
