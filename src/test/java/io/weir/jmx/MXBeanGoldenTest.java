package io.weir.jmx;

import static io.weir.golden.Golden.assertGolden;

import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.control.Percentile;
import io.weir.metrics.MeasuredIndex;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopens;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each attribute and operation, as a client of JMX sees them. */
class MXBeanGoldenTest {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Test
  @SuppressWarnings("try") // the beans are only registered
  void beans_haveTheAttributesAndOperationsThatTheyHad(@TempDir Path temp) throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    try (MeasuredIndex index = new MeasuredIndex(temp, "golden", budget);
        LatencyGoal goal = index.weir.hold(Percentile.P99, Duration.ofMillis(100));
        MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), index.weir.scheduler());
        ByteBudgetBean budgetBean = ByteBudgetBean.register(budget);
        ProcessorShareBean shareBean =
            ProcessorShareBean.register(ProcessorShare.unlimited(), "golden");
        LatencyGoalBean goalBean = LatencyGoalBean.register(goal);
        MergeDeadlineBean deadlineBean = MergeDeadlineBean.register(deadline, "golden");
        MergesBean mergesBean = MergesBean.register(index.weir.scheduler(), "golden")) {
      SlowReopens slow = index.reopens.explainSlow(SlowReopenOptions.defaults());
      try (ReopensBean reopensBean = ReopensBean.register(index.reopens, slow, "golden")) {
        StringBuilder text = new StringBuilder();
        for (ObjectName name :
            server.queryNames(new ObjectName("io.weir:*"), null).stream()
                .sorted(Comparator.comparing(name -> name.getKeyProperty("type")))
                .toList()) {
          describe(name, text);
        }
        assertGolden("mxbeans.txt", text.toString());
      }
    }
  }

  private void describe(ObjectName bean, StringBuilder text) throws Exception {
    MBeanInfo info = server.getMBeanInfo(bean);
    text.append(bean.getKeyProperty("type")).append("MXBean\n");
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
