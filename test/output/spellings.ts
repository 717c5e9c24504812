import { groupKind, groupOf, ManifestObject } from '../../src/manifests/objects/manifest-object';
import { structureOf } from '../../src/manifests/rules/structure/structures';
import { SchemaNode } from '../../src/manifests/schema/schema-node';
import { fieldAt, Fields, isFields, sameValue } from '../../src/manifests/values/fields';
import { parseGoDuration } from '../../src/manifests/values/go-duration';
import { parseQuantity } from '../../src/manifests/values/quantity';

/** Writes an object in other words that mean the same. */
export type Spelling = (object: ManifestObject) => ManifestObject;

/** A copy in which each value is replaced, with its schema and the name of its field. */
function replaced(node: SchemaNode | undefined, value: unknown, change: (node: SchemaNode | undefined, value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(node?.items, item, change, name));
  if (!isFields(value)) return change(node, value, name);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(node?.fields?.get(key) ?? node?.values, inner, change, key)]));
}

function rootOf(object: ManifestObject): SchemaNode | undefined {
  const version = String(object.apiVersion);
  return structureOf(groupOf(object), String(object.kind))?.versions.get(version.slice(version.indexOf('/') + 1));
}

function bySchema(change: (node: SchemaNode | undefined, value: unknown, name: string, object: ManifestObject) => unknown): Spelling {
  return (object) => replaced(rootOf(object), object, (node, value, name) => change(node, value, name, object)) as ManifestObject;
}

/** A quantity in other words; binary ones stay binary. */
function otherQuantity(text: string): string {
  const binary = /^(\d+)(Ki|Mi|Gi|Ti)$/.exec(text);
  if (binary) return text.endsWith('Ki') ? text : `${Number(binary[1]) * 1024}${{ Mi: 'Ki', Gi: 'Mi', Ti: 'Gi' }[binary[2]]}`;
  if (/^\d+m$/.test(text)) return String(Number(text.slice(0, -1)) / 1000);
  return /^\d+$/.test(text) ? `${text}000m` : text;
}

function isQuantity(node: SchemaNode | undefined): boolean {
  return node?.type === 'quantity' || node?.pattern?.includes('[KMGTPE]i') === true;
}

/** Templates of machines that a webhook compares by their text. */
const IMMUTABLE = /^infrastructure\.cluster\.x-k8s\.io\/Kubevirt\w+Template$/;

const DURATION = /^(?:\d+(?:ms|s|m|h))+$/;
const CORE = /^(?:cluster|controlplane\.cluster|bootstrap\.cluster)\.x-k8s\.io$/;

/** Control planes of examples, whose definitions want the v. */
const WITH_V = /^controlplane\.cluster\.x-k8s\.io\/(?:RKE2|Talos)ControlPlane$/;

/** Ways to write the same. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'keys in the reverse order': (object) => reversed(object) as ManifestObject,
  'quantities in other units': bySchema((node, value, _, object) => (
    isQuantity(node) && !IMMUTABLE.test(groupKind(object)) && parseQuantity(String(value)) !== undefined ? otherQuantity(String(value)) : value)),
  'durations in seconds': bySchema((node, value, name) => (
    node?.type === 'string' && typeof value === 'string' && DURATION.test(value) && /(?:timeout|interval|duration|period)$/i.test(name)
      ? `${Number(parseGoDuration(value)! / 1_000_000n) / 1000}s` : value)),
  'versions without v': (object) => (CORE.test(groupOf(object)) && !WITH_V.test(groupKind(object)) ? withVersion(object) : object),
  'defaults left out': (object) => withoutDefaults(rootOf(object), object) as ManifestObject,
  'null and empty fields': (object) => ({
    ...object,
    metadata: { annotations: {}, labels: {}, creationTimestamp: null, ...object.metadata as Fields },
    ...(isFields(object.spec) && { spec: { ...object.spec, paused: object.spec.paused ?? null } }),
    status: null,
  }),
  'defaults of Kubernetes': (object) => {
    const template = fieldAt(object, 'spec', 'template', 'spec');
    if (groupOf(object) !== 'apps' || !isFields(template)) return object;
    const containers = (template.containers as Fields[]).map((container) => ({ imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File', ...container }));
    const spec = { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...template, containers };
    return { ...object, spec: { revisionHistoryLimit: 10, ...object.spec as Fields, template: { ...fieldAt(object, 'spec', 'template') as Fields, spec } } };
  },
  'the older version of Cluster API': older,
};

/** The version of Kubernetes, and none of an image. */
function withVersion(object: ManifestObject): ManifestObject {
  const copy = structuredClone(object);
  for (const path of [['spec'], ['spec', 'topology'], ['spec', 'template', 'spec']]) {
    const around = fieldAt(copy, ...path) as { version?: unknown } | undefined;
    if (typeof around?.version === 'string') around.version = around.version.replace(/^v/, '');
  }
  return copy;
}

/** A value without fields that have what the definition sets. */
function withoutDefaults(node: SchemaNode | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(node?.items, item));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => {
    const inside = node?.fields?.get(key) ?? node?.values;
    return inside?.default !== undefined && sameValue(inside.default, inner) ? [] : [[key, withoutDefaults(inside, inner)]];
  }));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  return isFields(value) ? Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reversed(inner)])) : value;
}

