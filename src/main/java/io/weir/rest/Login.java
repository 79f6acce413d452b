package io.weir.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name and password for a cluster that runs. They are never written to a file: a worker finds
 * them in its environment. Text of this record hides the password.
 */
public record Login(String user, String password) {

  /** The environment variable for the name. */
  public static final String USER_VARIABLE = "WEIR_TARGET_USER";

  /** The environment variable for the password. */
  public static final String PASSWORD_VARIABLE = "WEIR_TARGET_PASSWORD";

  private static final String HIDDEN = "***";

  /**
   * Up to the last @, so that a password with an @, a slash or a space is hidden too; but not
   * beyond the colon with which a message goes on.
   */
  private static final Pattern USER_INFO = Pattern.compile("(?<=://)(?:(?!: ).)*@");

  /** Refuses a name that HTTP cannot carry. */
  public Login {
    Objects.requireNonNull(password, "password");
    if (user.isEmpty() || user.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "the name for --target must have a character and no colon: '" + user + "'");
    }
  }

  /** From the user info of an address: {@code name:password}. */
  public static Login ofUserInfo(String userInfo) {
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? new Login(userInfo, "")
        : new Login(userInfo.substring(0, colon), userInfo.substring(colon + 1));
  }

  /**
   * From environment variables; empty if neither is set.
   *
   * @throws IllegalArgumentException when only one of them is set
   */
  public static Optional<Login> ofEnvironment(Map<String, String> environment) {
    String user = environment.get(USER_VARIABLE);
    String password = environment.get(PASSWORD_VARIABLE);
    if ((user == null) != (password == null)) {
      throw new IllegalArgumentException(
          "%s and %s must both be set, or neither".formatted(USER_VARIABLE, PASSWORD_VARIABLE));
    }
    return user == null ? Optional.empty() : Optional.of(new Login(user, password));
  }

  /** The variables for the environment of a worker. */
  public Map<String, String> toEnvironment() {
    return Map.of(USER_VARIABLE, user, PASSWORD_VARIABLE, password);
  }

  /** The value of the header {@code Authorization}. */
  public String authorization() {
    byte[] bytes = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  /** The same text with {@code ***} for the user info of the address in it. */
  public static String hide(String text) {
    return USER_INFO.matcher(text).replaceAll(HIDDEN + "@");
  }

  @Override
  public String toString() {
    return user + ":" + HIDDEN;
  }
}
