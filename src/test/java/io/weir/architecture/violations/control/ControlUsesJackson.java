package io.weir.architecture.violations.control;

import com.fasterxml.jackson.databind.JsonNode;

/** Jackson in the library, behind an array. */
public class ControlUsesJackson {
  JsonNode[] field;
}
