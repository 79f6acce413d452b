package io.weir.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {

  private final Listeners<Runnable> listeners =
      new Listeners<>(new OnceLog(ListenersTest.class), "a listener failed; it is still called");
  private final List<String> heard = new ArrayList<>();

  @Test
  void tell_oneThatThrows_isHeardOfOnceAndHurtsNoOther() {
    listeners.add(() -> heard.add("first"));
    listeners.add(
        () -> {
          throw new StackOverflowError("on purpose");
        });
    listeners.add(() -> heard.add("last"));
    try (CapturedLog log = CapturedLog.of(Listeners.class.getPackage())) {
      listeners.tell(Runnable::run);
      listeners.tell(Runnable::run);
      assertEquals(List.of("a listener failed; it is still called"), log.messages());
    }
    assertEquals(List.of("first", "last", "first", "last"), heard);
    assertEquals(2, listeners.failures());
  }

  @Test
  void tell_withWhatItIsAbout_passesItToEach() {
    List<String> parts = new ArrayList<>();
    listeners.add(() -> heard.add("run"));
    listeners.tell(
        "news",
        (listener, news) -> {
          listener.run();
          parts.add(news);
        });
    assertEquals(List.of("run"), heard);
    assertEquals(List.of("news"), parts);
  }

  @Test
  void remove_oneThatWasAddedTwice_leavesTheOther() {
    Runnable twice = () -> heard.add("twice");
    listeners.add(twice);
    listeners.add(twice);
    listeners.remove(twice);
    listeners.remove(() -> {});
    listeners.tell(Runnable::run);
    assertEquals(List.of("twice"), heard);
  }

  @Test
  void add_duringACall_isHeardOfAtTheNext() {
    listeners.add(() -> listeners.add(() -> heard.add("late")));
    listeners.tell(Runnable::run);
    assertEquals(List.of(), heard);
    listeners.tell(Runnable::run);
    assertEquals(List.of("late"), heard);
  }
}
