import { gateFact, gateMinors, isKnownMinor } from './component-facts';
import { FieldPath, Fields, fieldAt, isFields, isSet, objectsAt, stringAt, stringsAt } from './fields';
import { Finding, findingsAt } from './finding';
import { parseGoDuration } from './go-duration';
import { checkIp } from './ip-address';
import { nearestName } from './nearest-name';
import { parseQuantity } from './quantity';
import { checkTaints, Taint } from './taints';

/** Upstream source of the kubelet's validation of its configuration. */
export const KUBELET_VALIDATION = 'kubernetes/kubernetes v1.37.2 pkg/kubelet/apis/config/validation/validation.go:51-437';

/** The kubelet's own value of fields that others are compared with (pkg/kubelet/apis/config/v1beta1/defaults.go). */
const DEFAULTS: Fields = {
  imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, imageMinimumGCAge: '2m', shutdownGracePeriod: '0s', shutdownGracePeriodCriticalPods: '0s',
};

const MOST = Infinity;

/** Smallest and largest numbers; zero of some stands for the default. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  containerLogMaxFiles: [2, MOST],
  containerLogMaxWorkers: [1, MOST],
  eventBurst: [0, MOST],
  eventRecordQPS: [0, MOST],
  healthzPort: [0, 65535],
  imageGCHighThresholdPercent: [0, 100],
  imageGCLowThresholdPercent: [0, 100],
  iptablesDropBit: [0, 31],
  iptablesMasqueradeBit: [0, 31],
  kubeAPIBurst: [0, MOST],
  kubeAPIQPS: [0, MOST],
  maxOpenFiles: [0, MOST],
  maxParallelImagePulls: [1, MOST],
  maxPods: [0, MOST],
  nodeLeaseDurationSeconds: [0, MOST],
  nodeStatusMaxImages: [-1, MOST],
  oomScoreAdj: [-1000, 1000],
  podsPerCore: [0, MOST],
  port: [0, 65535],
  readOnlyPort: [0, 65535],
  registryBurst: [0, MOST],
  registryPullQPS: [0, MOST],
};

/** Shortest and longest durations in seconds; zero of some stands for the default or switches them off. */
const DURATIONS: Readonly<Record<string, readonly [least: number, most: number, accepted: string]>> = {
  'containerLogMonitorInterval': [3, MOST, 'at least "3s"'],
  'cpuCFSQuotaPeriod': [0.001, 1, 'from "1ms" to "1s"'],
  'crashLoopBackOff.maxContainerRestartPeriod': [1, 300, 'from "1s" to "300s"'],
  'imageMaximumGCAge': [0, MOST, 'at least "0s"'],
  'imageMinimumGCAge': [0, MOST, 'at least "0s"'],
  'shutdownGracePeriod': [1, MOST, '"0s", or at least "1s"'],
  'shutdownGracePeriodCriticalPods': [1, MOST, '"0s", or at least "1s"'],
};

const VERIFICATION = ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'];
const TLS_VERSIONS = ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'];

/** Closed choices, here and in pkg/kubelet/{kubelet,cm/*}.go, cmd/kubelet/app/auth.go and component-base/cli/flag/ciphersuites_flag.go. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'authorization.mode': ['AlwaysAllow', 'Webhook'],
  'cgroupDriver': ['systemd', 'cgroupfs'],
  'configMapAndSecretChangeDetectionStrategy': ['Get', 'Cache', 'Watch'],
  'cpuManagerPolicy': ['none', 'static'],
  'hairpinMode': ['none', 'hairpin-veth', 'promiscuous-bridge'],
  'imagePullCredentialsVerificationPolicy': VERIFICATION,
  'logging.format': ['text', 'json'],
  'memoryManagerPolicy': ['None', 'Static', 'BestEffort'],
  'memoryReservationPolicy': ['None', 'TieredReservation'],
  'memorySwap.swapBehavior': ['NoSwap', 'LimitedSwap'],
  'tlsMinVersion': TLS_VERSIONS,
  'topologyManagerPolicy': ['none', 'best-effort', 'restricted', 'single-numa-node'],
  'topologyManagerScope': ['container', 'pod'],
};

/** Keys of maps: pkg/kubelet/cm/cpumanager/policy_options.go, cm/topologymanager/policy_options.go, cmd/kubelet/app/server.go (parseResourceList). */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  cpuManagerPolicyOptions: [
    'align-by-socket', 'distribute-cpus-across-cores', 'distribute-cpus-across-numa', 'full-pcpus-only', 'prefer-align-cpus-by-uncorecache', 'strict-cpu-reservation',
  ],
  topologyManagerPolicyOptions: ['max-allowable-numa-nodes', 'prefer-closest-numa-nodes'],
};

