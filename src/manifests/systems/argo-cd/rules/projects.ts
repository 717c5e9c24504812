import { groupOf, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { documents, edited, replaced } from '../../../rules/example-text';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { secretTexts } from '../../../rules/secret-texts';
import { isClusterScoped } from '../../../rules/structure/kind-scope';
import { fieldAt, FieldPath, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { APPLICATION, APPLICATION_SET, applicationSpec } from '../deliveries';
import { DEFAULT_PROJECT, destinationOf, permitsClusterKind, permitsDestination, permitsNamespace, permitsNamespacedKind, permitsSource } from '../projects';
import { APP_PROJECT } from '../sync-windows';

const TYPES = 'argoproj/argo-cd pkg/apis/application/v1alpha1/app_project_types.go';
const VERSION = 'util/argo/argo.go (ValidatePermissions), v3.5.1';

const PROJECT_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: tenants, namespace: argocd}
spec:
  sourceRepos: ["https://git.example.com/*"]
  destinations:
    - {server: "https://kubernetes.default.svc", namespace: "tenant-*"}
  clusterResourceWhitelist:
    - {group: "", kind: Namespace}
`;

const APPLICATION_TEXT = documents(PROJECT_TEXT, `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd}
spec:
  destination: {server: "https://kubernetes.default.svc", namespace: tenant-acme}
  project: tenants
  source:
    repoURL: https://git.example.com/fleet.git
    path: tenants/acme
    targetRevision: main
  syncPolicy:
    syncOptions: [CreateNamespace=true]