const OLDER: Readonly<Record<string, (spec: Record<string, unknown>) => void>> = {
  'cluster.x-k8s.io/Cluster': (spec) => {
    for (const name of ['controlPlaneRef', 'infrastructureRef']) spec[name] = oldReference(spec[name]);
  },
  'cluster.x-k8s.io/MachineDeployment': (spec) => {
    const { rollout, deletion, remediation, machineNaming, ...rest } = spec;
    const strategy = fieldAt(rollout, 'strategy') as Fields | undefined;
    const template = rest.template as { metadata?: Fields; spec: Record<string, unknown> };
    for (const name of Object.keys(spec)) delete spec[name];
    Object.assign(spec, rest, {
      ...(machineNaming !== undefined && { machineNamingStrategy: machineNaming }),
      ...(fieldAt(rollout, 'after') !== undefined && { rolloutAfter: fieldAt(rollout, 'after') }),
      strategy: {
        type: strategy?.type ?? 'RollingUpdate',
        rollingUpdate: { ...strategy?.rollingUpdate as Fields, ...(isFields(deletion) && { deletePolicy: deletion.order }) },
        ...(remediation !== undefined && { remediation }),
      },
      template: { ...template, spec: oldMachine(template.spec) },
    });
  },
  'cluster.x-k8s.io/MachineHealthCheck': (spec) => {
    const { checks, remediation } = spec as Record<string, Fields | undefined>;
    const triggers = remediation?.triggerIf as Fields | undefined;
    delete spec.checks;
    delete spec.remediation;
    Object.assign(spec, {
      nodeStartupTimeout: `${String(checks?.nodeStartupTimeoutSeconds)}s`,
      unhealthyConditions: oldConditions(checks?.unhealthyNodeConditions),
      unhealthyMachineConditions: oldConditions(checks?.unhealthyMachineConditions),
      maxUnhealthy: triggers?.unhealthyLessThanOrEqualTo,
      unhealthyRange: triggers?.unhealthyInRange,
      remediationTemplate: remediation?.templateRef,
    });
  },
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate': (spec) => {
    const template = spec.template as { spec: Fields };
    spec.template = { ...template, spec: oldConfiguration(template.spec) };
  },
  'controlplane.cluster.x-k8s.io/KubeadmControlPlane': (spec) => {
    const { machineTemplate, kubeadmConfigSpec, rollout, remediation } = spec as Record<string, Fields | undefined>;
    const { infrastructureRef, deletion, ...machine } = machineTemplate?.spec as Record<string, unknown>;
    for (const name of ['rollout', 'remediation']) delete spec[name];
    Object.assign(spec, {
      kubeadmConfigSpec: oldConfiguration(kubeadmConfigSpec!),
      machineTemplate: {
        ...machineTemplate, spec: undefined, ...machine, infrastructureRef: oldReference(infrastructureRef), ...oldTimeouts(deletion),
      },
      rolloutStrategy: rollout?.strategy,
      rolloutAfter: rollout?.after,
      rolloutBefore: rollout?.before,
      remediationStrategy: remediation && {
        maxRetry: remediation.maxRetry,
        ...(remediation.minHealthyPeriodSeconds !== undefined && { minHealthyPeriod: `${String(remediation.minHealthyPeriodSeconds)}s` }),
        ...(remediation.retryPeriodSeconds !== undefined && { retryPeriod: `${String(remediation.retryPeriodSeconds)}s` }),
      },
    });
  },
};

/** True if arguments are in the order of their names, in which the conversion of a map puts them: another order is another control plane. */
function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) {
    const isArgument = (item: unknown): item is Fields => isFields(item) && Object.keys(item).sort().join() === 'name,value';
    const names = (value as unknown[]).map((item) => (isArgument(item) ? String(item.name) : ''));
    return value.every(isSorted) && names.every((name, index) => index === 0 || names[index - 1] <= name);
  }
  return !isFields(value) || Object.values(value).every(isSorted);
}

/** An object in v1beta1. */
function older(object: ManifestObject): ManifestObject {
  const change = OLDER[groupKind(object)];
  if (!change || !isSorted(object.spec) || !String(object.apiVersion).endsWith('/v1beta2')) return object;
  const copy = structuredClone(object) as { spec: Record<string, unknown> };
  change(copy.spec);
  return JSON.parse(JSON.stringify({ ...copy, apiVersion: String(object.apiVersion).replace('v1beta2', 'v1beta1') })) as ManifestObject;
}

function oldReference(reference: unknown): unknown {
  if (!isFields(reference)) return reference;
  const { apiGroup, kind, name } = reference;
  return { apiVersion: `${String(apiGroup)}/v1beta1`, kind, name };
}

function oldTimeouts(deletion: unknown): Fields {
  return isFields(deletion) ? Object.fromEntries(Object.entries(deletion).map(([name, count]) => [name.replace(/Seconds$/, ''), `${String(count)}s`])) : {};
}

function oldMachine({ deletion, minReadySeconds: _, ...machine }: Record<string, unknown>): Fields {
  const bootstrap = machine.bootstrap as Fields;
  return {
    ...machine,
    ...oldTimeouts(deletion),
    infrastructureRef: oldReference(machine.infrastructureRef),
    bootstrap: { ...bootstrap, ...(bootstrap.configRef !== undefined && { configRef: oldReference(bootstrap.configRef) }) },
  };
}

function oldConditions(conditions: unknown): unknown {
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as Fields[]).map(({ timeoutSeconds, ...condition }) => ({ ...condition, timeout: `${String(timeoutSeconds)}s` }));
}

function oldConfiguration(configuration: Fields): Fields {
  const old = (value: unknown, name = ''): unknown => {
    if (/^(?:extraArgs|kubeletExtraArgs)$/.test(name) && Array.isArray(value)) return Object.fromEntries((value as Fields[]).map((one) => [one.name as string, one.value]));
    if (Array.isArray(value)) return value.map((item) => old(item));
    return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, old(inner, key)])) : value;
  };
  return old(configuration) as Fields;
}
