import * as path from 'node:path';
import { madeApplications } from './application-sets';
import { OWN_NAME, OWN_SERVER } from './deliveries';
import { ManifestObject } from '../../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { fieldAt, isFields, sameValue, stringAt } from '../../values/fields';

const FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.destination': Effect.REDIRECTED,
  'spec.source': { effect: Effect.RELEASE, word: 'source' },
  'spec.source.helm.valuesObject': { effect: Effect.RELEASE, word: 'values' },
  'spec.source.targetRevision': { effect: Effect.RELEASE, word: 'version' },
  'spec.sources': { effect: Effect.RELEASE, word: 'sources' },
};

/** Of a folder, the manifests in another version are not known, nor those that a tool makes of it. */
const FOLDER_FIELDS: FieldEffects = {
  ...FIELDS,
  'spec.source': { effect: Effect.UNKNOWN, word: 'source' },
  'spec.source.path': { effect: Effect.RELEASE, word: 'source.path' },
  'spec.source.targetRevision': { effect: Effect.UNKNOWN, word: 'version' },
};

/** Fields of a folder whose effects are those of the objects that were built with them. */
const BUILT_FIELDS: FieldEffects = { ...FOLDER_FIELDS, 'spec.source.kustomize': { effect: Effect.RELEASE, word: 'kustomize' } };

/** Fields of a folder whose effects are those of the objects in it, if these were read. */
const READ_FIELDS: FieldEffects = { 'spec.source.path': { effect: Effect.IN_PLACE, word: 'source.path' } };

function withPlainPath(source: unknown): unknown {
  return isFields(source) && typeof source.path === 'string' ? { ...source, path: path.posix.join(source.path, '.') } : source;
}

/** An Application in one of several spellings: its only source in `source`, Argo CD's own cluster by its address. */
function plainly(application: ManifestObject): ManifestObject {
  if (!isFields(application.spec)) return application;
  const { sources, destination, ...spec } = application.spec;
  const source = Array.isArray(sources) && sources.length === 1 ? sources[0] as unknown : spec.source;
  const isOwn = isFields(destination) && destination.name === OWN_NAME && destination.server === undefined;
  return {
    ...application,
    spec: {
      ...spec,
      ...(source !== undefined && { source: withPlainPath(source) }),
      ...(sources !== undefined && source === undefined && { sources }),
      ...(destination !== undefined && { destination: isOwn ? { ...destination, name: undefined, server: OWN_SERVER } : destination }),
    },
  };
}

/**
 * Effects of a change of an Application.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/application.yaml, docs/user-guide/auto_sync.md.
 */
export function applicationEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const [before, after] = [update.before, update.after].map(plainly);
  const [old, now] = [before, after].map(clusterOf);
  const isFolder = [before, after].some((application) => fieldAt(application, 'spec', 'source', 'path') !== undefined);
  const elsewhere = old === now ? [] : [`applied to ${now}; what it applied to ${old} stays there`];
  const isRead = isFolder && sameValue(fieldAt(before, 'spec', 'source', 'repoURL'), fieldAt(after, 'spec', 'source', 'repoURL')) && update.isRead?.(after) === true;
  const folderFields = { ...update.isBuilt ? BUILT_FIELDS : FOLDER_FIELDS, ...isRead && READ_FIELDS };
  const prunes = fieldAt(after, 'spec', 'syncPolicy', 'automated', 'prune') === true;
  const isOtherRevision = !sameValue(fieldAt(before, 'spec', 'source', 'targetRevision'), fieldAt(after, 'spec', 'source', 'targetRevision'));
  const isOther = ['repoURL', 'path'].some((field) => !sameValue(fieldAt(before, 'spec', 'source', field), fieldAt(after, 'spec', 'source', field)));
  return groupEffects([
    ...(elsewhere.length > 0 ? [{ effect: Effect.REDIRECTED, reasons: elsewhere }] : []),
    ...effectsOfFields(isFolder ? folderFields : FIELDS)({ ...update, before, after }),
    ...(isFolder && isOtherRevision ? [{ effect: Effect.UNKNOWN, reasons: [`other content is applied, which is not read${prunes ? ', and what it does not have is deleted' : ''}`] }] : []),
    ...(isOther && prunes && !isRead ? [{ effect: Effect.RELEASE, reasons: ['what the former source alone has is deleted'] }] : []),
  ]);
}

/** Effects of a change of an ApplicationSet: where it makes Applications of values that stand in it, these tell what happens. */
export const applicationSetEffects: EffectsOf = (update) => {
  const isKnown = update.isBuilt || [update.before, update.after].every((set) => madeApplications(set));
  return effectsOfFields({ metadata: Effect.IN_PLACE, spec: isKnown ? Effect.IN_PLACE : Effect.UNKNOWN })(update);
};

function clusterOf(application: ManifestObject): string {
  const [name, server] = ['name', 'server'].map((field) => stringAt(application, 'spec', 'destination', field));
  return name === undefined ? server ?? 'no cluster' : `the cluster ${name}`;
}
