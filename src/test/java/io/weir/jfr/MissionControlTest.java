package io.weir.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.jfr.WeirEvents.DirtyEvent;
import io.weir.jfr.WeirEvents.MergeStartEvent;
import io.weir.jfr.WeirEvents.RateEvent;
import io.weir.jfr.WeirEvents.ReopenEvent;
import io.weir.jfr.WeirEvents.WaitEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.IDescribable;
import org.openjdk.jmc.common.item.IAccessorKey;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.item.ItemFilters;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** A recording as JDK Mission Control reads it, with its own library. */
class MissionControlTest {

  @TempDir Path temp;

  @Test
  void everyEvent_hasItsName_andFieldsTheirUnits() throws Exception {
    IItemCollection recording = JfrLoaderToolkit.loadEvents(record().toFile());

    Map<String, List<String>> events = new TreeMap<>();
    for (IItemIterable items : recording.apply(ItemFilters.typeMatches("io\\.weir\\..*"))) {
      IType<IItem> type = items.getType();
      List<String> fields = new ArrayList<>();
      for (Map.Entry<IAccessorKey<?>, ? extends IDescribable> field :
          type.getAccessorKeys().entrySet()) {
        String id = field.getKey().getIdentifier();
        assertFalse(field.getValue().getName().equals(id), id + " has no name of its own");
        if (id.endsWith("Bytes")) {
          assertEquals(UnitLookup.MEMORY, field.getKey().getContentType(), id);
          fields.add(id);
        }
        if (id.endsWith("Nanos")) {
          assertEquals(UnitLookup.TIMESPAN, field.getKey().getContentType(), id);
          fields.add(id);
        }
      }
      events.put(type.getName(), fields.stream().sorted().toList());
    }
    assertEquals(
        Map.of(
            "Merge", List.of("cpuNanos", "pausedNanos", "writtenBytes"),
            "Merge Start", List.of("estimatedBytes"),
            "Wait for the Budget", List.of("grantedBytes", "requestedBytes"),
            "Change of Rate", List.of(),
            "Latency Goal",
                List.of(
                    "afterRateBytes",
                    "beforeRateBytes",
                    "floorRateBytes",
                    "seenNanos",
                    "usedRateBytes"),
            "Merge Deadline", List.of("leftNanos", "neededNanos", "rateBytes"),
            "Reopen",
                List.of(
                    "applyDeletesNanos",
                    "flushNanos",
                    "latencyNanos",
                    "lockWaitNanos",
                    "mergeWaitNanos",
                    "openReadersNanos",
                    "releaseNanos",
                    "totalNanos",
                    "warmNanos"),
            "Dirty Pages",
                List.of(
                    "backgroundThresholdBytes", "dirtyBytes", "thresholdBytes", "writebackBytes")),
        events);
  }

  private Path record() throws Exception {
    List<Event> events =
        List.of(
            WeirEvents.MERGE.begin(),
            new MergeStartEvent(),
            new WaitEvent(),
            new RateEvent(),
            WeirEvents.GOAL.begin(),
            WeirEvents.DEADLINE.begin(),
            new ReopenEvent(),
            new DirtyEvent());
    Path file = temp.resolve("weir.jfr");
    try (Recording recording = new Recording()) {
      events.forEach(event -> recording.enable(event.getClass()));
      recording.start();
      events.forEach(Event::commit);
      recording.stop();
      recording.dump(file);
    }
    return file;
  }
}
