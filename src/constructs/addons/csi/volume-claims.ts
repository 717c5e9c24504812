import { ApiObject } from 'cdk8s';
import { Problem, Rule } from '../../../manifests/values/problem';
import { checkQuantity, parseQuantity } from '../../../manifests/values/quantity';
import { writtenManifest } from '../../app/synth/synthesis';
import { VolumeClass } from '../../contracts/addon';

/** The checked fields of a claim. */
export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly resources?: { readonly requests?: { readonly storage?: string | number } };
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly volumeName?: string;
  readonly dataSource?: { readonly kind?: string };
  readonly dataSourceRef?: { readonly kind?: string };
}

/**
 * Checks a claim against the capabilities of its storage class.
 *
 * @param property path of the claim's fields
 * @param spec the claim
 * @param classes the known storage classes of the cluster; claims of other classes, and claims for existing volumes, are not checked
 */
export function checkClaim(property: string, spec: ClaimSpec, classes: readonly VolumeClass[]): Problem[] {
  const { storageClassName: name, volumeName } = spec;
  const volumeClass = classes.find((one) => (name === undefined ? one.isDefault : one.name === name));
  if (!volumeClass || volumeName) return [];
  return [
    ...checkAccessModes(`${property}.accessModes`, spec, volumeClass),
    ...checkSize(`${property}.resources.requests.storage`, spec.resources?.requests?.storage, volumeClass),
    ...checkSource(property, spec, volumeClass),
  ];
}

const ACCESS_MODE_RULE: Rule = {
  id: 'TC-STORAGE-CLAIM-ACCESS-MODE',
  title: 'The driver of a claim\'s storage class must support its access modes.',
  source: 'kubernetes.io/docs/concepts/storage/persistent-volumes (access modes), and the driver behind the class',
};

function checkAccessModes(property: string, { accessModes = [], volumeMode }: ClaimSpec, volumeClass: VolumeClass): Problem[] {
  const raw = volumeMode === 'Block';
  const { name, accessModes: plain, blockAccessModes = plain } = volumeClass;
  const possible: readonly string[] = raw ? blockAccessModes : plain;
  const impossible = accessModes.filter((mode) => !possible.includes(mode));
  return impossible.length === 0 ? [] : [{
    rule: ACCESS_MODE_RULE,
    property,
    message: `${raw ? 'raw block volumes' : 'volumes'} of the storage class "${name}" cannot be ${impossible.join(', ')}`,
    accepted: possible.join(', '),
    fix: 'choose one of these, or another storage class',
  }];
}

const SIZE_RULE: Rule = {
  id: 'TC-STORAGE-CLAIM-SIZE',
  title: 'The size of a claim must be possible for volumes of its storage class.',
  source: 'kubernetes.io/docs/concepts/storage/persistent-volumes (resources), and the driver behind the class',
};

function checkSize(property: string, storage: string | number | undefined, { name, least, most, step }: VolumeClass): Problem[] {
  if (storage === undefined) return [];
  const text = `${storage}`;
  const at = { rule: SIZE_RULE, property };
  const fault = checkQuantity(text, { positive: true });
  if (fault !== undefined) return [{ ...at, message: fault, fix: 'write a size such as "10Gi"' }];
  const size = parseQuantity(text)!;
  const accepted = [least && `from ${least}`, most && `up to ${most}`, step && `in multiples of ${step}`].filter(Boolean).join(', ');
  const said = (what: string): Problem => ({ ...at, message: `${text} is ${what} of the storage class "${name}"`, accepted, fix: 'write a size that volumes of the class can have' });
  return [
    ...(least !== undefined && size < parseQuantity(least)! ? [said('less than the smallest volume')] : []),
    ...(most !== undefined && size > parseQuantity(most)! ? [said('more than the largest volume')] : []),
    ...(step !== undefined && size % parseQuantity(step)! !== 0n ? [said('between two sizes')] : []),
  ].slice(0, 1);
}

