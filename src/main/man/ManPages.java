import io.weir.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Attributes;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Makes the man pages and the completion of the command line, with picocli's own generators, while
 * the zip is built. It is in no jar.
 *
 * <p>Arguments: the directory for {@code man1} and {@code completion}, the version, and the
 * date that the build is of, as the pages have it.
 */
final class ManPages {

  private static final String SETTINGS = "settings"; // the section of CommandHelp

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Path pages = Files.createDirectories(directory.resolve("man1"));
    CommandLine weir = new CommandLine(Main.class);
    try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
      write(weir, pages, arguments[1], arguments[2].substring(0, 10), asciidoctor);
    }
    Path completion = Files.createDirectories(directory.resolve("completion"));
    Files.writeString(
        completion.resolve("weir"), AutoComplete.bash("weir", new CommandLine(Main.class)));
  }

  private static void write(
      CommandLine command, Path pages, String version, String date, Asciidoctor asciidoctor)
      throws IOException {
    CommandSpec spec = command.getCommandSpec();
    // Asciidoctor would join the lines of the settings and of the examples: they are literal.
    UsageMessageSpec usage = spec.usageMessage();
    IHelpSectionRenderer settings = usage.sectionMap().get(SETTINGS);
    String notes =
        (settings == null ? "" : settings.render(command.getHelp()))
            + String.join("\n", usage.footer()).replace("%%", "%");
    spec.versionProvider(null);
    spec.version("Weir " + version);
    StringWriter text = new StringWriter();
    ManPageGenerator.writeSingleManPage(new PrintWriter(text, true), spec);
    String page =
        text
            + (notes.isBlank()
                ? ""
                : "\n== Settings and examples\n\n....\n" + notes.strip() + "\n....\n");
    File file = pages.resolve(spec.qualifiedName("-") + ".1").toFile();
    asciidoctor.convert(
        page,
        Options.builder()
            .backend("manpage")
            .safe(SafeMode.UNSAFE)
            .standalone(true)
            .toFile(file)
            .attributes(Attributes.builder().attribute("docdate", date).build())
            .build());
    for (CommandLine below : command.getSubcommands().values()) {
      if (!below.getCommandSpec().userObject().getClass().getName().startsWith("picocli.")) {
        write(below, pages, version, date, asciidoctor);
      }
    }
  }
}
