import { Addon, Cluster, Controller, ControlPlane, Landscape, Machine, Pool } from '../../manifests/landscape/cluster-model';
import { totalsOf } from '../../manifests/landscape/totals';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `inventory --help` about the shape. */
export const JSON_SHAPE = `{ "version": 1, "clusters": [CLUSTER], "otherAddons": [ADDON], "totals": TOTALS }
  CLUSTER is { "managementCluster"?, "namespace", "name", "state", "version", "clusterClass",
    "controlPlane": { "kind", "name", "replicas", "paused"?, "machine": MACHINE }, "infrastructure": { "kind", "name" },
    "podCidrs": [], "serviceCidrs": [], "endpoint", "pools": [POOL],
    "controllers": [{ "role", "kind", "namespace", "name", "image" }], "addons": [ADDON], "totals": TOTALS }
  POOL is { "kind", "name", "fromTopology", "version", "minimum", "maximum", "autoscaled", "paused"?, "machine": MACHINE,
    "labels": {}, "taints": [] }
  MACHINE is { "kind", "instanceType", "cpu", "memory", "gpus": [{ "name", "count" }] }, the memory in bytes
  ADDON is { "managementCluster"?, "kind", "namespace", "name", "runsIn", "chart", "version", "targetNamespace", "path", "suspended" }:
    an object that delivers
  TOTALS is { "clusters", "pools", "addons", "machines": RANGE, "controlPlaneMachines", "poolsOfUnknownSize", "cpu": RANGE, "memory": RANGE,
    "machinesOfUnknownSize": RANGE }; RANGE is { "minimum", "maximum" }
  "managementCluster" is a folder or file, where the manifests are for several.
  "state" is declared, paused, object paused, deleting, decommission or incomplete; "runsIn" is tenant or management; "role" is
  cloud-controller-manager, csi-driver, autoscaler or other. What is not known is null. Lists are sorted.`;

/** The inventory for programs. */
export function jsonFormat({ clusters, otherAddons }: Landscape): string {
  return `${JSON.stringify({
    version: VERSION, clusters: clusters.map(clusterOf), otherAddons: otherAddons.map(addonOf), totals: totalsOf(clusters),
  }, undefined, 2)}\n`;
}

function clusterOf(cluster: Cluster) {
  const {
    managementCluster, namespace, name, state, version, clusterClass, controlPlane, infrastructure, podCidrs, serviceCidrs, endpoint,
  } = cluster;
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    ...orNull({ namespace, name, state, version, clusterClass }),
    controlPlane: controlPlane ? controlPlaneOf(controlPlane) : null,
    infrastructure: infrastructure ? orNull({ kind: infrastructure.kind, name: infrastructure.name }) : null,
    podCidrs,
    serviceCidrs,
    ...orNull({ endpoint }),
    pools: cluster.pools.map(poolOf),
    controllers: cluster.controllers.map(controllerOf),
    addons: cluster.addons.map(addonOf),
    totals: totalsOf([cluster]),
  };
}

function poolOf({ kind, name, fromTopology, version, size, autoscaled, paused, machine, labels, taints }: Pool) {
  return {
    ...orNull({ kind, name, fromTopology, version, minimum: size?.minimum, maximum: size?.maximum, autoscaled }),
    ...(paused && { paused }),
    machine: machineOf(machine),
    labels: Object.fromEntries(labels),
    taints,
  };
}

function controlPlaneOf({ kind, name, replicas, paused, machine }: ControlPlane) {
  return { ...orNull({ kind, name, replicas }), ...(paused && { paused }), machine: machineOf(machine) };
}

function controllerOf({ role, kind, namespace, name, image }: Controller) {
  return orNull({ role, kind, namespace, name, image });
}

function machineOf(machine: Machine | undefined) {
  if (!machine) return null;
  const { kind, instanceType, cpu, memory, gpus } = machine;
  return orNull({ kind, instanceType, cpu, memory, gpus });
}

function addonOf({ managementCluster, kind, namespace, name, runsIn, chart, version, targetNamespace, path, suspended }: Addon) {
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    ...orNull({ kind, namespace, name, runsIn, chart, version, targetNamespace, path, suspended }),
  };
}

/** JSON omits undefined fields; readers expect null. */
function orNull(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? null]));
}
