/**
 * What merges leave in the page cache: a room of {@code store}, which uses {@code kernel}. {@link
 * io.weir.store.MergeReadsDirectory} shows {@link io.weir.store.pages.MergePages} the input of a
 * merge, and {@link io.weir.store.WritebackDirectory} asks it what to keep of the output. {@link
 * io.weir.store.pages.ForecastQuality} measures how good that was.
 */
package io.weir.store.pages;
