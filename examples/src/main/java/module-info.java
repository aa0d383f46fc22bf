/**
 * Small programs that show the library in use.
 *
 * <p>Not published; it compiles in every build so that the examples stay true.
 */
module io.irqlab.examples {
    requires io.irqlab.model;
    requires static org.jspecify;
}
