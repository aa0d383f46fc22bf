package io.irqlab.core.irq;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What the calling thread has allocated so far. By way of a method handle, since the module under test, in which tests
 * run, does not read {@code jdk.management}; calling it allocates nothing.
 */
public final class AllocatedBytes {
    private static final MethodHandle COUNTER = counter();

    private AllocatedBytes() {}

    public static long now() {
        try {
            return (long) COUNTER.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("allocation cannot be measured", e);
        }
    }

    private static MethodHandle counter() {
        try {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(
                            Class.forName("com.sun.management.ThreadMXBean"),
                            "getCurrentThreadAllocatedBytes",
                            MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("allocation cannot be measured", e);
        }
    }
}
