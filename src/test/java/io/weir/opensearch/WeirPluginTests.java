package io.weir.opensearch;

import io.weir.rate.Rate;
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

  @Test
  public void schedule_ofTheNode_isInForceFromTheStart_andAWrongOneIsRefused() throws Exception {
    Settings settings =
        Settings.builder()
            .put("weir.merge.max_bytes_per_sec", "40mb")
            .put("weir.merge.schedule", "00:00-24:00 10mb")
            .put("weir.merge.time_zone", "Europe/Berlin")
            .build();
    try (WeirPlugin plugin = new WeirPlugin(settings)) {
      assertEquals(Rate.perSecond(10 << 20), plugin.node().budget().rate());
    }
    for (String wrong :
        new String[] {"nights 10mb", "00:00-24:00 0b", "00:00-24:00 17gb", "00:00-24:00 fast"}) {
      IllegalArgumentException refused =
          expectThrows(
              IllegalArgumentException.class,
              () ->
                  new WeirPlugin(
                      Settings.builder().put(settings).put("weir.merge.schedule", wrong).build()));
      assertTrue(refused.getMessage(), refused.getMessage().contains("weir.merge.schedule"));
    }
  }
}
