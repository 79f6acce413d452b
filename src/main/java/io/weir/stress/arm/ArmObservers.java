package io.weir.stress.arm;

import io.weir.run.RunWarning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.util.IOUtils;

/** Several observers of the same arm as one: opened in order, closed in reverse order. */
public final class ArmObservers implements ArmObserver {

  private record All(List<Observation> opened) implements Observation {

    @Override
    public void close() throws IOException {
      List<Observation> last = new ArrayList<>(opened);
      Collections.reverse(last);
      IOUtils.close(last);
    }

    @Override
    public List<RunWarning> warnings() {
      return opened.stream().flatMap(one -> one.warnings().stream()).toList();
    }
  }

  private final List<ArmObserver> observers;

  /** All of {@code observers}, or none. */
  public ArmObservers(List<ArmObserver> observers) {
    this.observers = List.copyOf(observers);
  }

  @Override
  public Observation open(ArmParts parts) throws IOException {
    All all = new All(new ArrayList<>());
    try {
      for (ArmObserver observer : observers) {
        all.opened().add(observer.open(parts));
      }
      return all;
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, all);
      throw t;
    }
  }
}