/** Fields that the kubelet accepts only with a feature gate, unless their value needs none. */
const GATES: readonly (readonly [field: string, gate: string, isFree?: (value: unknown) => boolean])[] = [
  ['cpuCFSQuotaPeriod', 'CustomCPUCFSQuotaPeriod', (value) => secondsOf(value) === 0.1],
  ['crashLoopBackOff.maxContainerRestartPeriod', 'KubeletCrashLoopBackOffMax'],
  ['defaultPodSysctls', 'DefaultPodSysctls'],
  ['enableSystemLogQuery', 'NodeLogQuery', (value) => value !== true],
  ['imageMaximumGCAge', 'ImageMaximumGCAge', (value) => secondsOf(value) === 0],
  ['imagePullCredentialsVerificationPolicy', 'KubeletEnsureSecretPulledImages'],
  ['memoryReservationPolicy', 'MemoryQoS', (value) => value === 'None'],
  ['memorySwap.swapBehavior', 'NodeSwap'],
  ['preloadedImagesVerificationAllowlist', 'KubeletEnsureSecretPulledImages'],
  ['serverTLSBootstrap', 'RotateKubeletServerCertificate', (value) => value !== true],
  ['shutdownGracePeriod', 'GracefulNodeShutdown', (value) => secondsOf(value) === 0],
  ['shutdownGracePeriodByPodPriority', 'GracefulNodeShutdownBasedOnPodPriority'],
];

/**
 * Checks the values of a KubeletConfiguration as the kubelet does when it starts. Fields of a wrong type, or that it does not know, are the
 * matter of `checkKubeletConfiguration`.
 *
 * @param minor the kubelet's minor, such as `1.35`; where the tables do not know it, gates are not looked at
 * @param configuration the configuration, whole or a part of it: fields that are not there have the kubelet's defaults
 */
export function checkKubeletSettings(minor: string | undefined, configuration: Fields): Finding[] {
  const outOfBounds = [...checkRanges(configuration), ...checkDurations(configuration), ...checkChoices(configuration)];
  const isWrong = (...fields: string[]) => outOfBounds.some(({ path }) => fields.includes(path.join('.')));
  return [
    ...outOfBounds,
    ...checkGates(minor, configuration),
    ...(isWrong('imageGCHighThresholdPercent', 'imageGCLowThresholdPercent') ? [] : checkImageCollection(configuration)),
    ...(isWrong('shutdownGracePeriod', 'shutdownGracePeriodCriticalPods') ? [] : checkShutdown(configuration)),
    ...checkPulls(configuration),
    ...checkAllocatable(configuration),
    ...checkManagers(configuration),
    ...checkReservedMemory(configuration),
    ...checkNodeTaints(configuration),
    ...checkRest(configuration),
  ];
}

function checkRanges(configuration: Fields): Finding[] {
  return Object.entries(RANGES).flatMap(([field, [least, most]]) => {
    const value = configuration[field];
    if (typeof value !== 'number' || (value >= least && value <= most)) return [];
    return [refused([field], value, most === MOST ? `numbers from ${least}` : `numbers from ${least} to ${most}`)];
  });
}

function checkDurations(configuration: Fields): Finding[] {
  return Object.entries(DURATIONS).flatMap(([field, [least, most, accepted]]) => {
    const path = field.split('.');
    const value = fieldAt(configuration, ...path);
    const seconds = secondsOf(value);
    // Zero stands for the default of the quota, and switches the others off.
    if (seconds === undefined || (seconds === 0 && field !== 'containerLogMonitorInterval') || (seconds >= least && seconds <= most)) return [];
    return [refused(path, value, accepted)];
  });
}

function checkChoices(configuration: Fields): Finding[] {
  const values = Object.entries(CHOICES).flatMap(([field, accepted]) => {
    const path = field.split('.');
    const value = stringAt(configuration, ...path);
    return value === undefined || accepted.includes(value) ? [] : [refused(path, value, accepted.join(', '), nearestName(value, accepted))];
  });
  const unknown = Object.entries(KEYS).flatMap(([field, accepted]) => (
    namesAt(configuration, field).filter((key) => !accepted.includes(key)).map((key) => ({ field, accepted, key }))));
  const keys = unknown.map(({ field, accepted, key }) => ({
    path: [field, key],
    message: `the kubelet has no ${JSON.stringify(key)} here, and does not start with it`,
    accepted: accepted.join(', '),
    fix: suggestion(nearestName(key, accepted), 'remove it'),
  }));
  return [...values, ...keys];
}

