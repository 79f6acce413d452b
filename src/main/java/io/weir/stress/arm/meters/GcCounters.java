package io.weir.stress.arm.meters;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What the collectors of this JVM say of themselves, since it started. ZGC and Shenandoah count
 * their pauses once more beside the cycles that they are part of; those are left out here.
 *
 * <p><b>Threads:</b> any.
 */
public final class GcCounters {

  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(bean -> !isPartOfAnother(bean.getName()))
          .toList();

  /** Collections. */
  public long count() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }

  /** Their time; of concurrent ones the time they ran, not what anybody waited. */
  public long millis() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
  }

  /** The collectors. */
  public List<String> names() {
    return collectors.stream().map(GarbageCollectorMXBean::getName).toList();
  }

  /** {@code ZGC Minor Pauses}, {@code Shenandoah Pauses}. */
  static boolean isPartOfAnother(String bean) {
    return bean.endsWith(" Pauses");
  }
}
