import { EMPTY_SOURCES } from './empty-sources';
import { IGNORED_FIELDS } from './ignored-fields';
import { SET_TEMPLATES } from './set-templates';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { mayHoldState, statefulKinds, TEMPLATE_SUFFIX } from '../../../rules/stateful-kinds';
import { valuesSecret } from '../../../rules/values-secret';
import { fieldAt, FieldPath, Fields, isFields, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { ALL_SYNC_OPTIONS, OBJECTS_ALONE } from '../annotations';
import { APPLICATION, APPLICATION_SET, applicationSpec, objectSources, isNeverRecreated, objectOptions } from '../deliveries';

/** Charts that hold Grafana, and the key of its values in them. */
const GRAFANA: Readonly<Record<string, readonly string[]>> = { 'grafana': [], 'kube-prometheus-stack': ['grafana'] };

/** Values with which the chart makes no password. */
const OTHER_PASSWORD = [
  ['admin', 'existingSecret'], ['adminPassword'], ['env', 'GF_SECURITY_ADMIN_PASSWORD'], ['env', 'GF_SECURITY_ADMIN_PASSWORD__FILE'],
  ['env', 'GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION'],
];

/** Values of a source that are not in the object, or in another form. */
const OTHER_VALUES = ['fileParameters', 'parameters', 'valueFiles', 'values'];

const MONITORING = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: monitoring, namespace: argocd}
spec:
  destination: {name: acme, namespace: monitoring}
  project: default
  source:
    repoURL: https://prometheus-community.github.io/helm-charts
    chart: kube-prometheus-stack
    targetRevision: 88.5.3
    helm:
      valuesObject:
        grafana:
          admin: {existingSecret: grafana-admin}
