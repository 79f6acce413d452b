package io.weir.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.control.MergeDeadline;
import io.weir.rate.Rate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class MergeDeadlineBeanTest {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Test
  void attributes_tellWhatTheDeadlineTells() throws Exception {
    DeadlineSnapshot onTime =
        new DeadlineSnapshot(
            Outlook.ON_TIME,
            OptionalDouble.of(0.25),
            Optional.of(Duration.ofSeconds(45)),
            Duration.ofSeconds(60),
            Rate.perSecond(2_000_000));
    try (MergeDeadlineBean bean = MergeDeadlineBean.register(() -> onTime, "night")) {
      ObjectName name = new ObjectName("io.weir:type=MergeDeadline,name=night");
      assertTrue(server.isRegistered(name), bean::toString);
      assertEquals("on time", server.getAttribute(name, "Outlook"));
      assertEquals(25.0, server.getAttribute(name, "DonePercent"));
      assertEquals(45L, server.getAttribute(name, "NeededSeconds"));
      assertEquals(60L, server.getAttribute(name, "LeftSeconds"));
      assertEquals(2_000_000L, server.getAttribute(name, "BytesPerSecond"));
      assertEquals(onTime.describe(), server.getAttribute(name, "Description"));
    }
  }

  @Test
  void deadlineWithoutAMerge_hasNoFiguresOfOne_andGoesWithTheBean() throws Exception {
    ObjectName name = new ObjectName("io.weir:type=MergeDeadline,name=idle");
    Weir weir = Weir.builder().open(new ByteBuffersDirectory());
    try (MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), weir.scheduler());
        MergeDeadlineBean bean = MergeDeadlineBean.register(deadline, "idle")) {
      assertTrue(server.isRegistered(name), bean::toString);
      assertEquals("no forced merge runs", server.getAttribute(name, "Outlook"));
      assertNull(server.getAttribute(name, "DonePercent"));
      assertNull(server.getAttribute(name, "NeededSeconds"));
    }
    assertFalse(server.isRegistered(name));
  }
}
