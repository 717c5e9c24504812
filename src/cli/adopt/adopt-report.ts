import { AdoptedApp } from '../../manifests/adopt/adopted-app';
import { objectId } from '../../manifests/adopt/cluster-parts';
import { InputObjects, leftText } from '../../manifests/adopt/input-objects';
import { byMessage, Place, placeText, remarkText } from '../../manifests/landscape/place';
import { ManifestObject, nameOf, namespaceOf, objectName } from '../../manifests/objects/manifest-object';

/** Outcome of an object of the input: made by a class of its own or one for any kind, taken along, or left. */
export type Outcome = 'typed' | 'manifest' | 'carried' | 'left';

/** An object of the input, and its outcome. */
export interface ReportedObject {
  readonly outcome: Outcome;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly place: Place;

  /** The cluster whose page makes it, as `namespace/name`. */
  readonly cluster?: string;

  /** Number of fields that are patched. */
  readonly patches?: number;

  /** Reason that it is left. */
  readonly reason?: string;
}

/** The outcome of each object of the input. */
export function reportedObjects(input: InputObjects, app: AdoptedApp): ReportedObject[] {
  const places = new Map(input.objects.map(({ object, place }) => [objectId(object), place]));
  const paged = app.pages.flatMap(({ parts, objects }) => objects.map((adopted): ReportedObject => ({
    outcome: adopted.isManifest ? 'manifest' : 'typed',
    ...named(adopted.object),
    place: places.get(objectId(adopted.object))!,
    cluster: `${parts.namespace}/${parts.name}`,
    patches: adopted.patches,
  })));
  const carried = app.carried.flatMap(({ reads }) => reads.map(({ object, place }): ReportedObject => ({ outcome: 'carried', ...named(object), place })));
  const left = app.left.map(({ read: { object, place }, reason }): ReportedObject => ({ outcome: 'left', ...named(object), place, reason }));
  return [...paged, ...carried, ...left];
}

function named(object: ManifestObject): Pick<ReportedObject, 'kind' | 'namespace' | 'name'> {
  const namespace = namespaceOf(object);
  return { kind: String(object.kind), ...(namespace !== undefined && { namespace }), name: nameOf(object) ?? '-' };
}

/** So many lines of one kind are printed. */
const MOST_LINES = 20;

/** The report for people. */
export function reportText(input: InputObjects, app: AdoptedApp, objects: readonly ReportedObject[]): string {
  const count = (outcome: Outcome) => objects.filter((object) => object.outcome === outcome).length;
  const patches = objects.reduce((sum, object) => sum + (object.patches ?? 0), 0);
  const made = count('typed') + count('manifest');
  return [
    `${counted(objects.length, 'object')}: ${made} made by pages (${count('typed')} by a class of their own, ${count('manifest')} as manifests; ${counted(patches, 'patch')}), `
      + `${count('carried')} carried along, ${count('left')} left where they are`,
    ...app.pages.map(({ parts, objects: own, page }) => (
      `  ${parts.namespace}/${parts.name}: ${counted(own.length, 'object')}, ${counted(page.pools.length, 'pool')}, ${counted(own.reduce((sum, one) => sum + one.patches, 0), 'patch')}`)),
    ...lines('No page makes', app.obstacles.map(({ object, reason }) => `${objectName(object)}, which ${reason}`)),
    ...lines('Carried along, as they were:', app.carried.map(({ file, reads }) => `${file}: ${counted(reads.length, 'object')}`)),
    ...lines('Left where they are:', app.left.map(leftText)),
    ...lines('Not read:', byMessage(input.notRead).map(([first, ...others]) => `${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}`)),
    ...lines('Synthesis of the app fails, since these rules cannot be silenced:', app.refused.map(({ text }) => text)),
    ...lines('Rules that the manifests break, silenced in silences.ts:', silencedLines(app)),
  ].map((line) => `${line}\n`).join('');
}

function silencedLines({ silenced }: AdoptedApp): string[] {
  const rules = new Map<string, number>();
  for (const { rule } of silenced) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return [...rules].sort().map(([rule, number]) => `${rule}: ${number}`);
}

function lines(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length - MOST_LINES;
  return ['', title, ...texts.slice(0, MOST_LINES).map((text) => `  ${text}`), ...more > 0 ? [`  and ${more} more; --format json lists all`] : []];
}

export function counted(number: number, word: string): string {
  if (number === 1) return `1 ${word}`;
  return `${number} ${word.endsWith('ch') ? `${word}es` : `${word}s`}`;
}

/** The report for programs. */
export function reportJson(input: InputObjects, app: AdoptedApp, objects: readonly ReportedObject[]): string {
  return `${JSON.stringify({
    objects: objects.map(({ place, ...object }) => ({ ...object, place: placeText(place) })),
    obstacles: app.obstacles.map(({ object, reason }) => ({ ...named(object), reason })),
    notRead: input.notRead.map(remarkText),
    refused: app.refused.map(({ text }) => text),
    silenced: [...new Set(app.silenced.map(({ rule }) => rule))].sort(),
  }, undefined, 2)}\n`;
}