function checkGates(minor: string | undefined, configuration: Fields): Finding[] {
  if (minor === undefined || !isKnownMinor(minor)) return [];
  return GATES.flatMap(([field, gate, isFree]) => {
    const path = field.split('.');
    const value = fieldAt(configuration, ...path);
    if (!isSet(value) || value === '' || isFree?.(value) || isGateOn(minor, gate, configuration)) return [];
    return [{
      path,
      message: `the kubelet ${minor} does not start with it: the feature gate ${gate} is off`,
      fix: gateFact(gate, minor) === undefined ? 'remove it' : `remove it, or set featureGates.${gate}: true`,
    }];
  });
}

/** True if a gate is on by the configuration or by default, and where it is gone because the feature is always on. */
function isGateOn(minor: string, gate: string, configuration: Fields): boolean {
  const given = fieldAt(configuration, 'featureGates', gate);
  const fact = gateFact(gate, minor);
  if (fact === undefined) return gateMinors(gate).length > 0 && gateMinors(gate)[0].localeCompare(minor, 'en', { numeric: true }) < 0;
  return typeof given === 'boolean' ? given : fact.enabledByDefault;
}

function checkImageCollection(configuration: Fields): Finding[] {
  const [low, high] = ['imageGCLowThresholdPercent', 'imageGCHighThresholdPercent'].map((field) => ownOrDefault(configuration, field));
  const [least, most] = ['imageMinimumGCAge', 'imageMaximumGCAge'].map((field) => secondsOf(ownOrDefault(configuration, field)) ?? 0);
  const lowField = isSet(configuration, 'imageGCLowThresholdPercent') ? 'imageGCLowThresholdPercent' : 'imageGCHighThresholdPercent';
  return [
    ...(typeof low !== 'number' || typeof high !== 'number' || low < high || !isSet(configuration, lowField) ? [] : [{
      path: [lowField],
      message: `imageGCLowThresholdPercent is ${low} and imageGCHighThresholdPercent ${high}: the kubelet does not start`,
      accepted: 'a low threshold below the high one',
      fix: `write both, such as ${Math.min(low, high) - 5 > 0 ? Math.min(low, high) - 5 : 0} and ${Math.max(low, high)}`,
    }]),
    ...(most > 0 && most <= least ? [{
      path: ['imageMaximumGCAge'], message: `images would be removed after ${most} s, and are kept for ${least} s: the kubelet does not start`, fix: 'make it longer than imageMinimumGCAge',
    }] : []),
  ];
}

function checkShutdown(configuration: Fields): Finding[] {
  const [all, critical] = ['shutdownGracePeriod', 'shutdownGracePeriodCriticalPods'].map((field) => secondsOf(ownOrDefault(configuration, field)));
  if (all === undefined || critical === undefined) return [];
  const byPriority = objectsAt(configuration, 'shutdownGracePeriodByPodPriority').length > 0;
  return [
    ...(critical > all ? [{
      path: ['shutdownGracePeriodCriticalPods'],
      message: `it is ${critical} s, and shutdownGracePeriod, which it is a part of, ${all} s: the kubelet does not start`,
      fix: 'make shutdownGracePeriod longer: it is the time for all pods',
    }] : []),
    ...(byPriority && all + critical > 0 ? [{
      path: ['shutdownGracePeriodByPodPriority'], message: 'the kubelet does not start with it beside shutdownGracePeriod', fix: 'keep one of them',
    }] : []),
  ];
}

function checkPulls(configuration: Fields): Finding[] {
  const parallel = configuration.maxParallelImagePulls;
  return configuration.serializeImagePulls === true && typeof parallel === 'number' && parallel > 1 ? [{
    path: ['maxParallelImagePulls'], message: `${parallel} images at a time contradict serializeImagePulls: true: the kubelet does not start`, fix: 'write serializeImagePulls: false',
  }] : [];
}

const ENFORCED = ['pods', 'system-reserved', 'system-reserved-compressible', 'kube-reserved', 'kube-reserved-compressible', 'none'];

