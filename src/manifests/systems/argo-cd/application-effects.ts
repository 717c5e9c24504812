import * as path from 'node:path';
import { madeApplications } from './application-sets';
import { OWN_NAME, OWN_SERVER } from './deliveries';
import { ManifestObject } from '../../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { fieldAt, Fields, isFields, listAt, sameValue, stringAt } from '../../values/fields';

const FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.destination': Effect.REDIRECTED,
  'spec.source': { effect: Effect.RELEASE, word: 'source' },
  'spec.source.helm.valuesObject': { effect: Effect.RELEASE, word: 'values' },
  'spec.source.targetRevision': { effect: Effect.RELEASE, word: 'version' },
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
const READ_FIELDS: FieldEffects = {
  'spec.source.directory': { effect: Effect.IN_PLACE, word: 'source.directory' },
  'spec.source.path': { effect: Effect.IN_PLACE, word: 'source.path' },
};

/** An Application without its sources, in one of several spellings: Argo CD's own cluster by its address. */
function plainly(application: ManifestObject): ManifestObject {
  if (!isFields(application.spec)) return application;
  const { sources: _, source: __, destination, ...spec } = application.spec;
  const isOwn = isFields(destination) && destination.name === OWN_NAME && destination.server === undefined;
  const place = isOwn ? { ...destination, name: undefined, server: OWN_SERVER } : destination;
  return { ...application, spec: { ...spec, ...(place !== undefined && { destination: place }) } };
}

/** The sources of an Application: its only one, or all of them. */
function sourcesOf(application: ManifestObject): readonly Fields[] {
  const several = listAt(application, 'spec', 'sources').filter(isFields);
  const one = fieldAt(application, 'spec', 'source');
  return (several.length > 0 ? several : isFields(one) ? [one] : []).map((source) => (
    typeof source.path === 'string' ? { ...source, path: path.posix.join(source.path, '.') } : source));
}

/** A source before and after: one of them is there at least. */
type SourcePair = readonly [before: Fields | undefined, after: Fields | undefined];

/** Pairs of sources: those with the same folder, chart or name, then those in the same order. */
function pairsOf(before: readonly Fields[], after: readonly Fields[]): readonly SourcePair[] {
  const keyOf = ({ repoURL, path: folder, chart, ref }: Fields) => JSON.stringify([repoURL, folder, chart, ref]);
  const left = [...before];
  const take = (matches: (source: Fields) => boolean) => {
    const at = left.findIndex(matches);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const same = after.map((source) => take((other) => keyOf(other) === keyOf(source)));
  const pairs = after.map((source, index): SourcePair => [same[index] ?? take(() => true), source]);
  return [...pairs, ...left.map((source): SourcePair => [source, undefined])];
}

/**
 * Effects of a change of an Application.
 *
 * Sources: argoproj/argo-cd docs/operator-manual/application.yaml, docs/user-guide/auto_sync.md, docs/user-guide/multiple_sources.md.
 */
export function applicationEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const [before, after] = [update.before, update.after].map(plainly);
  const [old, now] = [before, after].map(clusterOf);
  const elsewhere = old === now ? [] : [`applied to ${now}; what it applied to ${old} stays there`];
  const pairs = pairsOf(sourcesOf(update.before), sourcesOf(update.after));
  return groupEffects([
    ...(elsewhere.length > 0 ? [{ effect: Effect.REDIRECTED, reasons: elsewhere }] : []),
    ...effectsOfFields(FIELDS)({ ...update, before, after }),
    ...pairs.filter(([was, is]) => !sameValue(was, is)).flatMap((pair) => sourceEffects(pair, update, pairs.length > 1)),
  ]);
}

/** Effects of another source, or of a source that is new or gone. */
function sourceEffects([was, is]: SourcePair, update: ObjectUpdate, isOneOfMany: boolean): readonly ChangeEffect[] {
  const { after } = update;
  const prunes = fieldAt(after, 'spec', 'syncPolicy', 'automated', 'prune') === true;
  const isRead = update.isRead?.(after) === true;
  const name = sourceName((is ?? was)!);
  if (!was || !is) {
    const isKnown = isRead && stringAt(is ?? was, 'path') !== undefined;
    if (isKnown) return [{ effect: Effect.IN_PLACE, reasons: [`source ${name} ${is ? 'added' : 'removed'}`] }];
    return [{ effect: is ? Effect.UNKNOWN : Effect.RELEASE, reasons: [is ? `source ${name} added, which is not read` : `source ${name} removed${prunes ? ', and what it alone has is deleted' : ''}`] }];
  }
  const isFolder = [was, is].some((source) => source.path !== undefined);
  const isHere = isFolder && isRead && sameValue(was.repoURL, is.repoURL);
  const fields = !isFolder ? FIELDS : { ...update.isBuilt ? BUILT_FIELDS : FOLDER_FIELDS, ...isHere && READ_FIELDS };
  const isOtherRevision = !sameValue(was.targetRevision, is.targetRevision);
  const isOther = ['repoURL', 'path'].some((field) => !sameValue(was[field], is[field]));
  const [before, one] = [was, is].map((source): ManifestObject => ({ ...after, spec: { source } }));
  const others = isHere ? ', and the manifests here are in effect only if it has them' : '';
  return [
    ...effectsOfFields(fields)({ ...update, before, after: one })
      .map(({ effect, reasons }) => ({ effect, reasons: isOneOfMany ? reasons.map((text) => `${name}: ${text}`) : reasons })),
    ...(isFolder && isOtherRevision ? [{
      effect: Effect.UNKNOWN, reasons: [`other content is applied, which is not read${others}${prunes ? ', and what it does not have is deleted' : ''}`],
    }] : []),
    ...(isOther && prunes && !isHere ? [{ effect: Effect.RELEASE, reasons: ['what the former source alone has is deleted'] }] : []),
  ];
}

/** The folder, the chart, or the name by which others refer to a source. */
function sourceName(source: Fields): string {
  return ['chart', 'path', 'ref', 'repoURL'].map((field) => stringAt(source, field)).find((text) => text !== undefined) ?? 'without address';
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
