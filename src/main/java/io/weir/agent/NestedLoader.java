package io.weir.agent;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads classes from the directory {@value #NESTED} of the agent's jar, where no other loader finds
 * them. So an application may have other versions of everything that the agent brings.
 *
 * <p>There is one <i>process</i> loader, below the system's, for what exists once: Byte Buddy,
 * Micrometer, the budget. Below it and below each loader of Lucene there is one <i>beside
 * Lucene</i>, for the parts of Weir that use Lucene's types. It asks Lucene's loader for every
 * class that the agent does not bring, so it works wherever Lucene is: on the class path, in a jar
 * inside a jar, in a child loader, in a named module.
 *
 * <p><b>Threads:</b> any; parallel capable.
 */
public final class NestedLoader extends ClassLoader {

  static {
    registerAsParallelCapable();
  }

  private static final String NESTED = "nested/";
  private static final String PROCESS_CLASS = "io.weir.agent.process.AgentProcess";
  private static final String WEIR = "io.weir.";
  private static final String AGENT = "io.weir.agent.";
  private static final String AGENT_LUCENE = "io.weir.agent.lucene.";

  /** Packages of Weir that all loaders share; the rest is loaded once for each Lucene. */
  private static final List<String> SHARED =
      List.of(
          "io.weir.agent.process.",
          "io.weir.figure.",
          "io.weir.option.",
          "io.weir.rate.",
          "io.weir.time.");

  private final JarFile jar;
  private final ProtectionDomain domain;
  private final NestedLoader process; // null in the process loader itself

  private NestedLoader(String name, JarFile jar, ClassLoader parent, NestedLoader process) {
    super(name, parent);
    this.jar = jar;
    this.domain =
        new ProtectionDomain(
            NestedLoader.class.getProtectionDomain().getCodeSource(), null, this, null);
    this.process = process;
  }

  /** Starts the agent in a process loader; for {@link WeirAgent}. */
  public static void start(String options, Instrumentation instrumentation) throws Exception {
    new NestedLoader("weir-agent", openJar(), NestedLoader.class.getClassLoader(), null)
        .loadClass(PROCESS_CLASS)
        .getMethod("start", String.class, Instrumentation.class)
        .invoke(null, options, instrumentation);
  }

  /** A loader beside Lucene, for a process loader. */
  public NestedLoader beside(ClassLoader lucene) {
    return new NestedLoader("weir-agent-lucene", jar, lucene, this);
  }

  /**
   * Not by this class's own place: a class path may have a copy of it, but not of the directory.
   */
  private static JarFile openJar() throws IOException, URISyntaxException {
    URL nested = NestedLoader.class.getClassLoader().getResource(NESTED + pathOf(PROCESS_CLASS));
    if (nested == null) {
      throw new FileNotFoundException("the agent's jar is not on the class path of the system");
    }
    JarURLConnection inJar = (JarURLConnection) nested.openConnection();
    return new JarFile(new File(inJar.getJarFileURL().toURI()));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      if (isOwn(name) && entry(pathOf(name)) != null) {
        return findClass(name);
      }
      if (process != null && (name.startsWith(AGENT) || process.entry(pathOf(name)) != null)) {
        return process.loadClass(name, resolve);
      }
    }
    return super.loadClass(name, resolve);
  }

  /** Whether a class of the jar is loaded here. */
  private boolean isOwn(String name) {
    return process == null
        ? !name.startsWith(AGENT_LUCENE)
        : name.startsWith(WEIR) && SHARED.stream().noneMatch(name::startsWith);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ZipEntry entry = entry(pathOf(name));
    if (entry == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length, domain);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own != null ? own : super.getResource(name);
  }

  @Override
  protected URL findResource(String name) {
    if (entry(name) == null) {
      return null;
    }
    try {
      return URI.create("jar:" + new File(jar.getName()).toURI() + "!/" + NESTED + name).toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e); // every JDK knows jar URLs
    }
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    ZipEntry entry = entry(name);
    if (entry == null) {
      return super.getResourceAsStream(name);
    }
    try {
      return jar.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ZipEntry entry(String path) {
    return jar.getEntry(NESTED + path);
  }

  private static String pathOf(String className) {
    return className.replace('.', '/') + ".class";
  }
}
