import { ApiObject } from 'cdk8s';
import { checkClaim, ClaimSpec } from './claim-checks';
import { Problem } from '../../../manifests/values/problem';
import { writtenManifest } from '../../app/synth/written-manifest';
import { VolumeClass } from '../../contracts/volume-class';

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
