import { APPLICATION, CASCADE } from './deliveries';
import { pathPattern } from './glob-pattern';
import { OPEN, Parameters, ifRendered, normalized, SetRendering, valueAt } from './set-rendering';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { selects } from '../../rules/label-selectors';
import { RepositoryFiles } from '../../rules/repository-files';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';

/** Fields with which a generator does more than is computed here. */
const MORE: readonly string[] = ['template'];

/** Most Applications of one ApplicationSet. */
const MOST = 10_000;

/** Most generators and elements of one ApplicationSet that are computed: a generator in another one is computed for each element of that. */
const MOST_COMPUTED = 50_000;

/**
 * The Applications that Argo CD makes of an ApplicationSet whose elements stand in it, or are folders and files of its repository.
 *
 * Sources: argoproj/argo-cd applicationset/generators (list.go, git.go, matrix.go, merge.go, generator_spec_processor.go, value_interpolation.go),
 * applicationset/controllers/template/{template,patch}.go, docs/operator-manual/applicationset/Application-Deletion.md, v3.6.1.
 *
 * @param set the ApplicationSet
 * @param files files of the repository
 * @returns undefined if elements come from somewhere else, or the templates do more than is computed here
 */
export function madeApplications(set: ManifestObject, files?: RepositoryFiles): ManifestObject[] | undefined {
  const [template, patch] = [fieldAt(set, 'spec', 'template'), fieldAt(set, 'spec', 'templatePatch')];
  if (!isFields(template)) return undefined;
  const rendering = new SetRendering(set);
  const around: Generating = { files, rendering, computed: 0 };
  return ifRendered(() => {
    const elements = allOrNone(listAt(set, 'spec', 'generators').map((generator) => (
      isFields(generator) ? elementsOf(generator, around) : undefined)));
    const made = elements && allOrNone(elements.flat().map((element) => {
      const application = applicationOf(rendering.filled(template, element) as Fields, set);
      const patched = patch === undefined ? application : patchedBy(rendering.text(String(patch), element), application);
      return patched && [patched];
    }));
    return !made || (!rendering.isGo && JSON.stringify(made).includes(OPEN)) ? undefined : made.flat();
  });
}

