/**
 * Whether a cap on operations per second holds, against the device's own counters: {@link
 * io.weir.benchmark.operationscap.OperationsCapBenchmark}. {@link
 * io.weir.benchmark.operationscap.DeviceOperations} samples them beside a forced merge.
 */
package io.weir.benchmark.operationscap;
