package io.irqlab.model.machine;

import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import java.util.function.Function;

/** A provider made of a name, a layer and a function. */
record FakeProvider(String name, PolicyLayer layer, Function<PolicyContext, Policy> factory) implements PolicyProvider {
    @Override
    public String summary() {
        return "A policy of a test.";
    }

    @Override
    public Policy create(PolicyContext context) {
        return factory.apply(context);
    }
}
