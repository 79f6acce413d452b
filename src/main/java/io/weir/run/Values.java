package io.weir.run;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.weir.figure.Figure;
import java.io.IOException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was measured, by figure. What could not be measured has no value, never zero. In JSON it is
 * an object whose members are called like the figures; members that no figure is called like are
 * left out when it is read.
 *
 * <p><b>Threads:</b> immutable; a {@link Builder} is for one thread.
 */
@JsonSerialize(using = Values.ToJson.class)
@JsonDeserialize(using = Values.OfJson.class)
public final class Values {

  /** Nothing was measured. */
  public static final Values NONE = new Values(new TreeMap<>());

  private final SortedMap<String, Object> byId;

  private Values(SortedMap<String, Object> byId) {
    this.byId = byId;
  }

  /** Values to add to. */
  public static Builder builder() {
    return new Builder();
  }

  /** The value of a figure; empty when it was not measured. */
  public <T> Optional<T> get(Figure<T> figure) {
    return Optional.ofNullable(byId.get(figure.id())).map(figure.type()::cast);
  }

  /** The value of the figure that {@code figures} has for {@code constant}. */
  public <E extends Enum<E>, T> Optional<T> get(FigureBy<E, T> figures, E constant) {
    return get(figures.of(constant));
  }

  /** The value of a figure that is always measured. */
  public <T> T require(Figure<T> figure) {
    return get(figure)
        .orElseThrow(() -> new NoSuchElementException("not measured: " + figure.id()));
  }

  /** The value of a figure that is always measured. */
  public <E extends Enum<E>, T> T require(FigureBy<E, T> figures, E constant) {
    return require(figures.of(constant));
  }

  /** The latencies of a phase; {@link LatencySummary#EMPTY} when none was measured. */
  public LatencySummary latency(FigureBy<Phase, LatencySummary> figures, Phase phase) {
    return get(figures, phase).orElse(LatencySummary.EMPTY);
  }

  /** All values by the ids of their figures, in the order of these. */
  Map<String, Object> byId() {
    return byId;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Values values && byId.equals(values.byId);
  }

  @Override
  public int hashCode() {
    return byId.hashCode();
  }

  @Override
  public String toString() {
    return byId.toString();
  }

  /** Gathers values. */
  public static final class Builder {

    private final SortedMap<String, Object> byId = new TreeMap<>();

    private Builder() {}

    /** The value of a figure, instead of the one that it had. */
    public <T> Builder put(Figure<T> figure, T value) {
      byId.put(figure.id(), figure.type().cast(value));
      return this;
    }

    /** The value of a figure, if it was measured. */
    public <T> Builder put(Figure<T> figure, Optional<? extends T> value) {
      value.ifPresent(known -> put(figure, known));
      return this;
    }

    /** The value of the figure that {@code figures} has for {@code constant}. */
    public <E extends Enum<E>, T> Builder put(FigureBy<E, T> figures, E constant, T value) {
      return put(figures.of(constant), value);
    }

    /** Likewise, if it was measured. */
    public <E extends Enum<E>, T> Builder put(
        FigureBy<E, T> figures, E constant, Optional<? extends T> value) {
      return put(figures.of(constant), value);
    }

    /** All that {@code values} have. */
    public Builder put(Values values) {
      byId.putAll(values.byId);
      return this;
    }

    /** All until now. */
    public Values build() {
      return new Values(new TreeMap<>(byId));
    }
  }

  /** To JSON. */
  static final class ToJson extends StdSerializer<Values> {

    private static final long serialVersionUID = 1;

    ToJson() {
      super(Values.class);
    }

    @Override
    public void serialize(Values values, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartObject();
      for (Map.Entry<String, Object> value : values.byId.entrySet()) {
        provider.defaultSerializeField(value.getKey(), value.getValue(), json);
      }
      json.writeEndObject();
    }
  }

  /** Of JSON. */
  static final class OfJson extends StdDeserializer<Values> {

    private static final long serialVersionUID = 1;

    OfJson() {
      super(Values.class);
    }

    @Override
    public Values deserialize(JsonParser json, DeserializationContext context) throws IOException {
      Builder values = builder();
      for (Map.Entry<String, JsonNode> member : json.<JsonNode>readValueAsTree().properties()) {
        Optional<Figure<?>> figure = Run.FIGURES.of(member.getKey());
        if (figure.isPresent()) {
          if (member.getValue().isNull()) {
            context.reportInputMismatch(this, "a figure must have a value: %s", member.getKey());
          }
          read(figure.get(), member.getValue(), context, values);
        }
      }
      return values.build();
    }

    private static <T> void read(
        Figure<T> figure, JsonNode value, DeserializationContext context, Builder values)
        throws IOException {
      values.put(figure, context.readTreeAsValue(value, figure.type()));
    }
  }
}
