import {
  BUCKET, chartOf, GIT_REPOSITORY, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, namedChart, OCI_REPOSITORY, sourceKind,
} from './deliveries';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, objectsAt, sameValue, stringAt } from '../../values/fields';

/** Annotations by which the user tells a controller to act; fluxcd/helm-controller docs/spec/v2/helmreleases.md (forcing a release), v1.6.3. */
const REQUESTS: FieldEffects = {
  'metadata.annotations.reconcile.fluxcd.io/requestedAt': { effect: Effect.IN_PLACE, word: 'compared at once, by the request' },
  'metadata.annotations.reconcile.fluxcd.io/forceAt': { effect: Effect.RELEASE, word: 'forced, by the request' },
};

/** Fields that change how Flux works, and not what it applies. */
export function inPlace(...names: readonly string[]): FieldEffects {
  return {
    ...Object.fromEntries(['metadata', ...names.map((name) => `spec.${name}`)].map((field) => [field, Effect.IN_PLACE])),
    ...REQUESTS,
  };
}

/** Source: fluxcd/source-controller docs/spec/v1, v1.9.1. */
const SOURCE: FieldEffects = {
  ...inPlace(
    'accessFrom', 'certSecretRef', 'insecure', 'interval', 'passCredentials', 'provider', 'proxySecretRef', 'secretRef', 'serviceAccountName', 'suspend',
    'timeout', 'type', 'verify',
  ),
  'spec.ignore': { effect: Effect.RELEASE, word: 'ignored files' },
  'spec.include': { effect: Effect.RELEASE, word: 'included sources' },
  'spec.layerSelector': { effect: Effect.RELEASE, word: 'layer' },
  'spec.recurseSubmodules': { effect: Effect.RELEASE, word: 'submodules' },
  'spec.ref': { effect: Effect.RELEASE, word: 'version' },
  'spec.sparseCheckout': { effect: Effect.RELEASE, word: 'folders' },
  'spec.url': { effect: Effect.RELEASE, word: 'source' },
};

/** Effects of fields of sources, by kind. */
const FIELDS: Readonly<Record<string, FieldEffects>> = {
  [BUCKET]: {
    ...SOURCE,
    'spec.bucketName': { effect: Effect.RELEASE, word: 'bucket' },
    'spec.endpoint': { effect: Effect.RELEASE, word: 'endpoint' },
    'spec.prefix': { effect: Effect.RELEASE, word: 'prefix' },
  },
  [GIT_REPOSITORY]: SOURCE,
  [HELM_REPOSITORY]: SOURCE,
  [OCI_REPOSITORY]: SOURCE,
};

/** Effects of a changed source of charts and manifests. */
export const SOURCE_EFFECTS: Readonly<Record<string, EffectsOf>> = {
  ...Object.fromEntries([BUCKET, GIT_REPOSITORY, OCI_REPOSITORY].map((kind) => [kind, sourceEffects(kind)])),
  [HELM_REPOSITORY]: repositoryEffects,
};

/** Most readers that are named. */
const MOST_NAMED = 5;

/** Objects that take their content from a source. */
interface Readers {
  /** Kustomizations, which apply a folder of it. */
  readonly folders: readonly ManifestObject[];

  /** Releases whose chart is in a folder of it. */
  readonly charts: readonly ManifestObject[];

  /** Releases whose chart is the source itself. */
  readonly artifacts: readonly ManifestObject[];
}

/**
 * Effects on a source with another revision or address. Of a Kustomization, the manifests in it are not known; where its folder was read, what is
 * read counts for it only if that revision has it.
 *
 * Sources: fluxcd/source-controller docs/spec/v1/gitrepositories.md (reference, include), v1.9.1; fluxcd/kustomize-controller
 * docs/spec/v1/kustomizations.md (prune), v1.9.4.
 */
function sourceEffects(kind: string): EffectsOf {
  const effects = effectsOfFields(FIELDS[kind]);
  return (update) => groupEffects(effects(update).flatMap((one) => (one.effect === Effect.RELEASE ? readerEffects(one.reasons, update) : [one])));
}

