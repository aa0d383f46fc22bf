package io.irqlab.examples;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.napi.Napi;
import io.irqlab.examples.LivelockModel.Driver;
import java.awt.Dimension;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Receive livelock (Mogul and Ramakrishnan 1997): packets received in hardirqs starve the task that they are for. */
public final class Livelock {
    static final int STEP = 40_000;
    static final int STEPS = 16;
    static final long DURATION_NS = 500_000_000;

    // Nanoseconds, of a server's order of magnitude; the curve's shape does not depend on them.
    private static final CpuCosts COSTS =
            new CpuCosts(300, 200, 70, 50, 90, 500, 1_000, 300, 500, 500, 20, VirtualizationCosts.BARE_METAL);

    private Livelock() {}

    /**
     * Prints offered packets per second, and those that each driver delivers.
     *
     * @param args the name of a file to draw the curves in (SVG), or nothing
     * @throws Exception if that file cannot be written
     */
    public static void main(String[] args) throws Exception {
        XYChart chart = new XYChartBuilder()
                .title("Receive livelock")
                .xAxisTitle("offered packets/s")
                .yAxisTitle("delivered packets/s")
                .build();
        double[] offered = new double[STEPS];
        double[][] delivered = new double[Driver.values().length][STEPS];
        System.out.println(" offered  hardirq     poll feedback");
        for (int i = 0; i < STEPS; i++) {
            offered[i] = (i + 1) * STEP;
            System.out.printf(Locale.ROOT, "%8.0f", offered[i]);
            for (Driver driver : Driver.values()) {
                double perSecond = run((i + 1) * STEP, driver).delivered() * 1e9 / DURATION_NS;
                delivered[driver.ordinal()][i] = perSecond;
                System.out.printf(Locale.ROOT, " %8.0f", perSecond);
            }
            System.out.println();
        }
        for (Driver driver : Driver.values()) {
            chart.addSeries(driver.toString(), offered, delivered[driver.ordinal()]);
        }
        if (args.length > 0) {
            draw(chart, args[0]);
        }
    }

    static LivelockModel run(int packetsPerSecond, Driver driver) {
        var queue = new EventQueue();
        var cpu = new Cpu(0, queue, COSTS);
        var core = new Napi(new CpuHotplug(List.of(cpu)), queue);
        var model = new LivelockModel(cpu, core, queue, driver, 1_000_000_000 / packetsPerSecond);
        queue.runUntil(DURATION_NS);
        return model;
    }

    private static void draw(XYChart chart, String file) throws Exception {
        var svg = new SVGGraphics2D(
                DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument());
        svg.setSVGCanvasSize(new Dimension(chart.getWidth(), chart.getHeight()));
        chart.paint(svg, chart.getWidth(), chart.getHeight());
        svg.stream(file);
    }
}
