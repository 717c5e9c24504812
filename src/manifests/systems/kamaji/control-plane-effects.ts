import { placeOf, replicasOf, TENANT_CONTROL_PLANE, TENANT_PLACES, tenantPlace } from './rules/kamaji-objects';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { ChangeEffect, Effect, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { isFields, isSet, listAt, sameValue, stringAt } from '../../values/fields';

// Kamaji writes the defaults of the kubelet that it is built with, 1.35 or newer. Both fields belong to feature gates that are off in
// kubelets up to 1.34 (KubeletCrashLoopBackOffMax, KubeletEnsureSecretPulledImages), which refuse to start with them.
const REMOVED = ['/crashLoopBackOff/maxContainerRestartPeriod', '/imagePullCredentialsVerificationPolicy'];

/**
 * The patches of the kubelet's configuration that kubelets before 1.35 need. `failCgroupV1` defaults to true since 1.35
 * (kubernetes/kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.9 and v1.36.3).
 */
export const VERSION_PATCHES: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[] = [
  ...REMOVED.map((path) => ({ op: 'remove', path })), { op: 'add', path: '/failCgroupV1', value: false },
];

/** Facts beside the changed field on which effects depend. */
interface Facts {
  readonly names: readonly unknown[];
  readonly replicas: number;
  readonly version: string | undefined;
  readonly konnectivity: boolean;
  readonly dns: boolean;
}

/** The addon that resolves names in the cluster: Kamaji installs it there, and removes it. */
const DNS = 'CoreDNS';

const KONNECTIVITY = 'konnectivity';

/** Effects of the fields of a KamajiControlPlane. */
export const CONTROL_PLANE_FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec.addons': Effect.IN_PLACE,
  'spec.addons.konnectivity': { effect: Effect.PODS, word: KONNECTIVITY },
  'spec.addons.konnectivity.agent': { effect: Effect.IN_PLACE, word: 'konnectivity agent' },
  'spec.addons.coreDNS': { effect: Effect.IN_PLACE, word: DNS },
  'spec.addons.coreDNS.dnsServiceIPs': { effect: Effect.LATER, word: 'dnsServiceIPs' },
  'spec.admissionControllers': { effect: Effect.PODS, word: 'admissionPlugins' },
  'spec.apiServer': { effect: Effect.PODS, word: 'apiServer' },
  'spec.controllerManager': { effect: Effect.PODS, word: 'controllerManager' },
  'spec.dataStoreName': { effect: Effect.MOVED, word: 'dataStore' },
  'spec.dataStoreOverrides': { effect: Effect.UNKNOWN, word: 'dataStoreOverrides' },
  'spec.deployment': { effect: Effect.PODS, word: 'deployment' },
  'spec.deployment.additionalMetadata': { effect: Effect.IN_PLACE, word: 'deployment metadata' },
  'spec.deployment.externalClusterReference': { effect: Effect.UNKNOWN, word: 'externalClusterReference' },
  'spec.deployment.strategy': { effect: Effect.IN_PLACE, word: 'deployment strategy' },
  'spec.kine': { effect: Effect.PODS, word: 'kine' },
  'spec.kubelet': { effect: Effect.LATER, word: 'kubelet' },
  'spec.kubelet.preferredAddressTypes': { effect: Effect.PODS, word: 'preferredAddressTypes' },
  'spec.network.additionalServicePorts': { effect: Effect.IN_PLACE, word: 'Service ports' },
  'spec.network.advertiseAddress': { effect: Effect.PODS, word: 'advertiseAddress' },
  'spec.network.certSANs': { effect: Effect.PODS, word: 'certificate names' },
  'spec.network.dnsServiceIPs': { effect: Effect.LATER, word: 'dnsServiceIPs' },
  'spec.network.gateway': { effect: Effect.IN_PLACE, word: 'gateway' },
  'spec.network.gateway.hostname': { effect: Effect.PODS, word: 'gateway hostname' },
  'spec.network.ingress': { effect: Effect.IN_PLACE, word: 'ingress' },
  'spec.network.ingress.hostname': { effect: Effect.PODS, word: 'ingress hostname' },
  'spec.network.loadBalancerConfig': { effect: Effect.IN_PLACE, word: 'load balancer' },
  'spec.network.serviceAnnotations': { effect: Effect.IN_PLACE, word: 'Service annotations' },
  'spec.network.serviceLabels': { effect: Effect.IN_PLACE, word: 'Service labels' },
  'spec.registry': { effect: Effect.PODS, word: 'registry' },
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.scheduler': { effect: Effect.PODS, word: 'scheduler' },
  'spec.version': { effect: Effect.PODS, word: 'version' },
};

