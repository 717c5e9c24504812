import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { valuesSecret } from '../../../rules/values-secret';
import { fieldAt, FieldPath, Fields, isFields, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { APPLICATION } from '../argo-cd-kinds';

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

/** Rules over objects of Argo CD. */
export const ARGO_CD_MANIFEST_RULES: readonly ManifestRule[] = [grafanaPassword, secretValue];

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
