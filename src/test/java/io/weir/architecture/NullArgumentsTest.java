package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.weir.Weir;
import io.weir.control.LatencyTarget;
import io.weir.control.Percentile;
import io.weir.exporter.MetricsServerOptions;
import io.weir.merge.MergeKind;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.nrt.SlowReopenOptions;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.store.DirectoryPlan;
import io.weir.store.FlushedFilesOptions;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackOptions;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

/**
 * A null argument is answered with a {@link NullPointerException} whose message is the name of the
 * parameter, before anything else happens: by every public method and constructor of the API.
 *
 * <p>Not called: constructors of records that are results; what an interface or a class of others
 * declares, whose contract is theirs, and the methods of interfaces, which the application
 * implements.
 */
@Timeout(120)
class NullArgumentsTest {

  /** Records that the library makes and hands out: an application has no reason to make one. */
  private static final Set<String> RESULTS =
      Set.of(
          "BlockDevice",
          "Cgroup",
          "CgroupStat",
          "CpuTimes",
          "DeadlineSnapshot",
          "DirectoryPlan.LayerReport",
          "DirtySettings",
          "FaultCounters",
          "ForcedMergeProgress",
          "GoalDecision",
          "GoalSnapshot",
          "GoalSnapshot.Held",
          "IoCounters",
          "IoLimit",
          "MemInfo",
          "MergeDebtSnapshot",
          "MergeTotals",
          "Mount",
          "OtlpPush.Snapshot",
          "Pressure",
          "Reopen",
          "ReopenSnapshot",
          "ResidentSnapshot",
          "SharedCap.Snapshot",
          "SlowReopen",
          "SlowReopen.Stack",
          "VmStat");

  private static final Map<Class<?>, Object> SAMPLES = samples();

  @Test
  void nullArgument_ofAnyPublicCall_isNamed() {
    Set<String> wrong = new TreeSet<>();
    int calls = 0;
    for (Class<?> type : PublicApi.types()) {
      for (Executable call : calls(type)) {
        for (int i = 0; i < call.getParameterCount(); i++) {
          if (call.getParameterTypes()[i].isPrimitive()) {
            continue;
          }
          calls++;
          String name = call.getParameters()[i].getName();
          String answer = answer(call, i);
          if (!answer.equals("NullPointerException: " + name)) {
            wrong.add(label(call, name) + " -> " + answer);
          }
        }
      }
    }
    assertTrue(calls > 200, calls + " calls");
    assertEquals("", String.join("\n", wrong));
  }

  private static List<Executable> calls(Class<?> type) {
    if (type.isInterface()) {
      return Arrays.stream(type.getDeclaredMethods())
          .filter(method -> Modifier.isStatic(method.getModifiers()))
          .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
          .map(Executable.class::cast)
          .toList();
    }
    return Stream.<Executable>concat(
            Modifier.isAbstract(type.getModifiers()) || RESULTS.contains(simpleName(type))
                ? Stream.of()
                : Arrays.stream(type.getDeclaredConstructors()),
            Arrays.stream(type.getDeclaredMethods()).filter(method -> isOurs(type, method)))
        .filter(call -> Modifier.isPublic(call.getModifiers()) && !call.isSynthetic())
        .toList();
  }

  /** Whether no type of others declares the method, and the compiler did not write it. */
  private static boolean isOurs(Class<?> type, Method method) {
    if (type.isEnum() && method.getName().equals("valueOf")
        || type.isRecord() && method.getName().equals("equals")) {
      return false;
    }
    return ancestors(type).stream()
        .filter(ancestor -> !ancestor.getName().startsWith("io.weir."))
        .flatMap(ancestor -> Arrays.stream(ancestor.getDeclaredMethods()))
        .noneMatch(
            theirs ->
                theirs.getName().equals(method.getName())
                    && theirs.getParameterCount() == method.getParameterCount());
  }

