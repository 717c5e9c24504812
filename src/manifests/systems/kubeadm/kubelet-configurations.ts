import { PATCHES_DIRECTORY } from './node-files';
import { argumentsAt, kubeadmSpec } from './rules/kubeadm-spec';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { fileContent } from '../../objects/packed-manifests';
import { excess, parsedJson } from '../../objects/value-size';
import { ofOneObject } from '../../rules/of-one-object';
import { flagName } from '../../values/component-arguments';
import { fieldAt, FieldPath, Fields, isFields, objectsAt, stringAt } from '../../values/fields';
import { parseGoBool } from '../../values/flag-values';
import { mergedFields, patchedFields } from '../../values/merged-fields';

/** The kind of the kubelet's configuration. */
export const KUBELET_CONFIGURATION = 'kubelet.config.k8s.io/KubeletConfiguration';

/** A part of a kubelet's configuration: a file, a patch or an argument. */
export interface KubeletPart {
  /** The field of the object that has it. */
  readonly path: FieldPath;
  readonly fields: Fields;

  /** True if only the name of the field goes on from the path: of an argument, there is nothing in it. */
  readonly isArgument?: boolean;
}

/** The configuration of the kubelets of machines, from all of its parts; of several that set one field, the last one counts. */
export interface KubeletSettings {
  readonly parts: readonly KubeletPart[];
  readonly fields: Fields;
}