function checkAllocatable(configuration: Fields): Finding[] {
  const field = 'enforceNodeAllocatable';
  const isGiven = Array.isArray(configuration[field]);
  const parts = isGiven ? stringsAt(configuration, field) : [];
  const names = parts.map(([name]) => name);
  const has = (name: string) => names.includes(name);
  const cgroupOf = (name: string) => `${name.startsWith('system') ? 'system' : 'kube'}ReservedCgroup`;
  return [
    ...parts.filter(([name]) => !ENFORCED.includes(name)).map(([name, index]) => refused([field, index], name, ENFORCED.join(', '), nearestName(name, ENFORCED))),
    ...parts.filter(([name], index) => names.indexOf(name) < index).map(([name, index]) => (
      { path: [field, index], message: `${JSON.stringify(name)} is there twice: the kubelet does not start`, fix: 'remove one' })),
    ...parts.filter(([name]) => /^(system|kube)-reserved/.test(name) && ENFORCED.includes(name) && !stringAt(configuration, cgroupOf(name))).map(([name, index]) => ({
      path: [field, index], message: `${name} needs ${cgroupOf(name)}, which is not set: the kubelet does not start`, fix: `write ${cgroupOf(name)}, or remove ${name}`,
    })),
    ...['system-reserved', 'kube-reserved'].filter((name) => has(name) && has(`${name}-compressible`)).map((name) => (
      { path: [field], message: `${name} and ${name}-compressible exclude each other: the kubelet does not start`, fix: 'keep one of them' })),
    ...(has('none') && names.length > 1 ? [{ path: [field], message: 'none must stand alone: the kubelet does not start', fix: 'remove it, or the others' }] : []),
    ...(configuration.cgroupsPerQOS === false && (!isGiven || names.some((name) => name !== 'none')) ? [{
      path: ['cgroupsPerQOS'],
      message: `without them the kubelet cannot enforce ${isGiven ? names.join(' and ') : 'pods, its default'}, and does not start`,
      fix: 'leave it out, or write enforceNodeAllocatable: [none]',
    }] : []),
  ];
}

/** True if a list of resources reserves some of one. */
function reserves(configuration: Fields, resource: string): boolean {
  return ['systemReserved', 'kubeReserved'].some((field) => (parseQuantity(stringAt(configuration, field, resource) ?? '') ?? 0n) > 0n);
}

function checkManagers(configuration: Fields): Finding[] {
  const cpus = stringAt(configuration, 'reservedSystemCPUs');
  const cgroup = ['systemReservedCgroup', 'kubeReservedCgroup'].find((field) => stringAt(configuration, field) !== undefined);
  const isStatic = configuration.cpuManagerPolicy === 'static';
  return [
    ...(isStatic && cpus === undefined && !reserves(configuration, 'cpu') ? [{
      path: ['cpuManagerPolicy'],
      message: 'static needs CPUs that are reserved, and none are: the kubelet does not start',
      fix: 'reserve some in kubeReserved or systemReserved, or name them in reservedSystemCPUs',
    }] : []),
    ...(!isStatic && namesAt(configuration, 'cpuManagerPolicyOptions').length > 0 ? [{
      path: ['cpuManagerPolicyOptions'], message: 'only the policy static has options, and the kubelet does not start with them', fix: 'write cpuManagerPolicy: static, or remove them',
    }] : []),
    ...(cpus !== undefined && cgroup !== undefined ? [{
      path: ['reservedSystemCPUs'], message: `the kubelet does not start with it beside ${cgroup}`, fix: 'keep one of them',
    }] : []),
    ...(cpus === undefined || isCpuSet(cpus) ? [] : [refused(['reservedSystemCPUs'], cpus, 'lists such as "0-1,4"')]),
    ...(configuration.memoryManagerPolicy === 'Static' && objectsAt(configuration, 'reservedMemory').length === 0 ? [{
      path: ['memoryManagerPolicy'],
      message: 'Static needs reservedMemory, which adds up to what is reserved of memory and its hard eviction threshold: the kubelet does not start',
      fix: 'write reservedMemory for each NUMA node, or remove the policy',
    }] : []),
  ];
}

function isCpuSet(text: string): boolean {
  return text.split(',').every((part) => {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    return match !== null && (match[2] === undefined || Number(match[1]) <= Number(match[2]));
  });
}

