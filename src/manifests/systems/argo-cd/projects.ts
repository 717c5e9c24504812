import { OWN_NAME, OWN_SERVER } from './deliveries';
import { globPattern } from './glob-pattern';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, Fields, isFields, listAt, objectsAt, stringAt, stringsAt } from '../../values/fields';

/** The project that Argo CD makes if there is none, and that permits everything. */
export const DEFAULT_PROJECT = 'default';

/** Begins a pattern for what is refused. */
const DENY = '!';

/** Characters that change when Argo CD reads a repository as a URL, so that their patterns match nothing, or something else. */
const NO_URL = /[^\x21-\x7e]|[{}"<>\\^`|%]/;

const SSH = /^(?:ssh:\/\/)?[^/:]*@[^@]+$/;

/**
 * The form in which Argo CD compares the addresses of repositories; undefined if it is not known.
 *
 * Source: argoproj/argo-cd util/git/git.go (NormalizeGitURL), v3.5.1.
 */
function normalized(address: string): string | undefined {
  let text = address.trim().toLowerCase();
  if (NO_URL.test(text)) return undefined;
  if (SSH.test(text) && !text.startsWith('ssh://')) text = text.replace(':', '/');
  return text.replace(/\.git$/, '').replace(/^ssh:\/\//, '');
}

/** True if a text matches a pattern; undefined if that is not known. A pattern that begins with "!" matches everything else. */
function matches(pattern: string, text: string, separator?: string): boolean | undefined {
  if (pattern === '*') return true;
  if (!pattern.startsWith(DENY)) return globPattern(pattern, separator)?.(text);
  const found = globPattern(pattern.slice(1), separator)?.(text);
  return found === undefined ? undefined : !found;
}

/**
 * True if a project permits a repository; undefined if that is not known.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go (IsSourcePermitted), v3.5.1.
 *
 * @param project the AppProject
 * @param repository the address of the repository
 */
export function permitsSource(project: ManifestObject, repository: string): boolean | undefined {
  const text = normalized(repository);
  let isPermitted = false;
  for (const [pattern] of stringsAt(project, 'spec', 'sourceRepos')) {
    const isDeny = pattern.startsWith(DENY);
    const compared = normalized(isDeny ? pattern.slice(1) : pattern);
    if (text === undefined || compared === undefined) return undefined;
    const found = matches(isDeny ? DENY + compared : compared, text, '/');
    if (found === undefined) return undefined;
    if (!found && isDeny) return false;
    isPermitted ||= found;
  }
  return isPermitted;
}

/** The cluster and the namespace that an Application delivers to. */
export interface Destination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace: string;
}

/** Completes a destination by the other name of Argo CD's own cluster. */
export function destinationOf(value: unknown): Destination {
  const [server, name, namespace = ''] = ['server', 'name', 'namespace'].map((field) => stringAt(value, field) || undefined);
  if (server === OWN_SERVER || name === OWN_NAME) return { server: OWN_SERVER, name: OWN_NAME, namespace };
  return { server, name, namespace };
}

/**
 * True if a project permits a destination; undefined if that is not known, such as where one names the cluster and the other one its address.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go (isDestinationMatched), v3.5.1.
 *
 * @param project the AppProject
 * @param destination the destination
 */
export function permitsDestination(project: ManifestObject, destination: Destination): boolean | undefined {
  let isPermitted = false;
  for (const [item] of objectsAt(project, 'spec', 'destinations')) {
    const [name, server] = (['name', 'server'] as const).map((field) => matchesPart(stringAt(item, field) ?? '', destination[field]));
    const namespace = matches(stringAt(item, 'namespace') ?? '', destination.namespace);
    const isDeny = (field: string) => stringAt(item, field)?.startsWith(DENY) === true;
    if (namespace === undefined) return undefined;
    if (namespace && (name === true || server === true)) isPermitted = true;
    else if (name === undefined || server === undefined) return undefined;
    else if ((!name && isDeny('name')) || (!server && isDeny('server') && namespace) || (!namespace && isDeny('namespace') && server)) return false;
  }
  return isPermitted;
}

/** Matches what is not given, if the pattern is for everything or for nothing. */
function matchesPart(pattern: string, given: string | undefined): boolean | undefined {
  if (given !== undefined) return matches(pattern, given);
  return pattern === '*' ? true : pattern === '' ? false : undefined;
}

/**
 * True if a project permits objects of a kind that is in no namespace.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go (IsGroupKindNamePermitted), types.go (isNamedResourceInList), v3.5.1.
 */
export function permitsClusterKind(project: ManifestObject, group: string, kind: string, name: string): boolean {
  const isIn = (field: string) => listAt(project, 'spec', field).filter(isFields).some((item) => isMeant(item, group, kind, name));
  return isIn('clusterResourceWhitelist') && !isIn('clusterResourceBlacklist');
}

/**
 * True if a project permits objects of a kind that is in a namespace.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go (IsGroupKindNamePermitted), types.go (isResourceInList), v3.6.1.
 */
export function permitsNamespacedKind(project: ManifestObject, group: string, kind: string): boolean {
  const isIn = (field: string) => objectsAt(project, 'spec', field).some(([item]) => isMeant(item, group, kind, ''));
  return (!Array.isArray(fieldAt(project, 'spec', 'namespaceResourceWhitelist')) || isIn('namespaceResourceWhitelist')) && !isIn('namespaceResourceBlacklist');
}

function isMeant(item: Fields, group: string, kind: string, name: string): boolean {
  const fits = (field: string, text: string) => globPattern(stringAt(item, field) ?? '')?.(text) !== false;
  return fits('kind', kind) && fits('group', group) && ((stringAt(item, 'name') ?? '') === '' || fits('name', name));
}

/**
 * True if Applications of a namespace may use a project; undefined if that is not known.
 *
 * Source: argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go (IsAppNamespacePermitted), util/glob/list.go, v3.5.1.
 */
export function permitsNamespace(project: ManifestObject, namespace: string): boolean | undefined {
  const patterns = stringsAt(project, 'spec', 'sourceNamespaces').map(([pattern]) => pattern);
  // Between slashes stands a regular expression of Go.
  if (patterns.some((pattern) => /^\/.*\/$/.test(pattern))) return undefined;
  const found = patterns.map((pattern) => globPattern(pattern)?.(namespace));
  return found.includes(true) ? true : found.includes(undefined) ? undefined : false;
}