/** The parts of kubeadm's configuration that a machine is set up by. */
const PARTS: readonly string[] = ['initConfiguration', 'joinConfiguration'];
const PATCH_NAME = /^kubeletconfiguration[^.+]*(?:\+(json|merge|strategic))?[^/]*\.(?:json|yaml)$/;
const MARK = /kind["']?\s*:\s*["']?KubeletConfiguration\b/;
// A program fills these in before the kubelet reads the file.
const TEMPLATE = /\{\{|\{%|\$\{/;

/** The configurations of kubelets that an object has, each on its own. */
export const kubeletSettings = ofOneObject((object: ManifestObject): readonly KubeletSettings[] => {
  if (groupKind(object) === KUBELET_CONFIGURATION) return [settingsOf([{ path: [], fields: object }])];
  const spec = kubeadmSpec(object);
  const files = objectsAt(spec.value, 'files').flatMap(([file, index]) => filePart(file, [...spec.path, 'files', index, 'content']));
  const patches = files.filter(({ isPatch }) => isPatch).sort((one, other) => (one.file < other.file ? -1 : 1));
  const wholes = files.filter(({ isPatch }) => !isPatch).map((part) => settingsOf([part]));
  const machines = PARTS.map((part) => settingsOf([
    ...patches.filter(({ folder }) => folder === (stringAt(spec.value, part, 'patches', 'directory') ?? PATCHES_DIRECTORY).replace(/\/$/, '')),
    ...argumentParts(spec.value, part).map((found) => ({ ...found, path: [...spec.path, ...found.path] })),
  ]));
  return [...machines, ...wholes].filter(({ parts }) => parts.length > 0);
});

function settingsOf(parts: readonly KubeletPart[]): KubeletSettings {
  return { parts, fields: parts.reduce((soFar, { fields }) => mergedFields(soFar, fields), {} as Fields) };
}

/** The field of an object that has a field of the kubelet's configuration: that of the last part that sets it. */
export function placeOf({ parts }: KubeletSettings, path: FieldPath): FieldPath {
  const depthIn = ({ fields }: KubeletPart): number => path.findIndex((_, index) => fieldAt(fields, ...path.slice(0, index + 1)) === undefined);
  const known = (part: KubeletPart): number => (depthIn(part) === -1 ? path.length : depthIn(part));
  const part = parts.reduce((best, one) => (known(one) >= known(best) ? one : best), parts[0]);
  return part.isArgument ? part.path : [...part.path, ...path];
}

interface FilePart extends KubeletPart {
  readonly file: string;
  readonly folder: string;
  readonly isPatch: boolean;
}

function filePart(file: unknown, path: FieldPath): FilePart[] {
  const [place, text] = [stringAt(file, 'path'), fileContent(file)];
  if (place === undefined || text === undefined) return [];
  const name = place.slice(place.lastIndexOf('/') + 1);
  const patch = PATCH_NAME.exec(name);
  if ((!patch && !MARK.test(text)) || text.includes('{%')) return [];
  const documents = documentsIn(text).map(withoutTemplates);
  const found = patch ? documents : documents.filter((one) => fieldAt(one, 'kind') === 'KubeletConfiguration');
  const fields = found.reduce<Fields>((soFar, one) => (patch?.[1] === 'json' ? patchedFields(soFar, one) : isFields(one) ? mergedFields(soFar, one) : soFar), {});
  return [{ path, fields, file: place, folder: place.slice(0, place.lastIndexOf('/')), isPatch: patch !== null }];
}

/** The documents of a file. Most patches are JSON, which is read in a tenth of the time. */
function documentsIn(text: string): readonly unknown[] {
  const value = text.startsWith('{') ? parsedJson(text) : undefined;
  return value !== undefined && excess(value) === undefined ? [value] : valuesIn(text);
}

/** A value without the entries that a program fills in. */
export function withoutTemplates(value: unknown): unknown {
  if (!isFields(value)) return value;
  const isFinal = ([name, inner]: [string, unknown]) => !TEMPLATE.test(name + (isFields(inner) ? '' : JSON.stringify(inner)));
  return Object.fromEntries(Object.entries(value).filter(isFinal).map(([name, inner]) => [name, withoutTemplates(inner)]));
}

type Reader = (value: string) => unknown;

const readText: Reader = (value) => value;
const readNumber: Reader = (value) => (/^-?\d+$/.test(value) ? Number(value) : undefined);
const readList: Reader = (value) => value.split(',').filter((item) => item !== '');
const readSwitch: Reader = parseGoBool;

/** Reads `a=1,b=2`, or with another sign in place of `=`. */
function readMap(sign: string, read: Reader = readText): Reader {
  return (value) => Object.fromEntries(value.split(',').filter((item) => item.includes(sign)).map((item) => {
    const at = item.indexOf(sign);
    return [item.slice(0, at).trim(), read(item.slice(at + sign.length).trim())];
  }));
}

/** Reads taints such as `gpu=true:NoSchedule,cpu:NoExecute`. */
const readTaints: Reader = (value) => value.split(',').filter((item) => item !== '').map((item) => {
  const [, key, text, effect] = /^([^=:]*)(?:=([^:]*))?(?::(.*))?$/.exec(item) ?? [];
  return { key, ...(text !== undefined && { value: text }), effect: effect ?? '' };
});

/** Fields that arguments set (kubernetes/kubernetes cmd/kubelet/app/options/options.go, AddKubeletConfigFlags). */
const FLAGS: Readonly<Record<string, readonly [field: string, read: Reader]>> = {
  'authorization-mode': ['authorization.mode', readText],
  'cgroup-driver': ['cgroupDriver', readText],
  'cgroups-per-qos': ['cgroupsPerQOS', readSwitch],
  'cluster-dns': ['clusterDNS', readList],
  'container-log-max-files': ['containerLogMaxFiles', readNumber],
  'cpu-cfs-quota-period': ['cpuCFSQuotaPeriod', readText],
  'cpu-manager-policy': ['cpuManagerPolicy', readText],
  'cpu-manager-policy-options': ['cpuManagerPolicyOptions', readMap('=')],
  'enforce-node-allocatable': ['enforceNodeAllocatable', readList],
  'event-burst': ['eventBurst', readNumber],
  'event-qps': ['eventRecordQPS', readNumber],
  'eviction-hard': ['evictionHard', readMap('<')],
  'eviction-minimum-reclaim': ['evictionMinimumReclaim', readMap('=')],
  'eviction-soft': ['evictionSoft', readMap('<')],
  'eviction-soft-grace-period': ['evictionSoftGracePeriod', readMap('=')],
  'feature-gates': ['featureGates', readMap('=', readSwitch)],
  'hairpin-mode': ['hairpinMode', readText],
  'healthz-port': ['healthzPort', readNumber],
  'image-gc-high-threshold': ['imageGCHighThresholdPercent', readNumber],
  'image-gc-low-threshold': ['imageGCLowThresholdPercent', readNumber],
  'kube-api-burst': ['kubeAPIBurst', readNumber],
  'kube-api-qps': ['kubeAPIQPS', readNumber],
  'kube-reserved': ['kubeReserved', readMap('=')],
  'kube-reserved-cgroup': ['kubeReservedCgroup', readText],
  'logging-format': ['logging.format', readText],
  'max-open-files': ['maxOpenFiles', readNumber],
  'max-pods': ['maxPods', readNumber],
  'memory-manager-policy': ['memoryManagerPolicy', readText],
  'minimum-image-ttl-duration': ['imageMinimumGCAge', readText],
  'node-status-max-images': ['nodeStatusMaxImages', readNumber],
  'oom-score-adj': ['oomScoreAdj', readNumber],
  'pods-per-core': ['podsPerCore', readNumber],
  'port': ['port', readNumber],
  'read-only-port': ['readOnlyPort', readNumber],
  'register-with-taints': ['registerWithTaints', readTaints],
  'registry-burst': ['registryBurst', readNumber],
  'registry-qps': ['registryPullQPS', readNumber],
  'reserved-cpus': ['reservedSystemCPUs', readText],
  'reserved-memory': ['reservedMemory', () => [{}]],
  'serialize-image-pulls': ['serializeImagePulls', readSwitch],
  'system-reserved': ['systemReserved', readMap('=')],
  'system-reserved-cgroup': ['systemReservedCgroup', readText],
  'tls-cipher-suites': ['tlsCipherSuites', readList],
  'tls-min-version': ['tlsMinVersion', readText],
  'topology-manager-policy': ['topologyManagerPolicy', readText],
  'topology-manager-policy-options': ['topologyManagerPolicyOptions', readMap('=')],
  'topology-manager-scope': ['topologyManagerScope', readText],
};

function argumentParts(spec: unknown, part: string): KubeletPart[] {
  return argumentsAt(spec, [part, 'nodeRegistration', 'kubeletExtraArgs']).flatMap((argument): KubeletPart[] => {
    const name = flagName(argument);
    if (!Object.hasOwn(FLAGS, name) || TEMPLATE.test(argument.value)) return [];
    const [field, read] = FLAGS[name];
    const value = read(argument.value);
    const fields = field.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as Fields;
    return value === undefined ? [] : [{ path: argument.path, fields, isArgument: true }];
  });
}
