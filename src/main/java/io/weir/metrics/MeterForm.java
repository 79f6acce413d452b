package io.weir.metrics;

import io.micrometer.core.instrument.Meter;

/**
 * The type and the unit of a meter: a base unit of Micrometer's, or the plural of the counted
 * things.
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
