/**
 * What a run searches for. {@link io.weir.stress.queries.QueryDraw} draws it from an index, {@link
 * io.weir.stress.queries.QueryFile} is the file that it is kept in and given back with, one {@link
 * io.weir.stress.queries.SearchQuery} a line, whose text is {@link
 * io.weir.stress.queries.QueryLine}'s.
 */
package io.weir.stress.queries;
