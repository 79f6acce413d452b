package io.weir.jmx;

import static io.weir.golden.Golden.assertGolden;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.StandardMBean;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import org.junit.jupiter.api.Test;

/** Each attribute and operation, as a client of JMX sees them. */
class MXBeanGoldenTest {

  private static final List<Class<?>> BEANS =
      List.of(
          ByteBudgetMXBean.class,
          LatencyGoalMXBean.class,
          MergeDeadlineMXBean.class,
          MergesMXBean.class,
          ReopensMXBean.class);

  @Test
  void beans_haveTheAttributesAndOperationsThatTheyHad() {
    StringBuilder text = new StringBuilder();
    for (Class<?> bean : BEANS) {
      describe(bean, text);
    }
    assertGolden("mxbeans.txt", text.toString());
  }

  private static <B> void describe(Class<B> bean, StringBuilder text) {
    Object any =
        Proxy.newProxyInstance(bean.getClassLoader(), new Class<?>[] {bean}, (p, m, a) -> null);
    MBeanInfo info = new StandardMBean(bean.cast(any), bean, true).getMBeanInfo();
    text.append(bean.getSimpleName()).append('\n');
    TreeMap<String, String> lines = new TreeMap<>();
    for (MBeanAttributeInfo attribute : info.getAttributes()) {
      lines.put(
          attribute.getName(), typeOf(attribute) + (attribute.isWritable() ? ", can be set" : ""));
    }
    for (MBeanOperationInfo operation : info.getOperations()) {
      String parameters =
          String.join(
              ", ", Arrays.stream(operation.getSignature()).map(MXBeanGoldenTest::typeOf).toList());
      lines.put(operation.getName() + "(" + parameters + ")", typeOf(operation));
    }
    lines.forEach(
        (name, type) -> text.append("  ").append(name).append(": ").append(type).append('\n'));
  }

  private static String typeOf(MBeanFeatureInfo feature) {
    OpenType<?> type = (OpenType<?>) feature.getDescriptor().getFieldValue("openType");
    if (type instanceof CompositeType composite) {
      return composite.keySet().stream()
          .map(key -> key + " " + composite.getType(key).getTypeName())
          .toList()
          .toString();
    }
    return type.getTypeName();
  }
}
