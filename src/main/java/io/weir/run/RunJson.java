package io.weir.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * How a run's records become JSON and back: an empty {@link java.util.Optional} is left out,
 * unknown properties are ignored, times are ISO text.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a file is replaced as a whole or not at all, so a reader
 * never meets half of one.
 */
public final class RunJson {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(Duration.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, parsed(Instant::parse))
                  .addDeserializer(Duration.class, parsed(Duration::parse)))
          .build();

  /** Of records that a user may have damaged: a list or a map holds no null. */
  private static final ObjectMapper STRICT =
      JSON.copy().setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL));

  private RunJson() {}

  /** {@code record} as one line. */
  public static String line(Object record) {
    try {
      return JSON.writeValueAsString(record);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The record that one line holds. */
  public static <T> T ofLine(String line, Class<T> type) throws IOException {
    return JSON.readValue(line, type);
  }

  /** {@code record} as a tree. */
  public static JsonNode tree(Object record) {
    return JSON.valueToTree(record);
  }

  /** The tree of a text, with or without the byte order mark that some editors write. */
  public static JsonNode parse(String text) throws JsonProcessingException {
    return JSON.readTree(text.startsWith("\uFEFF") ? text.substring(1) : text);
  }

  /** The record of a tree, which must hold every component that is not {@code Optional}. */
  public static <T> T ofTree(JsonNode tree, Class<T> type) throws IOException {
    return STRICT
        .readerFor(type)
        .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .readValue(tree);
  }

  /** Makes {@code record} the whole content of {@code file}, indented. */
  public static void write(Path file, Object record) throws IOException {
    replace(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(record) + "\n");
  }

  /** The record that {@code file} holds. */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    return JSON.readValue(Files.readString(file), type);
  }

  /** Makes {@code text} the whole content of {@code file}, by way of a file beside it. */
  public static void replace(Path file, String text) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Path fresh = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static <T> StdDelegatingDeserializer<T> parsed(Function<String, T> parse) {
    return new StdDelegatingDeserializer<>(
        new StdConverter<String, T>() {
          @Override
          public T convert(String text) {
            return parse.apply(text);
          }

          @Override
          public com.fasterxml.jackson.databind.JavaType getInputType(
              com.fasterxml.jackson.databind.type.TypeFactory types) {
            return types.constructType(String.class);
          }
        });
  }
}
