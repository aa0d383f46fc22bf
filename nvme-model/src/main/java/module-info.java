/**
 * The model of PCI Express, NVMe drives, the host that drives them, their workload and whole machines.
 *
 * <p>Its parts follow the path of an input or output through a machine, from the job that submits it to the job that
 * reaps it.
 */
module io.irqlab.model {
    requires transitive io.irqlab.core;
    requires transitive com.google.common;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.irqlab.model.host;
    exports io.irqlab.model.machine;
    exports io.irqlab.model.nvme;
    exports io.irqlab.model.pcie;
    exports io.irqlab.model.workload;
}
