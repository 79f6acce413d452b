package io.weir.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

  private final InheritableThreadLocal<String> ofTheCreator = new InheritableThreadLocal<>();

  @Test
  void thread_ofACreatorWithAGroupALoaderAndLocals_inheritsNone() throws Exception {
    CompletableFuture<Thread> created = new CompletableFuture<>();
    CompletableFuture<String> inherited = new CompletableFuture<>();
    try (URLClassLoader loader = new URLClassLoader("application", new URL[0], null)) {
      Thread creator =
          new Thread(
              new ThreadGroup("application"),
              () -> {
                ofTheCreator.set("inherited");
                created.complete(
                    DaemonThreads.unstarted(
                        "weir-test", () -> inherited.complete(ofTheCreator.get())));
              });
      creator.setPriority(Thread.MIN_PRIORITY);
      creator.setContextClassLoader(loader);
      creator.start();

      Thread thread = created.get();
      assertEquals("weir-test", thread.getName());
      assertTrue(thread.isDaemon());
      assertEquals(Thread.NORM_PRIORITY, thread.getPriority());
      assertNull(thread.getThreadGroup().getParent());
      assertSame(ClassLoader.getSystemClassLoader(), thread.getContextClassLoader());
      thread.start();
      assertNull(inherited.get());
    }
  }
}