function readerEffects(reasons: readonly string[], { before, after, now, isRead }: ObjectUpdate): readonly ChangeEffect[] {
  const { folders, charts, artifacts } = readersOf(after, now);
  const revision = revisionWords(before, after);
  const prunes = folders.some((folder) => fieldAt(folder, 'spec', 'prune') === true);
  const ofRead = folders.filter((folder) => isRead?.(folder));
  const unknown = [
    ...folders.length > 0 ? [`${namesOf(folders)} applies ${revision}, which is not read${prunes ? ', and deletes what it does not have' : ''}`] : [],
    ...ofRead.length > 0 ? ['the manifests here are in effect only if it has them'] : [],
    ...charts.length > 0 ? [`${namesOf(charts)} has the chart of ${revision}, which is not read`] : [],
    ...folders.length + charts.length + artifacts.length === 0 ? [`what reads ${revision} of it is not among the manifests`] : [],
  ];
  return [
    ...unknown.length > 0 ? [{ effect: Effect.UNKNOWN, reasons: [...reasons, ...unknown] }] : [],
    ...artifacts.length > 0 ? [{ effect: Effect.RELEASE, reasons: [...unknown.length > 0 ? [] : reasons, `${namesOf(artifacts)} has its chart from it`] }] : [],
  ];
}

/** Objects that read a source, also as part of another one. */
function readersOf(source: ManifestObject, index: ManifestIndex): Readers {
  const sources = [source];
  for (const one of sources) {
    sources.push(...index.all(GIT_REPOSITORY).filter((other) => !sources.includes(other) && objectsAt(other, 'spec', 'include').some(([{ repository }]) => (
      groupKind(one) === GIT_REPOSITORY && stringAt(repository, 'name') === nameOf(one) && namespaceOf(other) === namespaceOf(one)))));
  }
  const reads = (reference: unknown, namespace: string | undefined) => sources.some((one) => sourceKind(reference) === groupKind(one)
    && stringAt(reference, 'name') === nameOf(one) && (stringAt(reference, 'namespace') ?? namespace) === namespaceOf(one));
  const releases = index.all(HELM_RELEASE).filter((release) => sources.some((one) => isSame(chartOf(release, index).source, one)));
  return {
    folders: index.all(KUSTOMIZATION).filter((folder) => reads(fieldAt(folder, 'spec', 'sourceRef'), namespaceOf(folder))),
    charts: releases.filter((release) => chartOf(release, index).spec !== undefined),
    artifacts: releases.filter((release) => chartOf(release, index).spec === undefined),
  };
}

function isSame(one: ManifestObject | undefined, other: ManifestObject): boolean {
  return one !== undefined && groupKind(one) === groupKind(other) && nameOf(one) === nameOf(other) && namespaceOf(one) === namespaceOf(other);
}

/** Revision of a source in words: that of the field of its reference that counts, if it is another one. */
function revisionWords(before: ManifestObject, after: ManifestObject): string {
  const [was, is] = [before, after].map((source) => (
    ['commit', 'digest', 'name', 'semver', 'tag', 'branch'].map((field) => [field, stringAt(source, 'spec', 'ref', field)] as const)
      .find(([, text]) => text !== undefined)));
  const isElsewhere = !sameValue(fieldAt(before, 'spec', 'url'), fieldAt(after, 'spec', 'url'));
  if (isElsewhere) return 'another repository';
  return is === undefined || sameValue(was, is) ? 'other content' : `${is[0] === 'name' ? 'reference' : is[0]} ${is[1]}`;
}

function namesOf(objects: readonly ManifestObject[]): string {
  const names = [...new Set(objects.map((object) => `${String(object.kind)} ${nameOf(object) ?? ''}`))];
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : [];
  return [...names.slice(0, MOST_NAMED), ...more].join(' and ');
}

/**
 * Effects on a Helm repository: a release is upgraded if name or version of its chart is another one; the address alone upgrades none.
 *
 * Source: fluxcd/helm-controller internal/action/verify.go (VerifyRelease), v1.6.3.
 */
function repositoryEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const effects = effectsOfFields(FIELDS[HELM_REPOSITORY])(update);
  const releases = update.now.all(HELM_RELEASE).filter((release) => isSame(chartOf(release, update.now).source, update.after));
  const isPinned = releases.length > 0 && releases.every((release) => EXACT_VERSION.test(namedChart(release, update.now).version ?? ''));
  return effects.map((one) => {
    if (one.effect !== Effect.RELEASE) return one;
    if (isPinned) return { effect: Effect.IN_PLACE, reasons: one.reasons.map((text) => `${text} (a release of the same version is not installed again)`) };
    return releases.length === 0 ? one : { effect: one.effect, reasons: [...one.reasons, `${namesOf(releases)} has its chart from it`] };
  });
}

const EXACT_VERSION = /^v?\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;
