package io.irqlab.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Prints reports as JSON: names in snake case, in the order of {@link RunReport}, two spaces of indentation,
 * {@code \n}, numbers in plain decimals with at most six after the point.
 */
public final class JsonFormat {
    private final JsonMapper mapper = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .changeDefaultPropertyInclusion(
                    old -> JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Fraction())
                    .addSerializer(double.class, new Fraction()))
            .build();

    /** Creates the format. */
    public JsonFormat() {}

    /**
     * Prints one report.
     *
     * @param report the report
     * @return an object, and an end of line
     */
    public String object(RunReport report) {
        return print(report);
    }

    /**
     * Prints several reports.
     *
     * @param reports the reports
     * @return an array, and an end of line
     */
    public String array(List<RunReport> reports) {
        return print(reports);
    }

    private String print(Object value) {
        var indenter = new DefaultIndenter("  ", "\n");
        var printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER))
                .withArrayIndenter(indenter)
                .withObjectIndenter(indenter);
        return mapper.writer().with(printer).writeValueAsString(value) + "\n";
    }

    /** Prints a fraction without exponent, so that equal numbers look equal and no reader stumbles. */
    private static final class Fraction extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
            generator.writeNumber(PlainDecimal.of(value));
        }
    }
}
