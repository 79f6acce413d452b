/**
 * What a scrape costs: {@link io.weir.benchmark.scrape.ScrapeBenchmark}. {@link
 * io.weir.benchmark.scrape.ScrapedNode} is a process with many indexes that has all of Weir's
 * meters.
 */
package io.weir.benchmark.scrape;