const SOURCE_RULE: Rule = {
  id: 'TC-STORAGE-CLAIM-SOURCE',
  title: 'A claim may have a data source only if the driver of its storage class can copy volumes.',
  source: 'kubernetes.io/docs/concepts/storage/persistent-volumes (volume snapshot and restore, volume cloning), '
    + 'and the driver behind the class',
};

function checkSource(property: string, { dataSource, dataSourceRef }: ClaimSpec, { name, copies = true }: VolumeClass): Problem[] {
  const field = dataSource ? 'dataSource' : 'dataSourceRef';
  const kind = (dataSource ?? dataSourceRef)?.kind;
  return copies || kind === undefined ? [] : [{
    rule: SOURCE_RULE,
    property: `${property}.${field}`,
    message: `volumes of the storage class "${name}" cannot be copies, but this claim is a copy of a ${kind}`,
    fix: 'start with an empty volume, or choose another storage class',
  }];
}

const CLAIM = 'PersistentVolumeClaim';
const POD = 'Pod';
const CRON_JOB = 'CronJob';
const STATEFUL_SET = 'StatefulSet';

/** Kinds that have claims, or pods with claims. */
const KINDS: readonly string[] = [CLAIM, POD, CRON_JOB, STATEFUL_SET, 'Deployment', 'DaemonSet', 'ReplicaSet', 'Job'];

/** A claim in a manifest, and its path. */
interface PlacedClaim {
  readonly path: string;
  readonly spec: ClaimSpec;
}

interface Template<T> {
  readonly spec?: T;
}

interface PodSpec {
  readonly volumes?: readonly { readonly ephemeral?: { readonly volumeClaimTemplate?: Template<ClaimSpec> } }[];
}

/** The checked fields of these kinds. */
interface Spec extends ClaimSpec, PodSpec {
  readonly template?: Template<PodSpec>;
  readonly jobTemplate?: Template<{ readonly template?: Template<PodSpec> }>;
  readonly volumeClaimTemplates?: readonly Template<ClaimSpec>[];
}

/**
 * Checks the claims of manifests against the known storage classes of the cluster: claims, claim templates of StatefulSets, and ephemeral
 * volumes of pods.
 *
 * @param property the delivery of the manifests
 * @param objects the manifests
 * @param classes the storage classes
 */
export function checkClaims(property: string, objects: readonly ApiObject[], classes: readonly VolumeClass[]): Problem[] {
  return objects.filter(({ kind }) => KINDS.includes(kind)).flatMap((object) => {
    const name = [object.metadata.namespace, object.metadata.name].filter(Boolean).join('/');
    return claimsOf(object.kind, specOf(object)).flatMap(({ path, spec }) => checkClaim(`${property}["${object.kind} ${name}"].${path}`, spec, classes));
  });
}

function claimsOf(kind: string, spec: Spec): PlacedClaim[] {
  if (kind === CLAIM) return [{ path: 'spec', spec }];
  const { path, pod = {} } = podOf(kind, spec);
  return [
    ...(spec.volumeClaimTemplates ?? []).map((template, index) => ({ path: `spec.volumeClaimTemplates[${index}].spec`, spec: template.spec ?? {} })),
    ...(pod.volumes ?? []).flatMap(({ ephemeral }, index) => {
      const claim = ephemeral?.volumeClaimTemplate?.spec;
      return claim ? [{ path: `${path}.volumes[${index}].ephemeral.volumeClaimTemplate.spec`, spec: claim }] : [];
    }),
  ];
}

function podOf(kind: string, spec: Spec): { readonly path: string; readonly pod?: PodSpec } {
  if (kind === POD) return { path: 'spec', pod: spec };
  if (kind === CRON_JOB) return { path: 'spec.jobTemplate.spec.template.spec', pod: spec.jobTemplate?.spec?.template?.spec };
  return { path: 'spec.template.spec', pod: spec.template?.spec };
}

/** The spec of the written object; empty if it cannot be written, which the delivery reports. */
function specOf(object: ApiObject): Spec {
  try {
    return (writtenManifest(object).spec ?? {}) as Spec;
  } catch {
    return {};
  }
}
