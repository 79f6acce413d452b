package io.weir.jfr;

import static io.weir.golden.Golden.assertGolden;

import io.weir.jfr.WeirEvents.DirtyEvent;
import io.weir.jfr.WeirEvents.MergeStartEvent;
import io.weir.jfr.WeirEvents.RateEvent;
import io.weir.jfr.WeirEvents.ReopenEvent;
import io.weir.jfr.WeirEvents.WaitEvent;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import org.junit.jupiter.api.Test;

/** Each event and its fields, as Mission Control shows them. */
class EventGoldenTest {

  private static final List<Class<? extends Event>> EVENTS =
      List.of(
          WeirEvents.DEADLINE.type(),
          DirtyEvent.class,
          WeirEvents.GOAL.type(),
          WeirEvents.MERGE.type(),
          MergeStartEvent.class,
          RateEvent.class,
          ReopenEvent.class,
          WaitEvent.class);

  @Test
  void events_haveTheFieldsThatTheyHad() {
    assertGolden(
        "events.txt",
        EVENTS.stream()
            .map(EventType::getEventType)
            .map(EventGoldenTest::described)
            .collect(Collectors.joining()));
  }

  private static String described(EventType type) {
    return "%s: %s. %s%n".formatted(type.getName(), type.getLabel(), type.getDescription())
        + type.getFields().stream()
            .map(
                field ->
                    "  %s %s %s: %s. %s%n"
                        .formatted(
                            field.getName(),
                            field.getTypeName(),
                            field.getContentType(),
                            field.getLabel(),
                            field.getDescription()))
            .collect(Collectors.joining());
  }
}