`);

/** Stands for a value that a generator of an ApplicationSet fills in. */
const TEMPLATE = '{{';

const SOURCE: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-PROJECT-SOURCE',
  title: 'The repositories of an Application must be permitted by its AppProject: it syncs nothing otherwise.',
  source: `${TYPES} (IsSourcePermitted), util/git/git.go (NormalizeGitURL), ${VERSION}`,
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  example: replaced(APPLICATION_TEXT, 'https://git.example.com/fleet.git', 'https://other.example.com/fleet.git'),
  check: (object, index) => {
    const project = projectOf(object, index);
    const permitted = stringsAt(project, 'spec', 'sourceRepos').map(([pattern]) => pattern);
    if (!project || permitted.length === 0 || isExtended(project, index)) return [];
    return repositoriesOf(object).flatMap(({ repository, path }): Finding[] => (
      repository.includes(TEMPLATE) || permitsSource(project, repository) !== false ? [] : [{
        path,
        message: `the AppProject "${nameOf(project)!}" does not permit this repository`,
        accepted: permitted.join(', '),
        fix: permitted.some((pattern) => /[^*]\*$/.test(pattern) && repository.startsWith(pattern.slice(0, -1)))
          ? 'add it to sourceRepos of the AppProject, where * stands for one part between slashes, and ** for several'
          : 'add it to sourceRepos of the AppProject, or name one of these',
      }]));
  },
};

const DESTINATION: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-PROJECT-DESTINATION',
  title: 'The destination of an Application must be permitted by its AppProject: it syncs nothing otherwise.',
  source: `${TYPES} (isDestinationMatched), ${VERSION}`,
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  example: replaced(APPLICATION_TEXT, 'namespace: tenant-acme', 'namespace: acme'),
  check: (object, index) => {
    const project = projectOf(object, index);
    const path = [...applicationSpec(object), 'destination'];
    const given = fieldAt(object, ...path);
    const permitted = objectsAt(project, 'spec', 'destinations').map(([item]) => `${stringAt(item, 'name') ?? stringAt(item, 'server') ?? ''}/${stringAt(item, 'namespace') ?? ''}`);
    if (!project || !isFields(given) || permitted.length === 0 || isExtended(project, index) || JSON.stringify(given).includes(TEMPLATE)) return [];
    return permitsDestination(project, destinationOf(given)) !== false ? [] : [{
      path: isSet(given, 'namespace') ? [...path, 'namespace'] : path,
      message: `the AppProject "${nameOf(project)!}" does not permit this cluster and namespace`,
      accepted: permitted.join(', '),
      fix: 'add them to destinations of the AppProject, or write one of these',
    }];
  },
};

const NAMESPACE: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-PROJECT-NAMESPACE',
  title: 'An Application with CreateNamespace should be of an AppProject that permits Namespaces: it syncs nothing where the namespace is missing.',
  source: `${TYPES} (IsGroupKindNamePermitted), controller/sync.go (validateSyncPermissions), gitops-engine/pkg/sync/sync_context.go (autoCreateNamespace), v3.5.1`,
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  // The namespace may be there.
  warning: true,
  example: {
    failing: edited(APPLICATION_TEXT, { '  clusterResourceWhitelist:\n    - {group: "", kind: Namespace}\n': '' }),
    corrected: APPLICATION_TEXT,
  },
  check: (object, index) => {
    const project = projectOf(object, index);
    const spec = applicationSpec(object);
    const namespace = stringAt(object, ...spec, 'destination', 'namespace') ?? '';
    const at = listAt(object, ...spec, 'syncPolicy', 'syncOptions').indexOf('CreateNamespace=true');
    if (!project || at < 0 || namespace === '' || namespace.includes(TEMPLATE) || index.find('/Namespace', undefined, namespace)) return [];
    return permitsClusterKind(project, '', 'Namespace', namespace) ? [] : [{
      path: [...spec, 'syncPolicy', 'syncOptions', at],
      message: `the AppProject "${nameOf(project)!}" does not permit Namespaces: a sync that creates one fails`,
      fix: 'add {group: "", kind: Namespace} to clusterResourceWhitelist of the AppProject, or make the Namespace elsewhere',
    }];
  },
};

const ELSEWHERE: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-PROJECT-APPLICATIONS',
  title: 'An Application outside of the namespace of Argo CD must be in one that its AppProject lists: Argo CD refuses it otherwise.',
  source: `${TYPES} (IsAppNamespacePermitted), util/glob/list.go (MatchStringInList), docs/operator-manual/app-any-namespace.md, v3.5.1`,
  kinds: [APPLICATION],
  trap: true,
  example: {
    failing: edited(APPLICATION_TEXT, { 'name: acme, namespace: argocd': 'name: acme, namespace: tenant-acme' }),
    corrected: edited(APPLICATION_TEXT, { 'name: acme, namespace: argocd': 'name: acme, namespace: tenant-acme', '  destinations:': '  sourceNamespaces: ["tenant-*"]\n  destinations:' }),
  },
  check: (object, index) => {
    const project = projectOf(object, index);
    const [own, namespace] = [namespaceOf(object), project && namespaceOf(project)];
    if (!project || own === undefined || namespace === undefined || own === namespace || permitsNamespace(project, own) !== false) return [];
    return [{
      path: ['metadata', 'namespace'],
      message: `the AppProject "${nameOf(project)!}" does not permit Applications in this namespace`,
      accepted: [namespace, ...stringsAt(project, 'spec', 'sourceNamespaces').map(([pattern]) => pattern)].join(', '),
      fix: 'add it to sourceNamespaces of the AppProject, and to application.namespaces of Argo CD',
    }];
  },
};

const MISSING: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-PROJECT-MISSING',
  title: 'The AppProject of an Application should be among the manifests, where others of its namespace are: the Application syncs nothing without it.',
  source: 'argoproj/argo-cd util/argo/argo.go (GetAppProject), v3.5.1',
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  warning: true,
  elsewhere: true,
  toldBy: 'TC-CHANGE-ARGO-CD-PROJECT',
  example: replaced(APPLICATION_TEXT, 'project: tenants', 'project: tenant'),
  check: (object, index) => {
    const path = [...applicationSpec(object), 'project'];
    const name = stringAt(object, ...path) || DEFAULT_PROJECT;
    if (name === DEFAULT_PROJECT || name.includes(TEMPLATE) || PROJECTS.find(index, name).length > 0) return [];
    const names = index.allIn(APP_PROJECT, namespaceOf(object)).map((one) => nameOf(one) ?? '');
    if (names.length === 0) return [];
    const near = nearestName(name, names);
    return [{
      path,
      message: `there is no AppProject "${name}" among the manifests that were read`,
      accepted: [DEFAULT_PROJECT, ...names].join(', '),
      fix: near === undefined ? 'write one of these, or add the AppProject' : `did you mean ${near}?`,
    }];
  },
};

const PROJECTS = new Lookup([APP_PROJECT], (project) => [nameOf(project)]);

/** The project of an Application; undefined if it is not known, or one of several. */
function projectOf(object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const found = PROJECTS.find(index, stringAt(object, ...applicationSpec(object), 'project') || DEFAULT_PROJECT);
  return found.length === 1 && !JSON.stringify(found[0].spec ?? {}).includes(TEMPLATE) ? found[0] : undefined;
}

/** Repositories and clusters of Argo CD, by the project that they belong to. */
const PROJECT_SECRETS = new Lookup(['/Secret'], (secret) => (
  isOfArgoCd(secret) ? [secretTexts(secret).find(([path]) => path.at(-1) === 'project')?.[1]] : [undefined]));

const GLOBAL_PROJECTS = new Lookup(['/ConfigMap'], (one) => [nameOf(one) === 'argocd-cm' && isSet(one, 'data', 'globalProjects') ? 'global' : undefined]);

function isOfArgoCd(secret: ManifestObject): boolean {
  return ['cluster', 'repository', 'repo-creds'].includes(stringAt(secret, 'metadata', 'labels', 'argocd.argoproj.io/secret-type') ?? '');
}

/** True if something that was read permits more to a project: repositories and clusters that are its own, or projects that are global. */
function isExtended(project: ManifestObject, index: ManifestIndex): boolean {
  return GLOBAL_PROJECTS.find(index, 'global').length > 0 || PROJECT_SECRETS.find(index, nameOf(project)).length > 0;
}

/**
 * Reason that an Application syncs nothing: its project does not permit its repositories, its destination, or a kind of one of its objects.
 *
 * Source: argoproj/argo-cd controller/appcontroller.go (refreshAppConditions), controller/sync.go (validateSyncPermissions), v3.6.1.
 */
export function stoppedByProject(application: ManifestObject, index: ManifestIndex, applied: readonly ManifestObject[]): string | undefined {
  const project = projectOf(application, index);
  if (!project) return undefined;
  const name = `AppProject ${nameOf(project) ?? ''}`;
  if ([SOURCE, DESTINATION].some(({ check }) => check(application, index).length > 0)) return `syncs nothing: ${name} permits its sources and destination no longer`;
  const refused = applied.find((object) => {
    const { group, kind } = { group: groupOf(object) ?? '', kind: String(object.kind) };
    const isOfCluster = isClusterScoped(group, kind);
    return isOfCluster === undefined ? false : isOfCluster ? !permitsClusterKind(project, group, kind, nameOf(object) ?? '') : !permitsNamespacedKind(project, group, kind);
  });
  return refused && `syncs nothing: ${name} permits the kind ${String(refused.kind)} no longer`;
}

/** The repositories that an Application reads, and where it names them. */
function repositoriesOf(object: ManifestObject): { repository: string; path: FieldPath }[] {
  const spec = applicationSpec(object);
  const hydrator = [...spec, 'sourceHydrator'];
  const several = listAt(object, ...spec, 'sources').map((_, position) => [...spec, 'sources', position]);
  const places: FieldPath[] = isSet(object, ...hydrator)
    ? [[...hydrator, 'drySource'], [...hydrator, 'syncSource']] : several.length > 0 ? several : [[...spec, 'source']];
  return places.flatMap((place) => {
    const repository = stringAt(object, ...place, 'repoURL');
    return repository === undefined ? [] : [{ repository, path: [...place, 'repoURL'] }];
  });
}

/** Rules for what AppProjects permit. */
export const PROJECT_RULES: readonly ManifestRule[] = [SOURCE, DESTINATION, NAMESPACE, ELSEWHERE, MISSING];