function checkReservedMemory(configuration: Fields): Finding[] {
  const seen = new Set<string>();
  return objectsAt(configuration, 'reservedMemory').flatMap(([{ numaNode = 0, limits }, index]) => namesAt({ limits }, 'limits').flatMap((resource): Finding[] => {
    const path = ['reservedMemory', index, 'limits', resource];
    const key = `${String(numaNode)} ${resource}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (resource !== 'memory' && !resource.startsWith('hugepages-')) return [refused(path, resource, 'memory, and hugepages- with a size')];
    if (parseQuantity(String(fieldAt(limits, resource))) === 0n) return [refused(path, fieldAt(limits, resource), 'quantities above 0')];
    return isRepeated ? [{ path, message: `${resource} of the NUMA node ${String(numaNode)} is there twice: the kubelet does not start`, fix: 'remove one' }] : [];
  }));
}

function checkNodeTaints(configuration: Fields): Finding[] {
  const taints = objectsAt(configuration, 'registerWithTaints');
  const isTaint = (taint: Fields): boolean => ['key', 'effect'].every((field) => typeof taint[field] === 'string');
  if (!taints.every(([taint]) => isTaint(taint))) return [];
  return findingsAt(['registerWithTaints'], checkTaints(taints.map(([taint]) => taint as unknown as Taint), { anyOwner: true }));
}

/** The node controller takes a node for lost after 50 seconds (kubernetes/kubernetes cmd/kube-controller-manager/app/options: node-monitor-grace-period). */
const LOST_AFTER_SECONDS = 50;

/** The kubelet renews its lease after a quarter of its duration (pkg/kubelet/kubelet.go, nodeLeaseRenewIntervalFraction). */
const RENEWALS_IN_A_LEASE = 4;

function checkRest(configuration: Fields): Finding[] {
  const lease = configuration.nodeLeaseDurationSeconds;
  const logs = stringAt(configuration, 'podLogsDir');
  const factor = configuration.memoryThrottlingFactor;
  return [
    ...(typeof lease === 'number' && lease / RENEWALS_IN_A_LEASE > LOST_AFTER_SECONDS ? [{
      path: ['nodeLeaseDurationSeconds'],
      message: `the kubelet renews a lease of ${lease} s every ${lease / RENEWALS_IN_A_LEASE} s, and after ${LOST_AFTER_SECONDS} s the node counts as lost`,
      accepted: `up to ${LOST_AFTER_SECONDS * RENEWALS_IN_A_LEASE}`,
      fix: 'shorten it, or leave it out for 40',
    }] : []),
    ...(stringAt(configuration, 'systemCgroups') !== undefined && stringAt(configuration, 'cgroupRoot') === undefined ? [{
      path: ['systemCgroups'], message: 'it needs cgroupRoot, which is not set: the kubelet does not start', fix: 'write cgroupRoot, or remove it',
    }] : []),
    ...(configuration.enableSystemLogQuery === true && configuration.enableSystemLogHandler === false ? [{
      path: ['enableSystemLogQuery'], message: 'it needs enableSystemLogHandler: the kubelet does not start', fix: 'remove enableSystemLogHandler: false',
    }] : []),
    ...(configuration.runOnce === true ? [{ path: ['runOnce'], message: 'the kubelet does not start with it', fix: 'remove it' }] : []),
    ...(logs === undefined || (logs.startsWith('/') && !/\/\.{0,2}(\/|$)./.test(`${logs}/`)) ? [] : [refused(['podLogsDir'], logs, 'absolute paths without ".", ".." and "//"')]),
    ...(typeof factor === 'number' && (factor <= 0 || factor > 1) ? [refused(['memoryThrottlingFactor'], factor, 'numbers above 0, up to 1')] : []),
    ...stringsAt(configuration, 'clusterDNS').filter(([address]) => checkIp(address) !== undefined)
      .map(([address, index]) => ({ path: ['clusterDNS', index], message: `${JSON.stringify(address)} is not an IP address: pods get no name server`, fix: 'write the address of the DNS Service' })),
    ...stringsAt(configuration, 'tlsCipherSuites').filter(([suite]) => !/^TLS_[A-Z0-9_]+$/.test(suite))
      .map(([suite, index]) => refused(['tlsCipherSuites', index], suite, 'names such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256')),
  ];
}

function refused(path: FieldPath, value: unknown, accepted: string, near?: string): Finding {
  return { path, message: `the kubelet does not start with ${JSON.stringify(value)}`, accepted, fix: suggestion(near, 'write one of these') };
}

function suggestion(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

function ownOrDefault(configuration: Fields, field: string): unknown {
  return isSet(configuration, field) ? configuration[field] : DEFAULTS[field];
}

function namesAt(configuration: Fields, field: string): string[] {
  const map = configuration[field];
  return isFields(map) ? Object.keys(map) : [];
}

/** A duration in seconds; undefined for what is none. */
export function secondsOf(value: unknown): number | undefined {
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e9;
}