/** The fields with names of the certificate, where it has all of them. */
const NAMES_IN_PLACE: FieldEffects = {
  'spec.network.certSANs': { effect: Effect.IN_PLACE, word: 'certificate names' },
  'spec.network.gateway.hostname': { effect: Effect.IN_PLACE, word: 'gateway hostname' },
  'spec.network.ingress.hostname': { effect: Effect.IN_PLACE, word: 'ingress hostname' },
};

/** Effects of fields that only a TenantControlPlane has: a KamajiControlPlane gets them from its Cluster, or not at all. */
const TENANT_ONLY: FieldEffects = {
  'spec.controlPlane.service.allocateLoadBalancerNodePorts': { effect: Effect.IN_PLACE, word: 'node ports of the Service' },
  'spec.networkProfile.allowAddressAsExternalIP': { effect: Effect.IN_PLACE, word: 'external address of the Service' },
  'spec.networkProfile.podCidr': { effect: Effect.PODS, word: 'pod range' },
  'spec.networkProfile.podCidrs': { effect: Effect.PODS, word: 'pod ranges' },
  'spec.networkProfile.port': { effect: Effect.PODS, word: 'port' },
  'spec.networkProfile.serviceCidr': { effect: Effect.PODS, word: 'service range' },
  'spec.networkProfile.serviceCidrs': { effect: Effect.PODS, word: 'service ranges' },
  'spec.writePermissions': { effect: Effect.IN_PLACE, word: 'writePermissions' },
};

/** Fields that a TenantControlPlane does not have. */
const PROVIDER_ONLY: readonly string[] = ['spec.addons.coreDNS.dnsServiceIPs', 'spec.deployment.externalClusterReference'];

/** The same effects by the fields of a TenantControlPlane. */
function tenantFields(effects: FieldEffects): FieldEffects {
  const own = Object.entries(effects).filter(([key]) => !PROVIDER_ONLY.includes(key));
  return Object.fromEntries(own.flatMap(([key, effect]): [string, FieldEffects[string]][] => {
    const field = key.replace(/^spec\./, '');
    const inner = Object.keys(TENANT_PLACES).filter((known) => known.startsWith(`${field}.`) && !Object.hasOwn(TENANT_PLACES, field));
    if (key === field) return [[key, effect]];
    if (inner.length === 0) return [[tenantPlace(field.split('.')).join('.'), effect]];
    const { effect: of, word = field } = typeof effect === 'object' ? effect : { effect };
    return inner.map((known) => [tenantPlace(known.split('.')).join('.'), { effect: of, word: `${word}${known.slice(field.length)}` }]);
  }));
}

/** Effects of the fields of a TenantControlPlane. */
export const TENANT_FIELDS: FieldEffects = { ...tenantFields(CONTROL_PLANE_FIELDS), ...TENANT_ONLY };
const TENANT_NAMES_IN_PLACE = tenantFields(NAMES_IN_PLACE);

const PATCHES = ['kubelet', 'configurationJSONPatches'] as const;

/** The reason for what the library writes for some minors only. */
const OF_VERSION = 'settings that follow the version';

