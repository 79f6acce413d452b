package io.weir.stress.plan;

import io.weir.run.Part;
import io.weir.run.SloResult;
import java.util.List;
import java.util.Optional;

/**
 * The arms of a plan, round by round, whatever they come to.
 *
 * <p><b>Threads:</b> immutable.
 */
final class FixedArms implements ArmQueue {

  private final StressPlan plan;

  FixedArms(StressPlan plan) {
    this.plan = plan;
  }

  @Override
  public Optional<Turn> next(List<Part> results) {
    int step = results.size();
    int arms = plan.arms().size();
    if (step == arms * plan.rounds()) {
      return Optional.empty();
    }
    int round = step / arms + 1;
    return Optional.of(
        new Turn(
            plan.order(round).get(step % arms),
            round,
            "%d of %d".formatted(step + 1, arms * plan.rounds())));
  }

  /** Empty before the last arm has ended: there is nothing to judge yet. */
  @Override
  public List<SloResult> judge(List<Part> results) {
    List<String> names = plan.arms().stream().map(Arm::name).toList();
    return results.size() < names.size() * plan.rounds()
        ? List.of()
        : plan.slos().stream().flatMap(slo -> slo.judge(names, results).stream()).toList();
  }
}
