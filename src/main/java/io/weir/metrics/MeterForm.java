package io.weir.metrics;

import io.micrometer.core.instrument.Meter;

/**
 * What a meter is, and what it counts in: a base unit of Micrometer's, or the plural of what is
 * counted.
 */
record MeterForm(Meter.Type type, String unit) {

  static final MeterForm TIMER = new MeterForm(Meter.Type.TIMER, "seconds");
  static final MeterForm LONG_TASK_TIMER = new MeterForm(Meter.Type.LONG_TASK_TIMER, "seconds");

  static MeterForm counter(String unit) {
    return new MeterForm(Meter.Type.COUNTER, unit);
  }

  static MeterForm gauge(String unit) {
    return new MeterForm(Meter.Type.GAUGE, unit);
  }
}
