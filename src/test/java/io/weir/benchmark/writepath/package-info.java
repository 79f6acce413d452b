/**
 * What a byte costs on its way to a file: {@link io.weir.benchmark.writepath.WritePathBenchmark}
 * runs the JMH benchmark {@link io.weir.benchmark.writepath.WritePath}, in which a {@link
 * io.weir.benchmark.writepath.Route} is one way to a {@link io.weir.benchmark.writepath.Sink}.
 */
package io.weir.benchmark.writepath;
