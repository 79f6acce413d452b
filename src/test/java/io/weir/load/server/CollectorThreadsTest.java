package io.weir.load.server;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.load.server.ServerMain.CollectorThreads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectorThreadsTest {

  /** As Linux has them, with at most 15 characters. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GC Thread#0",
        "G1 Conc#0",
        "G1 Service",
        "VM Thread",
        "Shenandoah GC T",
        "ZDirector",
        "ZDriverMinor",
        "ZWorkerYoung#0",
        "ZUncommitter#0",
        "XDirector",
        "XDriver",
        "XWorker#0",
        "XStat",
        "XUnmapper",
        "XUncommitter"
      })
  void isCollector_aThreadOfACollector_isOne(String name) {
    assertTrue(CollectorThreads.isCollector(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "C2 CompilerThre", "weir-updates-0", "HTTP-Dispatcher", "Xorg"})
  void isCollector_anotherThread_isNone(String name) {
    assertFalse(CollectorThreads.isCollector(name));
  }
}
