package io.weir.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ProcessorShare;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.Test;

class ProcessorShareBeanTest {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ProcessorShare share = ProcessorShare.unlimited();

  @Test
  void cores_setByAClient_areTheLimitAtOnce() throws Exception {
    try (ProcessorShareBean bean = ProcessorShareBean.register(share, "node")) {
      assertNull(server.getAttribute(bean.name(), "Cores"));

      server.setAttribute(bean.name(), new Attribute("Cores", 1.5));
      assertEquals(OptionalDouble.of(1.5), share.cores());
      assertEquals(1.5, server.getAttribute(bean.name(), "Cores"));
      assertEquals(0L, server.getAttribute(bean.name(), "PaidMillis"));

      server.invoke(bean.name(), "removeLimit", null, null);
      assertEquals(OptionalDouble.empty(), share.cores());
    }
  }

  @Test
  void cores_outOfRange_areRefusedWithTheRange() throws Exception {
    try (ProcessorShareBean bean = ProcessorShareBean.register(share, "node")) {
      RuntimeMBeanException e =
          assertThrows(
              RuntimeMBeanException.class,
              () -> server.setAttribute(bean.name(), new Attribute("Cores", 0.0)));
      assertTrue(
          e.getCause().getMessage().startsWith("cores must be from 0.01 to 16384"),
          () -> "" + e.getCause());
    }
  }
}