/**
 * Actions of Kamaji when a KamajiControlPlane or a TenantControlPlane changes: what is part of the pod template of the control plane's Deployment,
 * or of a certificate whose hash is a label of it, replaces the pods. Konnectivity's server has the number of replicas as an argument. A
 * certificate is renewed when a name is missing from it, not when it has one too many.
 *
 * Sources: clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go, v0.20.0;
 * clastix/kamaji internal/builders/controlplane/deployment.go and konnectivity_server.go (buildKonnectivityContainer),
 * internal/crypto/crypto.go (CheckCertificateNamesAndIPs), internal/resources/addons/coredns.go (CleanUp), 26.8.2-edge.
 */
export function controlPlaneEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const [old, now] = [factsOf(update.before), factsOf(update.after)];
  const isTenant = groupKind(update.after) === TENANT_CONTROL_PLANE;
  const effects = effectsOfFields({
    ...(isTenant ? TENANT_FIELDS : CONTROL_PLANE_FIELDS),
    ...(now.names.every((name) => old.names.includes(name)) && (isTenant ? TENANT_NAMES_IN_PLACE : NAMES_IN_PLACE)),
    ...(old.version !== now.version && versionPatches(update)),
  })(update).map(withVersionPatches);
  const resized = konnectivityReason(old, now);
  return groupEffects([
    ...effects,
    ...switched(effects, DNS, Effect.IN_PLACE, old.dns, now.dns),
    ...switched(effects, KONNECTIVITY, Effect.PODS, old.konnectivity, now.konnectivity),
    ...resized === undefined ? [] : [{ effect: Effect.PODS, reasons: [resized] }],
  ]);
}

/** The effect of an addon that comes or goes, beside those of its own fields. */
function switched(effects: readonly ChangeEffect[], word: string, effect: Effect, was: boolean, is: boolean): ChangeEffect[] {
  const reasons = [`${word} ${is ? 'added' : 'removed'}`];
  return was === is || effects.some((other) => other.reasons.includes(reasons[0])) ? [] : [{ effect, reasons }];
}

/** The effects of patches that an object has or has not because of its version. */
function versionPatches({ before, after }: ObjectUpdate): FieldEffects {
  const own = VERSION_PATCHES.filter((patch) => [before, after].every((object) => (
    listAt(object, ...placeOf(object, ...PATCHES)).every((item) => !isFields(item) || item.path !== patch.path || sameValue(item, patch)))));
  return Object.fromEntries(own.map(({ path }) => [[...placeOf(after, ...PATCHES), path].join('.'), { effect: Effect.LATER, word: OF_VERSION }]));
}

function withVersionPatches(effect: ChangeEffect): ChangeEffect {
  return { ...effect, reasons: [...new Set(effect.reasons.map((text) => (text.startsWith(`${OF_VERSION} `) ? OF_VERSION : text)))] };
}

/** Reason that the container of konnectivity's server changes, beside its own fields. */
function konnectivityReason(old: Facts, now: Facts): string | undefined {
  const isResized = old.replicas !== now.replicas && old.replicas > 0 && now.replicas > 0;
  return old.konnectivity && now.konnectivity && isResized ? `${KONNECTIVITY} for ${now.replicas} replicas` : undefined;
}

/** The hosts that the provider adds to the names of the certificate. */
function hostsOf(object: ManifestObject): string[] {
  return ['gateway', 'ingress'].flatMap((entrance) => stringAt(object, ...placeOf(object, 'network', entrance, 'hostname'))?.replace(/:\d+$/, '') ?? []);
}

function factsOf(object: ManifestObject): Facts {
  return {
    names: [...listAt(object, ...placeOf(object, 'network', 'certSANs')), ...hostsOf(object)],
    replicas: replicasOf(object),
    version: stringAt(object, ...placeOf(object, 'version'))?.replace(/^v/, ''),
    konnectivity: isSet(object, ...placeOf(object, 'addons', 'konnectivity')),
    dns: isSet(object, ...placeOf(object, 'addons', 'coreDNS')),
  };
}
