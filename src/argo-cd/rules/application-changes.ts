import { APPLICATION } from './argo-cd-rules';
import { groupKind } from '../../manifests/manifest-object';
import { changedText } from '../../rules/changes/change-examples';
import { changeWords } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { fieldAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { OWN_NAME, OWN_SERVER } from '../deliveries';

export const APPLICATION_SET = 'argoproj.io/ApplicationSet';

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
    const spec = groupKind(after) === APPLICATION_SET ? ['spec', 'template', 'spec'] : ['spec'];
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
      const prunes = fieldAt(after, ...spec, 'syncPolicy', 'automated', 'prune') === true;
      findings.push({
        path: [...path, 'namespace'],
        message: `${changeWords(was, is)}: Argo CD creates objects that name no namespace a second time, and ${prunes ? 'deletes the first, with their volumes' : 'leaves the first behind'}`,
        fix: 'keep it, and make another Application for another namespace',
      });
    }
    return findings;
  },
};

const SOURCE: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-SOURCE',
  title: 'Folder and chart of an Application that prunes should change only if the new ones have the same objects: Argo CD deletes those that they do not have, Clusters included.',
  source: 'argoproj/argo-cd docs/user-guide/auto_sync.md (automatic pruning)',
  kinds: [APPLICATION],
  warning: true,
  example: changedText(APPLICATION_TEXT, { 'path: tenants/acme': 'path: tenants/beta' }, { 'targetRevision: main': 'targetRevision: v1' }),
  check: ({ before, after }) => {
    if (!before || !after || fieldAt(after, 'spec', 'syncPolicy', 'automated', 'prune') !== true) return [];
    return ['path', 'chart'].flatMap((field) => {
      const [old, now] = [before, after].map((object) => stringAt(object, 'spec', 'source', field)?.replace(/^\.?\/+|(?<!\/)\/+$/g, ''));
      return old === now ? [] : [{
        path: ['spec', 'source', field],
        message: `${changeWords(old, now)}: Argo CD deletes what it does not find there`,
        fix: 'compare what the two have, or set prune: false until the change is synced',
      }];
    });
  },
};

/** Effects of an Application with another destination. */
export const APPLICATION_CHANGES: readonly TransitionRule[] = [DESTINATION, SOURCE];

/** The cluster of a destination; its own one has a name and an address. */
function clusterOf(destination: unknown): string {
  const [name, server] = ['name', 'server'].map((field) => stringAt(destination, field));
  if (name === OWN_NAME || server === OWN_SERVER) return 'the cluster that Argo CD runs in';
  return name === undefined && server === undefined ? 'no cluster' : `the cluster ${JSON.stringify(name ?? server)}`;
}
