package io.weir.stress.engine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;

/**
 * The user that servers run as: the one who runs this, unless that is root, because servers refuse
 * to run as root.
 */
public final class ServerUser {

  private static final String NAME = "nobody";

  private ServerUser() {}

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The arguments for {@code setpriv}. */
  static List<String> privileges() {
    return isRoot() ? List.of("--reuid=" + NAME, "--regid=nogroup", "--clear-groups") : List.of();
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
