package io.weir.jmx;

import io.weir.rate.ProcessorShare;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Exposes the share of the processors that merges have, in JMX as {@code
 * io.weir:type=ProcessorShare,name=...} until it is closed. JMX clients can read and change it.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the share. <b>Failure:</b> a
 * number out of range is refused with a message that states the range; the old one stays.
 */
public final class ProcessorShareBean extends Registration {

  private ProcessorShareBean(ProcessorShare share, String name, MBeanServer server) {
    super(
        "ProcessorShare",
        name,
        new FiguresBean(
                "The processors that merges may use, which can be set, and what they have used",
                Optional.of(
                    new StandardMBean(new Control(share), ProcessorShareMXBean.class, true)))
            .with(ProcessorShare.FIGURES, () -> share),
        server);
  }

  /**
   * Registers a share at the platform's server.
   *
   * @param name for its clients
   * @throws IllegalStateException if a share of that name is registered
   */
  public static ProcessorShareBean register(ProcessorShare share, String name) {
    Objects.requireNonNull(share, "share");
    Objects.requireNonNull(name, "name");
    return register(share, name, ManagementFactory.getPlatformMBeanServer());
  }

  /** Registers a share at any server. */
  public static ProcessorShareBean register(ProcessorShare share, String name, MBeanServer server) {
    Objects.requireNonNull(share, "share");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(server, "server");
    return new ProcessorShareBean(share, name, server);
  }

  /** The registered name. */
  public ObjectName name() {
    return name;
  }

  private record Control(ProcessorShare share) implements ProcessorShareMXBean {

    @Override
    public Double getCores() {
      return share.cores().isPresent() ? share.cores().getAsDouble() : null;
    }

    @Override
    public void setCores(Double cores) {
      share.setCores(Objects.requireNonNull(cores, "cores; to have no limit use removeLimit"));
    }

    @Override
    public void removeLimit() {
      share.setUnlimited();
    }
  }
}
