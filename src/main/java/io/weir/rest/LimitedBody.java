package io.weir.rest;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * The text of an answer, unless it is longer than allowed: then the rest is not received.
 *
 * <p><b>Threads:</b> those of the HTTP client, one at a time.
 */
final class LimitedBody implements BodySubscriber<String> {

  /** An answer is longer than allowed. */
  static final class TooLongException extends IOException {

    private static final long serialVersionUID = 1;
  }

  private final BodySubscriber<String> whole;
  private long leftBytes;
  private Flow.Subscription subscription;

  /**
   * @param whole gets what is received
   * @param mostBytes of all of it
   */
  LimitedBody(BodySubscriber<String> whole, long mostBytes) {
    this.whole = whole;
    this.leftBytes = mostBytes;
  }

  @Override
  public CompletionStage<String> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    whole.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    leftBytes -= parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (leftBytes >= 0) {
      whole.onNext(parts);
    } else {
      subscription.cancel();
      whole.onError(new TooLongException());
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    if (leftBytes >= 0) {
      whole.onComplete();
    }
  }
}
