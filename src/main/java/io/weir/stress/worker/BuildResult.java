package io.weir.stress.worker;

import java.util.List;

/**
 * What became of building an index.
 *
 * @param documents how many it holds
 * @param problems how many inputs could not be read as a document
 * @param examples the first of them, as file, line and reason
 */
public record BuildResult(long documents, long problems, List<String> examples) {}
