import { groupKind } from '../../../objects/manifest-object';
import { DEFINITION } from '../../../rules/changes/definition-changes';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { mayHoldState, statefulKinds, TEMPLATE_SUFFIX } from '../../../rules/stateful-kinds';
import { stringAt, stringsAt } from '../../../values/fields';
import { applicationSpec, objectSources } from '../application-sources';
import { APPLICATION, APPLICATION_SET } from '../argo-cd-kinds';

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
/** Annotations that kustomize gives to all objects of a source. */
const COMMON = ['kustomize', 'commonAnnotations', SYNC_OPTIONS];
const DOCS = 'argoproj/argo-cd docs/user-guide/sync-options.md (replace, force)';

/** Effects of the options on their objects. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  'Replace=true': 'Argo CD replaces whole objects, and may create them anew: fields that controllers have filled in are lost, such as the endpoint of a Cluster',
  'Force=true': 'Argo CD deletes objects and creates them anew, with the machines, volumes and data that go with them',
};

const APPLICATION_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd}
spec:
  destination: {server: "https://kubernetes.default.svc"}
  project: default
  source:
    repoURL: https://git.example.com/fleet.git
    path: tenants/acme
    targetRevision: main
  syncPolicy:
    syncOptions: [ServerSideApply=true]
`;

const ALL: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-REPLACE',
  title: 'An Application of clusters, machines or volumes must not have the sync options Replace or Force, which replace or delete them.',
  source: DOCS,
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  example: replaced(APPLICATION_TEXT, 'ServerSideApply=true', 'Replace=true'),
  check: (object, index) => {
    if (!mayHoldState(index)) return [];
    // A chart with large definitions is often replaced, and holds nothing of a cluster.
    const areCharts = objectSources(object).every(({ source }) => stringAt(source, 'chart') !== undefined);
    const path = [...applicationSpec(object), 'syncPolicy', 'syncOptions'];
    const places = [
      ...stringsAt(object, ...path).map(([option, position]) => ({ option, at: [...path, position] })),
      ...objectSources(object).flatMap(({ path: at, source }) => (
        optionsOf(stringAt(source, ...COMMON)).map((option) => ({ option, at: [...at, ...COMMON] }))
      )),
    ];
    return places.filter(({ option }) => Object.hasOwn(CONSEQUENCES, option) && !(areCharts && option === 'Replace=true')).map(({ option, at }) => ({
      path: at, message: CONSEQUENCES[option], fix: `remove it, and annotate single objects, such as Jobs, with ${SYNC_OPTIONS}: ${option}`,
    }));
  },
};

const OBJECT: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-REPLACE-OBJECT',
  title: 'An object of Cluster API or its providers, a volume, a Namespace or a definition must not have the sync options Replace or Force.',
  source: DOCS,
  get kinds() { return statefulKinds(); },
  kindSuffix: TEMPLATE_SUFFIX,
  trap: true,
  example: {
    failing: clusterYaml(CLUSTER_PARTS, `annotations:\n  ${SYNC_OPTIONS}: Force=true,Replace=true`),
    corrected: clusterYaml(CLUSTER_PARTS, `annotations:\n  ${SYNC_OPTIONS}: Prune=confirm`),
  },
  check: (object) => {
    const options = optionsOf(stringAt(object, 'metadata', 'annotations', SYNC_OPTIONS));
    // Definitions are often too large to be applied in another way.
    const harmful = groupKind(object) === DEFINITION ? ['Force=true'] : ['Force=true', 'Replace=true'];
    return harmful.filter((option) => options.includes(option)).slice(0, 1).map((option) => ({
      path: ['metadata', 'annotations', SYNC_OPTIONS], message: `${option}: ${CONSEQUENCES[option]}`, fix: `remove ${option}`,
    }));
  },
};

/** Objects that Argo CD deletes or replaces in order to change them. */
export const REPLACED_OBJECTS: readonly ManifestRule[] = [ALL, OBJECT];

function optionsOf(annotation: string | undefined): string[] {
  return (annotation ?? '').split(',').map((option) => option.trim());
}
