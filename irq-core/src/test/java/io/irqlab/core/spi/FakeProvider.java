package io.irqlab.core.spi;

import java.util.List;

/** A provider of a policy that does nothing. Public, so that a service loader may make it. */
public class FakeProvider implements PolicyProvider {
    static final Parameter DELAY = new Parameter("delay_us", "us", 0, 500, 100, true, "How long.");
    static final Parameter RATE = new Parameter("target_intr_rate", "", 1, 1_000_000, 20_000, true, "How often.");

    private final String name;
    private final PolicyLayer layer;
    private final List<Parameter> parameters;

    public FakeProvider() {
        this("loaded", PolicyLayer.FLOW);
    }

    FakeProvider(String name, PolicyLayer layer, Parameter... parameters) {
        this.name = name;
        this.layer = layer;
        this.parameters = List.of(parameters);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PolicyLayer layer() {
        return layer;
    }

    @Override
    public String summary() {
        return "Does nothing.";
    }

    @Override
    public List<Parameter> parameters() {
        return parameters;
    }

    @Override
    public Policy create(PolicyContext context) {
        return new Policy() {};
    }
}
