/** What the packages of the core share: how latencies leave it. */
@NullMarked
package io.irqlab.core;

import org.jspecify.annotations.NullMarked;
