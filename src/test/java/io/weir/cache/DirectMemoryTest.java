package io.weir.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A quarter stays free; a JVM that refused is not asked again; one line in the log. */
class DirectMemoryTest {

  @Test
  void allocate_whileAQuarterStaysFree_succeeds_andLaterAgain() {
    AtomicLong used = new AtomicLong(600);
    DirectMemory memory = new DirectMemory(1000, used::get, ByteBuffer::allocateDirect);
    try (CapturedLog log = CapturedLog.of(DirectMemory.class.getPackage())) {
      assertTrue(memory.allocate(150).isPresent());
      assertTrue(memory.allocate(151).isEmpty());
      assertTrue(memory.allocate(151).isEmpty());
      used.set(0);
      assertEquals(750, memory.allocate(750).orElseThrow().capacity());
      assertEquals(1, log.messages().size(), log.messages().toString());
    }
  }

  @Test
  void allocate_afterTheJvmHasRefused_isNotTriedAgain() {
    AtomicInteger calls = new AtomicInteger();
    DirectMemory memory =
        new DirectMemory(
            1000,
            () -> 0,
            bytes -> {
              calls.incrementAndGet();
              throw new OutOfMemoryError("Cannot reserve " + bytes + " bytes");
            });
    try (CapturedLog log = CapturedLog.of(DirectMemory.class.getPackage())) {
      assertTrue(memory.allocate(10).isEmpty());
      assertTrue(memory.allocate(10).isEmpty());
      assertEquals(1, calls.get());
      assertEquals(1, log.messages().size(), log.messages().toString());
    }
  }

  @Test
  void ofThisJvm_hasRoomForASlab() {
    assertTrue(DirectMemory.OF_THIS_JVM.allocate(PagePool.SLAB_BYTES).isPresent());
  }
}