`;

const grafanaPassword: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-GRAFANA-PASSWORD',
  title: 'Grafana that an Application installs must take the password of its administrator from a Secret.',
  source: 'grafana-community/helm-charts charts/grafana/templates/_helpers.tpl, charts/grafana/templates/deployment.yaml, grafana-12.11.1 '
    + '(a random password where lookup finds no Secret); argoproj/argo-cd docs/user-guide/helm.md (random data)',
  kinds: [APPLICATION],
  trap: true,
  example: replaced(MONITORING, '          admin: {existingSecret: grafana-admin}\n', '          enabled: true\n'),
  check: (object) => sourcesOf(object).flatMap(checkSource),
};

const secretValue = valuesSecret({
  id: 'TC-TRAP-ARGO-CD-VALUES-SECRET',
  kind: APPLICATION,
  example: replaced(MONITORING, '          admin: {existingSecret: grafana-admin}\n', '          adminPassword: swordfish\n'),
  fix: '',
  valuesOf: (object) => sourcesOf(object).flatMap(({ path, source }) => [
    { path: [...path, 'helm', 'valuesObject'], values: fieldAt(source, 'helm', 'valuesObject') },
    { path: [...path, 'helm', 'values'], text: stringAt(source, 'helm', 'values') },
    ...objectsAt(source, 'helm', 'parameters').map(([parameter, index]) => ({
      path: [...path, 'helm', 'parameters', index], values: { [stringAt(parameter, 'name')?.split('.').at(-1) ?? '']: parameter.value },
    })),
  ]),
});

interface Source {
  readonly path: FieldPath;
  readonly source: Fields;
}

function sourcesOf(object: ManifestObject): Source[] {
  const [one, several] = [fieldAt(object, 'spec', 'source'), fieldAt(object, 'spec', 'sources')];
  return [
    ...(isFields(one) ? [{ path: ['spec', 'source'], source: one }] : []),
    ...(Array.isArray(several) ? several as unknown[] : [])
      .flatMap((source, index) => (isFields(source) ? [{ path: ['spec', 'sources', index], source }] : [])),
  ];
}

function checkSource({ path, source }: Source): Finding[] {
  const chart = stringAt(source, 'chart') ?? '';
  if (!Object.hasOwn(GRAFANA, chart) || OTHER_VALUES.some((key) => fieldAt(source, 'helm', key) !== undefined)) return [];
  const place = ['helm', 'valuesObject', ...GRAFANA[chart]];
  if (chart !== 'grafana' && fieldAt(source, ...place, 'enabled') === false) return [];
  if (OTHER_PASSWORD.some((key) => Boolean(fieldAt(source, ...place, ...key)))) return [];
  return [{
    path: [...path, ...place, 'admin', 'existingSecret'],
    message: 'Grafana gets another administrator\'s password, and is rolled out, whenever Argo CD renders the chart anew',
    fix: 'have a Secret with the keys admin-user and admin-password made in the cluster, and name it here: grafanaAdminSecret of KubePrometheusStack',
  }];
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
/** Annotations that kustomize gives to all objects of a source. */
const COMMON = ['kustomize', 'commonAnnotations', SYNC_OPTIONS];
const DOCS = 'argoproj/argo-cd docs/user-guide/sync-options.md (replace, force), gitops-engine/pkg/sync/sync_context.go (applyObject), v3.6.0';

const REPLACE = 'Replace=true';
const FORCE = 'Force=true';

/** Effect of both options together. A sync applies the objects that are the same, too. */
const RECREATES = 'Argo CD deletes objects and creates them anew in each sync, with the machines, volumes and data that go with them';

/** Effects of the options on their objects. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  [REPLACE]: 'Argo CD replaces whole objects, and deletes those that have Force=true: fields that controllers have filled in are lost, such as the endpoint of a Cluster',
  [FORCE]: 'Argo CD deletes objects whose change the server finds invalid, and creates them anew, with the machines, volumes and data that go with them',
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
      // Of an Application, Argo CD does not read Force.
      ...stringsAt(object, ...path).filter(([option]) => option !== FORCE).map(([option, position]) => ({ option, at: [...path, position] })),
      ...objectSources(object).flatMap(({ path: at, source }) => (
        optionsOf(stringAt(source, ...COMMON)).map((option) => ({ option, at: [...at, ...COMMON] }))
      )),
    ];
    const isForced = places.some(({ option }) => option === FORCE);
    return places.filter(({ option }) => Object.hasOwn(CONSEQUENCES, option) && !(areCharts && option === REPLACE)).map(({ option, at }) => ({
      path: at, message: isForced && places.some((one) => one.option === REPLACE) ? RECREATES : CONSEQUENCES[option], fix: `remove it, and annotate single objects, such as Jobs, with ${SYNC_OPTIONS}: ${option}`,
    }));
  },
};

const EMPTY: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-ALLOW-EMPTY',
  title: 'An Application of clusters, machines or volumes that prunes should not allow an empty source: Argo CD deletes everything if the folder is moved.',
  source: 'argoproj/argo-cd docs/user-guide/auto_sync.md (automatic pruning with allow-empty), v3.5.1',
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  warning: true,
  example: {
    failing: APPLICATION_TEXT.replace('  syncPolicy:\n', '  syncPolicy:\n    automated: {prune: true, allowEmpty: true}\n'),
    corrected: APPLICATION_TEXT.replace('  syncPolicy:\n', '  syncPolicy:\n    automated: {prune: true}\n'),
  },
  check: (object, index) => {
    const path = [...applicationSpec(object), 'syncPolicy', 'automated'];
    const isGiven = ['prune', 'allowEmpty'].every((field) => fieldAt(object, ...path, field) === true) && fieldAt(object, ...path, 'enabled') !== false;
    const areCharts = objectSources(object).every(({ source }) => stringAt(source, 'chart') !== undefined);
    return !isGiven || areCharts || !mayHoldState(index) ? [] : [{
      path: [...path, 'allowEmpty'], message: 'a source without manifests, such as a folder that was renamed, deletes all objects of the Application', fix: 'remove it',
    }];
  },
};

const OPTION: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-SYNC-OPTION',
  title: 'A sync option of an Application must be one that Argo CD knows, in its spelling: it is ignored otherwise.',
  source: 'argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (SyncOptions.HasOption), docs/user-guide/sync-options.md, v3.5.1',
  kinds: [APPLICATION, APPLICATION_SET],
  trap: true,
  example: replaced(APPLICATION_TEXT, 'ServerSideApply=true', 'ServerSideApply=True'),
  check: (object) => {
    const path = [...applicationSpec(object), 'syncPolicy', 'syncOptions'];
    return stringsAt(object, ...path).filter(([option]) => !ALL_SYNC_OPTIONS.includes(option) && !option.includes('{{')).map(([option, position]) => {
      if (OBJECTS_ALONE.includes(option)) {
        return { path: [...path, position], message: `Argo CD reads ${option} of objects alone`, fix: `remove it, and annotate single objects, such as Jobs, with ${SYNC_OPTIONS}: ${option}` };
      }
      const meant = ALL_SYNC_OPTIONS.find((known) => known.toLowerCase() === option.replace(/\s*[:=]\s*/, '=').toLowerCase()) ?? nearestName(option, ALL_SYNC_OPTIONS, 3);
      return {
        path: [...path, position], message: `Argo CD knows no sync option ${JSON.stringify(option)}`, fix: meant === undefined ? 'remove it' : `write ${meant}`,
      };
    });
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
    const options = objectOptions(object);
    const [isReplaced, isForced] = [REPLACE, FORCE].map((option) => options.includes(option));
    // A definition is often too large to be applied in another way. With Replace, Argo CD updates it, and a Namespace.
    const isUpdated = isReplaced && isNeverRecreated(groupKind(object));
    if (isUpdated || !(isReplaced || isForced)) return [];
    return [{
      path: ['metadata', 'annotations', SYNC_OPTIONS],
      message: isReplaced && isForced ? `${FORCE} and ${REPLACE}: ${RECREATES}` : isForced ? `${FORCE}: ${CONSEQUENCES[FORCE]}` : `${REPLACE}: ${CONSEQUENCES[REPLACE]}`,
      fix: `remove ${isForced ? FORCE : REPLACE}`,
    }];
  },
};

function optionsOf(annotation: string | undefined): string[] {
  return (annotation ?? '').split(',').map((option) => option.trim());
}

/** Rules for Applications and ApplicationSets. */
export const ARGO_CD_MANIFEST_RULES: readonly ManifestRule[] = [
  grafanaPassword, secretValue, ALL, OBJECT, EMPTY, OPTION, ...SET_TEMPLATES, ...EMPTY_SOURCES, ...IGNORED_FIELDS,
];
