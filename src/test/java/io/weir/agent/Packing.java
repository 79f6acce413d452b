package io.weir.agent;

import io.weir.agent.application.ChildLoader;
import io.weir.agent.application.Notes;
import io.weir.agent.application.Server;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/**
 * The ways in which {@link Notes} and Lucene are packed and started. Each gives the arguments of
 * {@code java} that stand before the application's own.
 */
enum Packing {
  /** Both on the class path. */
  CLASS_PATH {
    @Override
    List<String> arguments(Path directory, Path lucene) throws IOException {
      return List.of("-cp", path(notesIn(directory), lucene), Notes.class.getName());
    }
  },

  /** Both inside one jar, Lucene as a jar in it, with the loader of Spring Boot. */
  SPRING_BOOT {
    @Override
    List<String> arguments(Path directory, Path lucene) throws IOException {
      return List.of("-jar", springBootJar(directory, lucene).toString());
    }
  },

  /** Both in a class loader that is no child of the system's. */
  CHILD_LOADER {
    @Override
    List<String> arguments(Path directory, Path lucene) throws IOException {
      Path launcher = copyOf(ChildLoader.class, directory.resolve("launcher"));
      return List.of(
          "-cp",
          launcher.toString(),
          ChildLoader.class.getName(),
          path(notesIn(directory), lucene),
          Notes.class.getName());
    }
  },

  /** Both in class loaders of a server that ends with a few of them before it starts the last. */
  SERVER {
    @Override
    List<String> arguments(Path directory, Path lucene) throws IOException {
      Path launcher = copyOf(Server.class, directory.resolve("launcher"));
      return List.of(
          "-XX:SoftRefLRUPolicyMSPerMB=0", // caches of the JDK hold loaders until memory is scarce
          "-cp",
          launcher.toString(),
          Server.class.getName(),
          path(notesIn(directory), lucene),
          Notes.class.getName());
    }
  },

  /** Both named modules. */
  MODULES {
    @Override
    List<String> arguments(Path directory, Path lucene) throws IOException {
      return List.of(
          "-p", path(module(directory, lucene), lucene), "-m", "notes/" + Notes.class.getName());
    }
  };

  private static final String MODULE =
      "module notes { requires org.apache.lucene.core; exports %s; }";

  /** The application packed so in {@code directory}, for the Lucene of this jar. */
  abstract List<String> arguments(Path directory, Path lucene) throws IOException;

  /** The jar of this process's class path that {@code type} is from. */
  static Path jarOf(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static String path(Path... entries) {
    return String.join(File.pathSeparator, Arrays.stream(entries).map(Path::toString).toList());
  }

  private static Path notesIn(Path directory) throws IOException {
    return copyOf(Notes.class, directory.resolve("notes"));
  }

  /** Copies a class and those inside it, so that nothing else of the tests comes with it. */
  private static Path copyOf(Class<?> type, Path root) throws IOException {
    String name = type.getName().replace('.', '/');
    Path source = jarOf(type).resolve(name + ".class").getParent();
    Path target = root.resolve(name).getParent();
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().matches(type.getSimpleName() + "(\\$\\w+)?[.]class")) {
          Files.copy(file, target.resolve(file.getFileName()));
        }
      }
    }
    return root;
  }

  private static Path module(Path directory, Path lucene) throws IOException {
    Path classes = notesIn(directory);
    Path source =
        Files.writeString(
            directory.resolve("module-info.java"), MODULE.formatted(Notes.class.getPackageName()));
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-p",
                lucene.toString(),
                "--release",
                "21",
                "-d",
                classes.toString(),
                source.toString());
    if (exitCode != 0) {
      throw new IOException("javac ended with " + exitCode);
    }
    return classes;
  }

  private static Path springBootJar(Path directory, Path lucene) throws IOException {
    Path loader = springBootLoader();
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(
        Attributes.Name.MAIN_CLASS, "org.springframework.boot.loader.launch.JarLauncher");
    attributes.putValue("Start-Class", Notes.class.getName());
    attributes.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
    attributes.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
    Path jar = directory.resolve("notes-boot.jar");
    Path notes = notesIn(directory);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        JarFile boot = new JarFile(loader.toFile());
        Stream<Path> classes = Files.walk(notes)) {
      for (String folder : List.of("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")) {
        out.putNextEntry(new JarEntry(folder)); // its loader asks for them
        out.closeEntry();
      }
      for (JarEntry entry : boot.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        try (InputStream in = boot.getInputStream(entry)) {
          store(out, entry.getName(), in.readAllBytes());
        }
      }
      for (Path one : classes.filter(Files::isRegularFile).toList()) {
        store(out, "BOOT-INF/classes/" + notes.relativize(one), Files.readAllBytes(one));
      }
      store(out, "BOOT-INF/lib/" + lucene.getFileName(), Files.readAllBytes(lucene));
    }
    return jar;
  }

  private static Path springBootLoader() {
    try {
      return jarOf(Class.forName("org.springframework.boot.loader.launch.JarLauncher"));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Without compression, as Spring Boot wants inner jars. */
  private static void store(JarOutputStream out, String name, byte[] bytes) throws IOException {
    JarEntry entry = new JarEntry(name);
    CRC32 sum = new CRC32();
    sum.update(bytes);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(sum.getValue());
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
