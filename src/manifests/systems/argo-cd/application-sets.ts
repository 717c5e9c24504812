import { APPLICATION, CASCADE } from './deliveries';
import { pathPattern } from './glob-pattern';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { selects } from '../../rules/label-selectors';
import { RepositoryFiles } from '../../rules/repository-files';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';

/** Values that a generator fills into the template. */
type Parameters = Readonly<Record<string, unknown>>;

/** Fields with which a generator does more than is computed here. */
const MORE: readonly string[] = ['elementsYaml', 'template', 'values', 'pathParamPrefix'];

/** Most Applications of one ApplicationSet. */
const MOST = 10_000;

const PLACEHOLDER = /\{\{\s*\.?([\w.-]+(?:\[\d+\])?)\s*\}\}/g;

/**
 * The Applications that Argo CD makes of an ApplicationSet whose elements stand in it, or are folders and files of its repository.
 *
 * Sources: argoproj/argo-cd applicationset/generators (list.go, git.go, matrix.go, merge.go, generator_spec_processor.go),
 * docs/operator-manual/applicationset/Application-Deletion.md, v3.6.1.
 *
 * @param set the ApplicationSet
 * @param files files of the repository
 * @returns undefined if elements come from somewhere else, or the template does more than fill in their values
 */
export function madeApplications(set: ManifestObject, files?: RepositoryFiles): ManifestObject[] | undefined {
  const template = fieldAt(set, 'spec', 'template');
  if (!isFields(template) || isSet(set, 'spec', 'templatePatch')) return undefined;
  const elements = allOrNone(listAt(set, 'spec', 'generators').map((generator) => (
    isFields(generator) ? elementsOf(generator, files, fieldAt(set, 'spec', 'goTemplate') === true) : undefined)));
  if (!elements) return undefined;
  const made = elements.flat().map((element) => filledIn(template, element) as Fields);
  if (JSON.stringify(made).includes('{{')) return undefined;
  const cascades = fieldAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') !== true;
  const isKept = ['create-only', 'create-update'].includes(stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') ?? '');
  return made.map(({ metadata, spec }) => ({
    apiVersion: set.apiVersion,
    kind: APPLICATION.slice(APPLICATION.indexOf('/') + 1),
    metadata: {
      ...metadata as Fields,
      namespace: namespaceOf(set),
      finalizers: cascades ? [CASCADE] : [],
      ...(isKept && { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
    },
    spec,
  }));
}

/** The elements of a generator; undefined if they are not known. */
function elementsOf(generator: Fields, files: RepositoryFiles | undefined, isGoTemplate: boolean): readonly Parameters[] | undefined {
  const { selector, ...kinds } = generator;
  const [[kind, settings] = [undefined, undefined], ...others] = Object.entries(kinds);
  if (kind === undefined || others.length > 0 || !isFields(settings) || MORE.some((field) => isSet(settings, field))) return undefined;
  const found = generated(kind, settings, files, isGoTemplate);
  if (!found || found.length > MOST) return undefined;
  return selector === undefined ? found : found.filter((element) => selects(selector, labelsOf(element)));
}

function generated(kind: string, settings: Fields, files: RepositoryFiles | undefined, isGoTemplate: boolean): readonly Parameters[] | undefined {
  if (kind === 'list') return Array.isArray(settings.elements) ? objectsAt(settings, 'elements').map(([element]) => element) : undefined;
  // The elements of a generator that is filled in with those of another one are not known.
  const known = JSON.stringify(settings).includes('{{') ? undefined : files;
  if (kind === 'git') return known && gitElements(settings, known, isGoTemplate);
  if (kind !== 'matrix' && kind !== 'merge') return undefined;
  const nested = allOrNone(listAt(settings, 'generators').map((generator) => (isFields(generator) ? elementsOf(generator, files, isGoTemplate) : undefined)));
  if (!nested || nested.length < 2 || JSON.stringify(settings).includes('{{')) return undefined;
  if (kind === 'matrix' && nested.reduce((count, { length }) => count * length, 1) > MOST) return undefined;
  if (kind === 'matrix') return nested.length === 2 ? nested[0].flatMap((first) => nested[1].map((second) => ({ ...second, ...first }))) : undefined;
  const keys = listAt(settings, 'mergeKeys').map(String);
  const keyOf = (element: Parameters) => JSON.stringify(keys.map((key) => valueAt(element, key)));
  return nested.slice(1).reduce((all, more) => {
    const byKey = new Map(more.map((element) => [keyOf(element), element]));
    return all.map((element) => ({ ...element, ...byKey.get(keyOf(element)) }));
  }, nested[0]);
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
    if (byFolder) return path.split('/').some((name) => name.startsWith('.')) ? [] : [pathParameters(path, isGoTemplate)];
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    const filename = path.slice(path.lastIndexOf('/') + 1);
    return contentOf(path.slice(start.length)).flatMap((document) => (Array.isArray(document) ? document as unknown[] : [document])).filter(isFields)
      .map((document) => ({ ...isGoTemplate ? document : flattened(document), ...pathParameters(folder, isGoTemplate, filename) }));
  });
}

function pathParameters(folder: string, isGoTemplate: boolean, filename?: string): Parameters {
  const segments = folder.split('/');
  const basename = segments.at(-1)!;
  const parts = {
    basename, basenameNormalized: normalized(basename), ...filename !== undefined && { filename, filenameNormalized: normalized(filename) },
  };
  if (isGoTemplate) return { path: { path: folder, segments, ...parts } };
  const named = Object.entries(parts).map(([name, value]) => [`path.${name}`, value]);
  return { path: folder, ...Object.fromEntries(named), ...Object.fromEntries(segments.map((segment, index) => [`path[${index}]`, segment])) };
}

/** Source: argoproj/argo-cd applicationset/utils/utils.go (SanitizeName), v3.6.1. */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[^-a-z0-9.]/g, '-').slice(0, 253).replace(/^[-.]+|[-.]+$/g, '');
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

function valueAt(element: Parameters, path: string): unknown {
  return element[path] ?? fieldAt(element, ...path.split('.'));
}

/** A template with the values of an element. A placeholder without a value stays. */
function filledIn(value: unknown, element: Parameters): unknown {
  if (typeof value === 'string') {
    return value.replace(PLACEHOLDER, (whole, path: string) => {
      const found = valueAt(element, path);
      return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, element));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, element)]));
}
