import { ManifestObject } from '../../../objects/manifest-object';
import { changeWords } from '../../../rules/changes/kept-fields';
import { othersStay } from '../../../rules/changes/kept-objects';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, documents } from '../../../rules/example-text';
import { holdsState } from '../../../rules/stateful-kinds';
import { fieldAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { APPLICATION, APPLICATION_SET, ApplicationSource, applicationSpec, keepsRemoved, objectSources, OWN_NAME, OWN_SERVER } from '../deliveries';

const APPLICATION_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme-addons, namespace: argocd}
spec:
  destination: {name: acme, namespace: default}
  project: default
  source:
    repoURL: https://git.example.com/fleet.git
    path: tenants/acme
    targetRevision: main
  syncPolicy:
    automated: {prune: true}
`;

const DESTINATION: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-DESTINATION',
  title: 'The destination of an Application must not change: what it has installed stays behind in the former cluster, or is pruned in the former namespace.',
  source: 'argoproj/argo-cd controller/state.go (CompareAppState), issue 9172; docs/user-guide/sync-options.md',
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  example: changedText(APPLICATION_TEXT, { 'name: acme, namespace': 'name: beta, namespace' }, { 'targetRevision: main': 'targetRevision: v1' }),
  check: ({ before, after }) => {
    if (!before || !after) return [];
    const spec = applicationSpec(after);
    const [old, now] = [before, after].map((object) => fieldAt(object, ...spec, 'destination'));
    const [former, later] = [old, now].map(clusterOf);
    const path = [...spec, 'destination'];
    const findings: Finding[] = [];
    if (former !== later) {
      findings.push({
        path,
        message: `Argo CD installs everything in ${later}, over what runs there; what it installed in ${former} stays, and nothing updates or deletes it`,
        fix: 'keep it; to move the Application, remove it with its finalizer in a commit before, so that Argo CD deletes what it installed',
      });
    }
    const [was, is] = [old, now].map((destination) => stringAt(destination, 'namespace'));
    if (was !== is) {
      findings.push({
        path: [...path, 'namespace'],
        message: `${changeWords(was, is)}: Argo CD creates objects that name no namespace a second time, and ${prunes(after) ? 'deletes the first, with their volumes' : 'leaves the first behind'}`,
        fix: 'keep it, and make another Application for another namespace',
      });
    }
    return findings;
  },
};

const SOURCE: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-SOURCE',
  title: 'Repository, folder and chart of an Application that prunes should change only if the new ones have the same objects: Argo CD deletes those that they do not have, Clusters included.',
  source: 'argoproj/argo-cd docs/user-guide/auto_sync.md (automatic pruning), util/git/git.go (SameURL), v3.5.1',
  kinds: [APPLICATION, APPLICATION_SET],
  warning: true,
  example: changedText(APPLICATION_TEXT, { 'path: tenants/acme': 'path: tenants/beta' }, { 'targetRevision: main': 'targetRevision: v1' }),
  check: ({ before, after }) => {
    if (!before || !after || !prunes(after)) return [];
    const [old, now] = [before, after].map((object) => objectSources(object));
    const [former, later] = [old, now].map((sources) => sources.map((source) => placeOf(source)));
    const isNew = (index: number) => index < later.length && !former.some((place) => samePlace(place, later[index]));
    return old.flatMap((source, index) => {
      if (later.some((place) => samePlace(former[index], place))) return [];
      const fix = 'compare what the two have, or set prune: false until the change is synced';
      // A source that stands in the place of another one is compared with it.
      if (isNew(index)) {
        return PLACE_FIELDS.filter((field) => former[index][field] !== later[index][field]).map((field) => ({
          path: [...now[index].path, field], message: `${changeWords(former[index][field], later[index][field])}: Argo CD deletes what it does not find there`, fix,
        }));
      }
      return [{
        path: source.path.slice(0, applicationSpec(after).length + 1), message: `${placeWords(former[index])} is no longer a source: Argo CD deletes what it does not find in the others`, fix,
      }];
    });
  },
};

const OWN_TEXT = APPLICATION_TEXT.replace('{name: acme, namespace: default}', `{server: "${OWN_SERVER}"}`)
  .replace('namespace: argocd}', 'namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}');
const CLUSTER_TEXT = clusterYaml(CLUSTER_PARTS);

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-REMOVED',
  title: 'An Application of clusters, machines or volumes must lose its finalizer before it goes, if what it installed is to stay: Argo CD deletes that with it.',
  source: 'argoproj/argo-cd docs/user-guide/app_deletion.md, v3.5.1',
  kinds: [APPLICATION],
  trap: true,
  example: {
    before: documents(OWN_TEXT, CLUSTER_TEXT),
    failing: CLUSTER_TEXT,
    corrected: documents(OWN_TEXT.replace(', finalizers: [resources-finalizer.argocd.argoproj.io]', ''), CLUSTER_TEXT),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after || keepsRemoved(before, undefined) || clusterOf(fieldAt(before, 'spec', 'destination')) !== OWN_CLUSTER) return [];
    if (!holdsState(old) || !othersStay(old, now, APPLICATION) || old.all(APPLICATION_SET).length > 0) return [];
    const places = objectSources(before).map((source) => placeOf(source));
    const isTaken = now.all(APPLICATION).flatMap(objectSources).some((source) => places.some((place) => samePlace(place, placeOf(source))));
    const folder = places.find(({ path }) => path !== undefined)?.path;
    return folder === undefined || isTaken ? [] : [{
      path: [],
      message: `it is gone, and the manifests of ${JSON.stringify(folder)} are not: Argo CD deletes what it has installed, Clusters and their machines included`,
      fix: 'put it back without the finalizer, and take it out once that is applied; or remove the manifests with it',
    }];
  },
};

/** Effects of an Application with another destination, or none. */
export const APPLICATION_CHANGES: readonly TransitionRule[] = [DESTINATION, SOURCE, REMOVED];

const OWN_CLUSTER = 'the cluster that Argo CD runs in';

/** The cluster of a destination; its own one has a name and an address. */
function clusterOf(destination: unknown): string {
  const [name, server] = ['name', 'server'].map((field) => stringAt(destination, field));
  if (name === OWN_NAME || server === OWN_SERVER) return OWN_CLUSTER;
  return name === undefined && server === undefined ? 'no cluster' : `the cluster ${JSON.stringify(name ?? server)}`;
}

function prunes(object: ManifestObject): boolean {
  const automated = fieldAt(object, ...applicationSpec(object), 'syncPolicy', 'automated');
  return fieldAt(automated, 'prune') === true && fieldAt(automated, 'enabled') !== false;
}

const PLACE_FIELDS = ['repoURL', 'path', 'chart'] as const;

/** The place from which a source gets its objects, in one spelling. */
type Place = Readonly<Partial<Record<typeof PLACE_FIELDS[number], string>>>;

function placeOf({ source }: ApplicationSource): Place {
  const chart = stringAt(source, 'chart');
  // A chart of the same name from another repository is most likely a mirror.
  if (chart !== undefined) return { chart: plainTemplate(chart) };
  return { repoURL: plainTemplate(plainRepository(stringAt(source, 'repoURL') ?? '')), path: plainTemplate(plainFolder(stringAt(source, 'path') ?? '')) };
}

function samePlace(one: Place, other: Place): boolean {
  return PLACE_FIELDS.every((field) => one[field] === other[field]);
}

function placeWords({ repoURL, path, chart }: Place): string {
  return chart === undefined ? `the folder ${JSON.stringify(path)} of ${JSON.stringify(repoURL)}` : `the chart ${JSON.stringify(chart)}`;
}

/** An address without scheme, credentials and ending: Git serves the same by https and by ssh. */
function plainRepository(address: string): string {
  return address.trim().toLowerCase().replace(/^[a-z+]+:\/\//, '').replace(/^[^/@]*@/, '').replace(/^([^/:]+):(?!\d+\/)/, '$1/').replace(/\/+$/, '').replace(/\.git$/, '');
}

function plainFolder(path: string): string {
  return path.replace(/^(\.?\/)+|(?<!\/)\/+$/g, '').replace(/^\.$/, '');
}

/** Placeholders in the spelling of Go templates and in the older one: `{{.path.basename}}` and `{{path.basename}}`. */
function plainTemplate(text: string): string {
  return text.replace(/\{\{\s*\.?(?:path\.)?([\w.-]+)\s*\}\}/g, '{{$1}}');
}
