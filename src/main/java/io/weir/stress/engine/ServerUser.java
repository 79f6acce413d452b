package io.weir.stress.engine;

import io.weir.rest.EngineException;
import io.weir.run.FailureWords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The user that servers run as: the one who runs this, unless that is root, because servers refuse
 * to run as root.
 */
public final class ServerUser {

  private static final String NAME = "nobody";
  private static final Path SET_PRIVILEGES = Path.of("/usr/bin/setpriv");

  private ServerUser() {}

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * The command in front of a server's own, by which it runs as that user and dies with the thread
   * that started it. Where there is no {@code setpriv}, it is empty, and the server may outlive a
   * JVM that is killed.
   */
  static List<String> launcher() throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SET_PRIVILEGES)) {
      command.addAll(List.of(SET_PRIVILEGES.toString(), "--pdeathsig", "KILL"));
      if (isRoot()) {
        command.addAll(privileges());
      }
    }
    return command;
  }

  /** The arguments for {@code setpriv}. */
  static List<String> privileges() throws IOException {
    return List.of("--reuid=" + NAME, "--regid=" + primaryGroup(NAME), "--clear-groups");
  }

  /** The number of a user's primary group, whose name is another one on each distribution. */
  private static String primaryGroup(String user) throws IOException {
    Process id = new ProcessBuilder("id", "-g", user).redirectErrorStream(true).start();
    id.getOutputStream().close();
    String said = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (!said.matches("\\d+")) {
      throw new EngineException("the user %s has no group: %s".formatted(user, said));
    }
    return said;
  }

  /** Makes that user the owner of a whole tree. */
  static void giveTo(Path tree) throws IOException {
    if (!isRoot()) {
      return;
    }
    UserPrincipal user =
        tree.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NAME);
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.setOwner(directory, user);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.setOwner(file, user);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Why no server can be started at all; empty if one can. */
  public static Optional<String> obstacle() {
    return isRoot() ? obstacleForRoot(SET_PRIVILEGES, NAME) : Optional.empty();
  }

  static Optional<String> obstacleForRoot(Path setPrivileges, String user) {
    if (!Files.isExecutable(setPrivileges)) {
      return Optional.of(
          "servers do not run as root, and %s is missing, which starts them as %s: install"
                  .formatted(setPrivileges, user)
              + " util-linux, or run as another user");
    }
    try {
      primaryGroup(user);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "servers do not run as root, and cannot run as %s: %s"
              .formatted(user, FailureWords.of(e)));
    }
  }

  /** Why a server may not be able to use what is below {@code place}; empty if it may. */
  public static Optional<String> obstacle(Path place) throws IOException {
    if (!isRoot()) {
      return Optional.empty();
    }
    for (Path path = place.toAbsolutePath().normalize(); path != null; path = path.getParent()) {
      if (Files.isDirectory(path)
          && !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)
          && !NAME.equals(Files.getOwner(path).getName())) {
        return Optional.of(
            "servers do not run as root, and the user %s may not enter %s".formatted(NAME, path));
      }
    }
    return Optional.empty();
  }
}
