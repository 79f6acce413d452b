package io.weir.jmx;

import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/**
 * Figures of sources as the attributes of one MXBean: of open types, so that a client needs no
 * class of Weir. An unknown figure is null.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> what a figure's reader throws, a client gets as an {@link
 * MBeanException}.
 */
final class FiguresBean implements DynamicMBean {

  private static final String MAP = "java.util.Map<java.lang.String, java.lang.Double>";

  private record Shows(MBeanAttributeInfo info, Supplier<Optional<Object>> value) {}

  private final String description;
  private final Map<String, Shows> attributes = new LinkedHashMap<>();
  private final Optional<DynamicMBean> control;

  /**
   * Without figures.
   *
   * @param control has what can be set and called, if anything can
   */
  FiguresBean(String description, Optional<DynamicMBean> control) {
    this.description = description;
    this.control = control;
  }

  /** Adds the figures of a source, before this is registered. */
  <S> FiguresBean with(SourceFigures<S> figures, Supplier<S> source) {
    figures.in(Shown.BEAN).forEach(figure -> add(figure, source));
    return this;
  }

  private <S> void add(SourceFigure<S> figure, Supplier<S> source) {
    OpenType<?> type = openType(figure.figure().type());
    MBeanAttributeInfo info =
        new OpenMBeanAttributeInfoSupport(
            figure.name(Shown.BEAN), figure.figure().text(), type, true, false, false);
    attributes.put(
        info.getName(),
        new Shows(info, () -> figure.in(Shown.BEAN, source.get()).map(FiguresBean::open)));
  }

  private static OpenType<?> openType(Class<?> type) {
    try {
      return switch (type.getSimpleName()) {
        case "Long" -> SimpleType.LONG;
        case "Integer" -> SimpleType.INTEGER;
        case "Double" -> SimpleType.DOUBLE;
        case "String" -> SimpleType.STRING;
        case "List" -> new ArrayType<String[]>(1, SimpleType.STRING);
        case "Map" -> tabularType();
        default -> throw new IllegalArgumentException("JMX must show it: " + type);
      };
    } catch (OpenDataException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the JDK makes it of a map. */
  private static TabularType tabularType() throws OpenDataException {
    String[] members = {"key", "value"};
    CompositeType row =
        new CompositeType(
            MAP, MAP, members, members, new OpenType<?>[] {SimpleType.STRING, SimpleType.DOUBLE});
    return new TabularType(MAP, MAP, row, new String[] {"key"});
  }

  private static Object open(Object value) {
    if (value instanceof List<?> list) {
      return list.toArray(String[]::new);
    }
    return value instanceof Map<?, ?> map ? table(map) : value;
  }

  private static TabularDataSupport table(Map<?, ?> map) {
    try {
      TabularType type = tabularType();
      TabularDataSupport table = new TabularDataSupport(type);
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        table.put(
            new CompositeDataSupport(
                type.getRowType(),
                new String[] {"key", "value"},
                new Object[] {entry.getKey(), entry.getValue()}));
      }
      return table;
    } catch (OpenDataException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Object getAttribute(String name)
      throws AttributeNotFoundException, MBeanException, ReflectionException {
    Shows figure = attributes.get(name);
    if (figure == null) {
      return control().getAttribute(name);
    }
    try {
      return figure.value.get().orElse(null);
    } catch (RuntimeException e) {
      throw new MBeanException(e, name);
    }
  }

  @Override
  public void setAttribute(Attribute attribute)
      throws AttributeNotFoundException,
          javax.management.InvalidAttributeValueException,
          MBeanException,
          ReflectionException {
    control().setAttribute(attribute);
  }

  private DynamicMBean control() throws AttributeNotFoundException {
    return control.orElseThrow(
        () -> new AttributeNotFoundException("an attribute must be one of " + attributes.keySet()));
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList values = new AttributeList();
    for (String name : names) {
      try {
        values.add(new Attribute(name, getAttribute(name)));
      } catch (JMException e) {
        // The contract of JMX: what cannot be read is left out.
      }
    }
    return values;
  }

  @Override
  public AttributeList setAttributes(AttributeList values) {
    return control.map(bean -> bean.setAttributes(values)).orElseGet(AttributeList::new);
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature)
      throws MBeanException, ReflectionException {
    if (control.isEmpty()) {
      throw new ReflectionException(new NoSuchMethodException(action));
    }
    return control.get().invoke(action, parameters, signature);
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    Optional<MBeanInfo> controls = control.map(DynamicMBean::getMBeanInfo);
    return new MBeanInfo(
        FiguresBean.class.getName(),
        description,
        Stream.concat(
                controls.stream().flatMap(info -> Stream.of(info.getAttributes())),
                attributes.values().stream().map(Shows::info))
            .toArray(MBeanAttributeInfo[]::new),
        null,
        controls.map(MBeanInfo::getOperations).orElse(new MBeanOperationInfo[0]),
        null,
        new ImmutableDescriptor("mxbean=true", "immutableInfo=true"));
  }
}
