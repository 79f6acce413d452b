package io.weir.cli;

import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.report.words.Figures;
import io.weir.stress.plan.Arm;

/** What {@code weir load --dry-run} prints. */
final class LoadForecast {

  private LoadForecast() {}

  /** The arms, the loads and what the run takes at least. */
  static String text(LoadPlan plan) {
    StringBuilder out = new StringBuilder();
    plan.target()
        .ifPresentOrElse(
            target -> out.append("target    ").append(target.template()).append('\n'),
            () -> out.append("documents ").append(plan.run().documents().source()).append('\n'));
    out.append("queries   ").append(plan.run().queries()).append('\n');
    for (Arm arm : plan.run().arms()) {
      out.append("arm       %s: %s%n".formatted(arm.name(), plan.settings(arm)));
    }
    int steps =
        switch (plan.loads()) {
          case Loads.Listed listed -> listed.perSecond().size();
          case Loads.Auto auto -> 1;
        };
    double seconds =
        plan.run().arms().size()
            * plan.run().rounds()
            * (plan.warmUp().toMillis() + steps * plan.step().toMillis())
            / 1e3;
    return out.append("load      ")
        .append(
            switch (plan.loads()) {
              case Loads.Listed listed -> listed.perSecond() + " requests/s";
              case Loads.Auto auto -> "as many steps as it takes to find saturation";
            })
        .append("\ntakes     at least ")
        .append(Figures.seconds(seconds))
        .append(" for ")
        .append(Figures.count(plan.run().rounds(), "round"))
        .append(", with steps of ")
        .append(Figures.seconds(plan.step().toMillis() / 1e3))
        .append('\n')
        .toString();
  }
}
