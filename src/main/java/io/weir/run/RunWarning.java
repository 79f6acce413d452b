package io.weir.run;

/**
 * Something a reader of the figures must know.
 *
 * @param what what was seen, with its figures
 * @param cause the likely cause
 * @param remedy what helps: a flag, a setting, a larger disk
 */
public record RunWarning(String what, String cause, String remedy) {}
