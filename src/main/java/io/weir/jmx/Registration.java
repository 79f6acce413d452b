package io.weir.jmx;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The base of what exposes one MXBean at an MBean server, under {@code io.weir:type=...,name=...},
 * until it is closed.
 *
 * <p><b>Threads:</b> any.
 */
abstract class Registration implements AutoCloseable {

  /** Names that JMX requires in quotes, or would treat as a pattern; a name may also be empty. */
  private static final Pattern SPECIAL = Pattern.compile("[,=:\"*?\n]|^\\s*$");

  private final MBeanServer server;
  final ObjectName name;

  /** Registers at the platform's server. */
  Registration(String type, String name, FiguresBean bean) {
    this(type, name, bean, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers at any server.
   *
   * @throws IllegalStateException if a bean of that type and name is registered
   */
  Registration(String type, String name, FiguresBean bean, MBeanServer server) {
    this.server = server;
    this.name = objectName(type, name);
    try {
      server.registerMBean(bean, this.name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "beans of one type need different names to be registered in JMX: " + this.name, e);
    } catch (JMException e) {
      throw new IllegalStateException("JMX refused to register " + this.name, e);
    }
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // It was removed before.
    } catch (JMException e) {
      throw new IllegalStateException("JMX refused to unregister " + name, e);
    }
  }

  /**
   * The type comes first, because consoles build a tree from the keys in their order, and
   * jmx_exporter builds its names from them.
   */
  private static ObjectName objectName(String type, String name) {
    try {
      return new ObjectName(
          "io.weir:type="
              + type
              + ",name="
              + (SPECIAL.matcher(name).find() ? ObjectName.quote(name) : name));
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e); // a quoted name is always valid
    }
  }
}