  private static List<Class<?>> ancestors(Class<?> type) {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> parent :
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
            .toList()) {
      all.add(parent);
      all.addAll(ancestors(parent));
    }
    return all;
  }

  private static String label(Executable call, String parameter) {
    String simple = simpleName(call.getDeclaringClass());
    return call instanceof Constructor
        ? simple + "(" + parameter + ")"
        : simple + "." + call.getName() + "(" + parameter + ")";
  }

  private static String simpleName(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  /** What the call does with null for parameter {@code at}. */
  private static String answer(Executable call, int at) {
    Object[] arguments = new Object[call.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i == at ? null : sample(call.getParameterTypes()[i]);
    }
    try {
      if (call instanceof Constructor<?> constructor) {
        constructor.newInstance(arguments);
      } else {
        Object receiver =
            Modifier.isStatic(call.getModifiers()) ? null : receiver(call.getDeclaringClass());
        ((Method) call).invoke(receiver, arguments);
      }
      return "nothing";
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(call.toString(), e);
    }
  }

  /** One with real methods and no state: whoever looks at that before the arguments fails. */
  private static Object receiver(Class<?> type) {
    Object sample = SAMPLES.get(type);
    return sample == null || Mockito.mockingDetails(sample).isMock()
        ? Mockito.mock(type, Mockito.CALLS_REAL_METHODS)
        : sample;
  }

  private static Object sample(Class<?> type) {
    if (SAMPLES.containsKey(type)) {
      return SAMPLES.get(type);
    }
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    return type.isEnum() ? type.getEnumConstants()[0] : Mockito.mock(type);
  }

  private static Map<Class<?>, Object> samples() {
    Map<Class<?>, Object> samples = new HashMap<>();
    samples.put(int.class, 1);
    samples.put(long.class, 1L);
    samples.put(float.class, 1f);
    samples.put(double.class, 1.0);
    samples.put(String.class, "name");
    samples.put(String[].class, new String[] {"name"});
    samples.put(Thread.class, Thread.currentThread());
    samples.put(Class.class, Directory.class);
    samples.put(Path.class, Path.of("no such path"));
    samples.put(URI.class, URI.create("http://localhost:1"));
    samples.put(InetSocketAddress.class, InetSocketAddress.createUnresolved("localhost", 1));
    samples.put(Duration.class, Duration.ofSeconds(1));
    samples.put(Instant.class, Instant.MAX);
    samples.put(LocalTime.class, LocalTime.NOON);
    samples.put(LocalDateTime.class, LocalDateTime.MIN);
    samples.put(ZoneId.class, ZoneId.of("UTC"));
    samples.put(Optional.class, Optional.empty());
    samples.put(OptionalInt.class, OptionalInt.of(1));
    samples.put(OptionalLong.class, OptionalLong.of(1));
    samples.put(OptionalDouble.class, OptionalDouble.of(1));
    samples.put(List.class, List.of());
    samples.put(Set.class, Set.of());
    samples.put(Map.class, Map.of());
    samples.put(Codec.class, Codec.getDefault());
    samples.put(Directory.class, new ByteBuffersDirectory());
    samples.put(IndexWriterConfig.class, new IndexWriterConfig());
    samples.put(InfoStream.class, InfoStream.NO_OUTPUT);
    samples.put(Tags.class, Tags.empty());
    samples.put(PrometheusConfig.class, PrometheusConfig.DEFAULT);
    samples.put(Rate.class, Rate.UNLIMITED);
    samples.put(BudgetOptions.class, BudgetOptions.named("name"));
    samples.put(ByteBudget.class, new ByteBudget(BudgetOptions.named("name")));
    samples.put(RateSchedule.class, new RateSchedule(List.of(), Rate.UNLIMITED));
    samples.put(MergeKind.class, MergeKind.NATURAL);
    samples.put(RateLimitedMergeScheduler.class, new RateLimitedMergeScheduler());
    samples.put(Percentile.class, Percentile.P99);
    samples.put(
        LatencyTarget.class, new LatencyTarget("name", Percentile.P99, Duration.ofSeconds(1)));
    samples.put(ReopenMonitor.class, Mockito.mock(ReopenMonitor.class));
    samples.put(ReopenOptions.class, ReopenOptions.defaults());
    samples.put(SlowReopenOptions.class, SlowReopenOptions.defaults());
    samples.put(ResidentKeys.class, ResidentKeys.of("id"));
    samples.put(Weir.class, Weir.builder().open(new ByteBuffersDirectory()));
    samples.put(Weir.Builder.class, Weir.builder());
    samples.put(ReopenPhases.class, new ReopenPhases());
    samples.put(DirectoryPlan.class, DirectoryPlan.empty());
    samples.put(SmallFilesOptions.class, SmallFilesOptions.DEFAULT);
    samples.put(FlushedFilesOptions.class, FlushedFilesOptions.DEFAULT);
    samples.put(WritebackOptions.class, WritebackOptions.DEFAULT);
    samples.put(MetricsServerOptions.class, MetricsServerOptions.local(0));
    return samples;
  }
}
