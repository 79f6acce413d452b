package io.weir.rate;

import java.util.ArrayDeque;

/** The threads that wait for grants of one budget itself: first come, first served. */
final class RequestQueue extends Flow {

  private static final int WEIGHT = 1;

  final BudgetNode node;
  final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

  RequestQueue(BudgetNode node) {
    super(WEIGHT);
    this.node = node;
  }

  @Override
  BudgetNode server() {
    return node;
  }

  @Override
  boolean isBacklogged() {
    return !waiters.isEmpty();
  }
}
