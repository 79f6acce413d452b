package io.weir.elasticsearch;

import java.util.Set;
import java.util.stream.Collectors;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.test.ESTestCase;
import org.junit.Test;

/** What the plug-in registers. {@link ElasticsearchFrameworkTest} runs it. */
public class WeirPluginTests extends ESTestCase {

  /**
   * The engine's security checks the name of an action: roles with {@code cluster:monitor/*} may
   * look, and only those with {@code cluster:admin/*} may cancel.
   */
  @Test
  public void actions_toLookAndToCancel_needThePrivilegesToMonitorAndToAdminister()
      throws Exception {
    try (WeirPlugin plugin = new WeirPlugin(Settings.EMPTY)) {
      assertEquals(
          Set.of(
              "cluster:monitor/weir/stats",
              "cluster:monitor/weir/forcemerge",
              "cluster:monitor/weir/metrics",
              "cluster:admin/weir/forcemerge/cancel"),
          plugin.getActions().stream()
              .map(handler -> handler.getAction().name())
              .collect(Collectors.toSet()));
    }
  }
}
