import { HELM_RELEASE_TEXT } from './examples';
import { namespaceOf } from '../../../objects/manifest-object';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { HELM_RELEASE, HELM_REPOSITORY } from '../deliveries';

const TARGET_TEXT = `${HELM_RELEASE_TEXT}  values:
    ingress: {enabled: true}
  valuesFrom:
    - {kind: Secret, name: acme-values, valuesKey: class, targetPath: ingress.className}
    - {kind: Secret, name: acme-values, valuesKey: host, targetPath: ingress.host}
`;

const target: ManifestRule = {
  id: 'TC-TRAP-FLUX-VALUES-TARGET',
  title: 'The own values of a HelmRelease must not have the path of a reference, where they replace its value: at the top, or after another reference with a path.',
  source: 'fluxcd/pkg chartutil/values.go (ChartValuesFromReferences), chartutil/merge.go (MergeMaps), v1.27.1',
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(TARGET_TEXT, '{enabled: true}', '{enabled: true, host: ""}'),
  check: (object) => objectsAt(object, 'spec', 'valuesFrom').flatMap(([from, position], _, references): Finding[] => {
    const path = stringAt(from, 'targetPath');
    // Elements of lists are set in the own values themselves.
    if (path === undefined || path.includes('[')) return [];
    const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
    // The own values are merged last. Before the first reference with a path the objects in them are shared, not copied, and take its value.
    const isCopied = keys.length === 1 || references.slice(0, position).some(([one]) => isSet(one, 'targetPath') && one.optional !== true);
    return !isCopied || fieldAt(object, 'spec', 'values', ...keys) === undefined ? [] : [{
      path: ['spec', 'valuesFrom', position, 'targetPath'],
      message: `spec.values has ${path}, which replaces what the ${stringAt(from, 'kind') ?? 'source'} "${stringAt(from, 'name') ?? ''}" has for it`,
      fix: `remove ${path} from spec.values`,
    }];
  }),
};

const REPOSITORY_TEXT = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata:
  name: jetstack
  namespace: tenant-acme
spec:
  type: oci
  interval: 10m
  url: oci://registry.example.com/charts
`;

const twice: ManifestRule = {
  id: 'TC-TRAP-FLUX-CHART-ADDRESS',
  title: 'The URL of a HelmRepository of the type oci should not end in the name of the chart, which Flux adds to it.',
  source: 'fluxcd/source-controller internal/helm/repository/oci_chart_repository.go (GetChartVersion), v1.9.1; fluxcd/flux2 issue 3438',
  kinds: [HELM_RELEASE],
  trap: true,
  // A registry may have a chart there.
  warning: true,
  example: replaced(documents(HELM_RELEASE_TEXT, REPOSITORY_TEXT), 'example.com/charts', 'example.com/charts/cert-manager'),
  check: (object, index) => {
    const chart = stringAt(object, 'spec', 'chart', 'spec', 'chart');
    const source = fieldAt(object, 'spec', 'chart', 'spec', 'sourceRef');
    if (chart === undefined || stringAt(source, 'kind') !== 'HelmRepository') return [];
    const repository = index.find(HELM_REPOSITORY, stringAt(source, 'namespace') ?? namespaceOf(object), stringAt(source, 'name'));
    const url = stringAt(repository, 'spec', 'url')?.replace(/\/+$/, '');
    return !url?.startsWith('oci://') || !url.endsWith(`/${chart}`) ? [] : [{
      path: ['spec', 'chart', 'spec', 'chart'],
      message: `the chart is looked for at ${url}/${chart}`,
      fix: `remove /${chart} from the end of the URL of the HelmRepository "${stringAt(source, 'name') ?? ''}"`,
    }];
  },
};

/** Rules over charts and values of HelmReleases. */
export const RELEASE_VALUES: readonly ManifestRule[] = [target, twice];
