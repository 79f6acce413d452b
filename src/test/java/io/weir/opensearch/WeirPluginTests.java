package io.weir.opensearch;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchTestCase;

/** What the plug-in registers. {@link OpenSearchFrameworkTest} runs it. */
public class WeirPluginTests extends OpenSearchTestCase {

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
              "cluster:admin/weir/forcemerge/cancel"),
          plugin.getActions().stream()
              .map(handler -> handler.getAction().name())
              .collect(Collectors.toSet()));
    }
  }
}