function applicationOf({ metadata, spec }: Fields, set: ManifestObject): ManifestObject {
  const cascades = fieldAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true;
  const isKept = ['create-only', 'create-update'].includes(stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') ?? '');
  const own = listAt(metadata, 'finalizers');
  const annotations = { ...fieldAt(metadata, 'annotations') as Fields | undefined, ...(isKept && { 'argocd.argoproj.io/sync-options': 'Prune=false' }) };
  return {
    apiVersion: set.apiVersion,
    kind: APPLICATION.slice(APPLICATION.indexOf('/') + 1),
    metadata: {
      ...metadata as Fields,
      namespace: namespaceOf(set),
      finalizers: own.length > 0 ? own : cascades ? [CASCADE] : [],
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec,
  };
}

/** An Application with a strategic merge patch, which adds finalizers, and replaces other lists; undefined if it has instructions. */
function patchedBy(text: string, application: ManifestObject): ManifestObject | undefined {
  const [patch] = valuesIn(text);
  if (patch === undefined || patch === null) return application;
  if (!isFields(patch) || JSON.stringify(patch).includes('"$')) return undefined;
  const { metadata, spec } = mergedBy(application, patch) as Fields;
  const finalizers = [...new Set([...listAt(application, 'metadata', 'finalizers'), ...listAt(patch, 'metadata', 'finalizers')])];
  return {
    ...application,
    metadata: { ...metadata as Fields, namespace: namespaceOf(application), finalizers },
    spec: { ...spec as Fields, project: fieldAt(application, 'spec', 'project') },
  };
}

function mergedBy(value: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const own = isFields(value) ? value : {};
  const changed = Object.entries(patch).map(([name, more]) => [name, more === null ? undefined : mergedBy(own[name], more)]);
  return Object.fromEntries(Object.entries({ ...own, ...Object.fromEntries(changed) as Fields }).filter(([, one]) => one !== undefined));
}

/** Knowledge with which generators are computed. */
interface Generating {
  readonly files: RepositoryFiles | undefined;
  readonly rendering: SetRendering;

  /** The number of generators and elements that were computed. */
  computed: number;
}

/** The elements of a generator; undefined if they are not known. */
function elementsOf(generator: Fields, around: Generating): readonly Parameters[] | undefined {
  if (++around.computed > MOST_COMPUTED) return undefined;
  const { selector, ...kinds } = generator;
  const [[kind, settings] = [undefined, undefined], ...others] = Object.entries(kinds);
  if (kind === undefined || others.length > 0 || !isFields(settings) || MORE.some((field) => isSet(settings, field))) return undefined;
  const found = generated(kind, settings, around)?.map((element) => around.rendering.withValues(element, kind === 'list' ? undefined : settings.values));
  if (!found || found.length > MOST) return undefined;
  around.computed += found.length;
  return selector === undefined ? found : found.filter((element) => selects(selector, labelsOf(element)));
}

function generated(kind: string, settings: Fields, around: Generating): readonly Parameters[] | undefined {
  const { files, rendering } = around;
  if (kind === 'list') return listed(settings);
  // Values of another generator that are not known may be in it.
  const { values: _, ...own } = settings;
  if (kind === 'git') return files && !JSON.stringify(own).includes(OPEN) ? gitElements(settings, files, rendering.isGo) : undefined;
  const generators = listAt(settings, 'generators').filter(isFields);
  if (kind === 'matrix') return generators.length === 2 ? matrix(generators, around) : undefined;
  const nested = kind === 'merge' ? allOrNone(generators.map((generator) => elementsOf(generator, around))) : undefined;
  if (!nested || nested.length < 2) return undefined;
  const keys = listAt(settings, 'mergeKeys').map(String);
  const keyOf = (element: Parameters) => JSON.stringify(keys.map((key) => valueAt(element, key)));
  return nested.slice(1).reduce((all, more) => {
    const byKey = new Map(more.map((element) => [keyOf(element), element]));
    return all.map((element) => combined(element, byKey.get(keyOf(element)) ?? {}, rendering));
  }, nested[0]);
}

/** The elements of a list, and those in its text. */
function listed(settings: Fields): readonly Parameters[] | undefined {
  const text = stringAt(settings, 'elementsYaml') ?? '';
  const more = text === '' ? [] : valuesIn(text)[0];
  return Array.isArray(more) ? [...listAt(settings, 'elements'), ...more as unknown[]].filter(isFields) : undefined;
}

/** Each element of the first generator with each of those that the second one then has. */
function matrix([first, second]: readonly Fields[], around: Generating): readonly Parameters[] | undefined {
  const found: Parameters[] = [];
  for (const one of elementsOf(first, around) ?? [undefined]) {
    const others = one && elementsOf(around.rendering.filledGenerator(second, one), around);
    if (!others || found.length + others.length > MOST) return undefined;
    found.push(...others.map((other) => combined(other, one, around.rendering)));
  }
  return found;
}

/** Parameters with others over them: with Go templates also below, where empty values count as none. */
function combined(under: Parameters, over: Parameters, rendering: SetRendering): Parameters {
  if (!rendering.isGo) return { ...under, ...over };
  return Object.fromEntries([...new Set([...Object.keys(under), ...Object.keys(over)])].map((name) => {
    const [one, other] = [under[name], over[name]];
    if (isFields(one) && isFields(other)) return [name, combined(one, other, rendering)];
    const isEmpty = other === undefined || other === null || other === '' || other === 0 || other === false || (Array.isArray(other) && other.length === 0);
    return [name, isEmpty && one !== undefined ? one : other];
  }));
}

/** Folders that match, or the documents of files that match; undefined if there is none, so that the repository may be another one. */
function gitElements(settings: Fields, files: RepositoryFiles, isGoTemplate: boolean): readonly Parameters[] | undefined {
  // A repository that was read as a whole has the folders by their paths, unless the work tree is known to begin above.
  return [...files.places, ''].reduce<readonly Parameters[] | undefined>((found, place) => found ?? elementsBelow(place, settings, files, isGoTemplate), undefined);
}

/** Folders or documents of files that match, if what was read has a path in the repository. */
function elementsBelow(
  place: string, settings: Fields, { folders, others, contentOf }: RepositoryFiles, isGoTemplate: boolean,
): readonly Parameters[] | undefined {
  const byFolder = Array.isArray(settings.directories);
  const prefix = stringAt(settings, 'pathParamPrefix');
  const wanted = objectsAt(settings, byFolder ? 'directories' : 'files');
  const patterns = wanted.map(([{ path: pattern, exclude }]) => ({ matches: pathPattern(String(pattern), !byFolder), isExcluded: exclude === true }));
  if (patterns.length === 0 || patterns.some(({ matches }) => matches === undefined)) return undefined;
  const isMeant = (path: string) => patterns.some(({ matches, isExcluded }) => !isExcluded && matches!(path))
    && !patterns.some(({ matches, isExcluded }) => isExcluded && matches!(path));
  const start = place === '' ? '' : `${place}/`;
  const all = [...byFolder && place !== '' ? [place] : [], ...[...byFolder ? folders : others].map((path) => `${start}${path}`)];
  const found = all.filter((path) => patterns.some(({ matches }) => matches!(path)));
  if (found.length === 0) return undefined;
  return found.filter(isMeant).sort().flatMap((path) => {
    if (byFolder) return path.split('/').some((name) => name.startsWith('.')) ? [] : [pathParameters(path, { isGoTemplate, prefix })];
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    const filename = path.slice(path.lastIndexOf('/') + 1);
    return contentOf(path.slice(start.length)).flatMap((document) => (Array.isArray(document) ? document as unknown[] : [document])).filter(isFields)
      .map((document) => ({ ...isGoTemplate ? document : flattened(document), ...pathParameters(folder, { isGoTemplate, prefix, filename }) }));
  });
}

function pathParameters(
  folder: string, { isGoTemplate, prefix, filename }: { readonly isGoTemplate: boolean; readonly prefix?: string; readonly filename?: string },
): Parameters {
  const segments = folder.split('/');
  const basename = segments.at(-1)!;
  const parts = {
    basename, basenameNormalized: normalized(basename), ...filename !== undefined && { filename, filenameNormalized: normalized(filename) },
  };
  if (isGoTemplate) {
    const path = { path: folder, segments, ...parts };
    return prefix ? { [prefix]: { path } } : { path };
  }
  const start = prefix ? `${prefix}.path` : 'path';
  const named = Object.entries(parts).map(([name, value]) => [`${start}.${name}`, value]);
  return { [start]: folder, ...Object.fromEntries(named), ...Object.fromEntries(segments.map((segment, index) => [`${start}[${index}]`, segment])) };
}

/** All of a list of lists; undefined if one of them is not known. */
function allOrNone<T>(lists: readonly (readonly T[] | undefined)[]): (readonly T[])[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known : undefined;
}

/** Names and values of a document that is not nested. */
function flattened(document: Fields, start = ''): Fields {
  return Object.fromEntries(Object.entries(document).flatMap(([name, value]): (readonly [string, unknown])[] => (
    isFields(value) ? Object.entries(flattened(value, `${start}${name}.`)) : [[`${start}${name}`, value]])));
}

function labelsOf(element: Parameters): Fields {
  return Object.fromEntries(Object.entries(flattened(element)).map(([name, value]) => [name, String(value)]));
}
