package io.weir.agent.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.Rate;
import io.weir.rate.RateSchedule.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentOptionsTest {

  @Test
  void parse_allOptions_areThose() {
    assertEquals(
        new AgentOptions(
            Optional.of(Rate.perSecond(40_000_000)),
            List.of(
                new Window(
                    EnumSet.range(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
                    LocalTime.of(8, 0),
                    LocalTime.of(20, 0),
                    Rate.UNLIMITED)),
            true,
            true,
            OptionalDouble.of(1.5),
            OptionalInt.of(9400),
            "0.0.0.0",
            Duration.ofMillis(20)),
        AgentOptions.parse(
            "cap=40MB/s, schedule=Sat-Sun 8:00-20:00 off,"
                + " count-reads, idle-class, merge-cpu=1.5, port=9400,host=0.0.0.0,slow=20ms"));
  }

  @Test
  void parse_measureAlone_hasNoCapAndNoPort() {
    AgentOptions options = AgentOptions.parse("measure");

    assertEquals(Optional.empty(), options.cap());
    assertEquals(List.of(), options.schedule());
    assertFalse(options.countsReads() || options.idleClass());
    assertEquals(Optional.empty(), options.address());
    assertEquals(Duration.ofMillis(50), options.slow());
  }

  @Test
  void parse_capOff_isUnlimited() {
    assertEquals(Optional.of(Rate.UNLIMITED), AgentOptions.parse("cap=off").cap());
  }

  @Test
  void address_withoutHost_isOfThisMachineAlone() {
    assertTrue(
        AgentOptions.parse("measure,port=0")
            .address()
            .orElseThrow()
            .getAddress()
            .isLoopbackAddress());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = ';',
      value = {
        "\"\"; either cap, such as cap=40MB/s or cap=off, or measure: ''",
        "cap=1MB/s,measure; either cap, such as cap=40MB/s or cap=off, or measure",
        "measure=yes; measure must have no value: measure=yes",
        "cap=1MB/s,count-reads=on; count-reads must have no value: count-reads=on",
        "measure,count-reads; count-reads needs cap, which then limits reads as well",
        "cap=off,idle-class=on; idle-class must have no value: idle-class=on",
        "measure,idle-class; idle-class needs cap, such as cap=off",
        "measure,merge-cpu=1; merge-cpu needs cap, such as cap=off",
        "cap=off,merge-cpu=0; merge-cpu must be a number of cores from 0.01 to 16384, such as 1.5, or off: 0",
        "measure,schedule=9:00-17:00 1MB/s; schedule needs cap, which applies outside the hours",
        "cap=1MB/s,schedule=nights; schedule must be windows such as Mon-Fri 09:00-17:00 10MB/s",
        "cap=1MB/s,schedule=9:00-17:00 paused; schedule must be a rate such as 10MB/s",
        "cap=40; cap must be a rate such as 10MB/s or 512KiB/s, or off: 40",
        "cap=40MB/s,cap=1MB/s; the option cap must be given once",
        "mesure; unknown option 'mesure', did you mean 'measure'? the options are",
        "cap=1MB/s,prot=1; unknown option 'prot', did you mean 'port'?",
        "xyzzy=1; unknown option 'xyzzy'; the options are cap, measure, schedule, count-reads, idle-class, merge-cpu, port, host, slow",
        "measure,port=70000; port must be from 0 to 65535: 70000",
        "measure,port=; port must be from 0 to 65535: ",
        "measure,host=0.0.0.0; host must be an address, and needs port: host=0.0.0.0",
        "measure,slow=0ms; slow must be from 1ms to 1h: 0ms",
        "measure,slow=soon; slow must be a duration such as 10s, 500ms or 2m: soon"
      })
  void parse_aWrongOption_isOneLineThatNamesIt(String text, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse(text));

    assertTrue(refused.getMessage().contains(message), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count());
  }
}
