import { ADDON_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { Addon } from '../contracts/addon';
import { AddonCapability } from '../contracts/addon-capability';

/** Which addons of this library bring a capability. */
const BROUGHT_BY: Readonly<Record<string, string>> = {
  [AddonCapability.POD_NETWORK]: 'give the cluster a cni: new Cilium(), new Calico() or new Flannel(), or Cni.none() if you install one yourself',
  [AddonCapability.NETWORK_POLICY]: 'give the cluster a cni that enforces them: new Cilium() or new Calico()',
  [AddonCapability.CERTIFICATES]: 'add new CertManager()',
  [AddonCapability.GATEWAY_API]: 'add new GatewayApi()',
  [AddonCapability.INGRESS]: 'add new Traefik()',
  [AddonCapability.DEFAULT_INGRESS_CLASS]: 'add new Traefik()',
  [AddonCapability.DEFAULT_LOAD_BALANCER]: 'let the infrastructure publish them, or add new MetalLb()',
  [AddonCapability.RESOURCE_METRICS]: 'add new MetricsServer()',
  [AddonCapability.VOLUME_SNAPSHOTS]: 'add new SnapshotController()',
  [AddonCapability.PERSISTENT_VOLUMES]: 'give the infrastructure storageClasses',
  [AddonCapability.CLOUD_CONTROLLER_MANAGER]: 'add that of your cloud, such as new NifcloudCloudControllerManager({ … })',
  [AddonCapability.NODE_FEATURES]: 'add new NodeFeatureDiscovery()',
  [AddonCapability.CLUSTER_DNS]: 'let the control plane bring CoreDNS, or add new CoreDns()',
  [AddonCapability.PROMETHEUS_OPERATOR_CRDS]: 'add new KubePrometheusStack()',
};

/** Reports required capabilities that no addon provides. */
export function missingRequirement(addon: Addon, byName: ReadonlyMap<string, Addon>, present: readonly string[]): Problem[] {
  const brought = new Set([...present, ...[...byName.values()].flatMap(({ provides }) => provides)]);
  return addon.requires.filter((capability) => !brought.has(capability)).map((capability) => ({
    rule: ADDON_RULES.requirement,
    property: addon.name,
    message: `"${addon.name}" requires ${capability}, which no addon of the cluster provides`,
    fix: BROUGHT_BY[capability] ?? `add an addon that provides "${capability}"`,
  }));
}

/** Reports addons that an addon comes after and that are not in the cluster. */
export function missingAfter(addon: Addon, byName: ReadonlyMap<string, Addon>): Problem[] {
  return addon.after.filter(({ name }) => !byName.has(name)).map(({ name }) => ({
    rule: ADDON_RULES.after,
    property: `${addon.name}.after`,
    message: `"${addon.name}" comes after "${name}", which is not in the cluster`,
    fix: `add "${name}" to the cluster, or leave it out of after`,
  }));
}
