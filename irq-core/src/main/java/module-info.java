/**
 * The event engine, CPUs and their contexts, interrupts and their flow handlers, timers and watchdogs, and the interface
 * that policies implement.
 *
 * <p>This module knows no device. Models of devices stand on it, and so do policies that need none.
 */
module io.irqlab.core {
    requires com.google.common;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.irqlab.core;
    exports io.irqlab.core.cpu;
    exports io.irqlab.core.engine;
    exports io.irqlab.core.irq;
    exports io.irqlab.core.irqpoll;
    exports io.irqlab.core.napi;
    exports io.irqlab.core.spi;
    exports io.irqlab.core.watchdog;
    exports io.irqlab.core.workqueue;

    uses io.irqlab.core.spi.PolicyProvider;
}
