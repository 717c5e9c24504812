import { FLUX_ALERTS, FLUX_METRICS } from './alerts';
import { FLUX_ANNOTATIONS } from './annotations';
import {
  BUCKET, DELIVERIES, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY,
  valuesElsewhere,
} from './deliveries';
import { DELIVERY_EFFECTS } from './delivery-effects';
import { deliveryLoad } from './delivery-load';
import { PAGE_PARTS } from './page-parts';
import { releaseChart } from './release-chart';
import { ALERT_SOURCES } from './rules/alert-sources';
import { DELIVERY_CHANGES } from './rules/delivery-changes';
import { FLUX_MODES } from './rules/flux-modes';
import { HELM_RELEASES } from './rules/helm-releases';
import { IMAGE_AUTOMATIONS } from './rules/image-automations';
import { KUSTOMIZATIONS } from './rules/kustomizations';
import { MISSING_DELIVERIES } from './rules/missing-deliveries';
import { RELEASE_VALUES } from './rules/release-values';
import { SOURCES } from './rules/sources';
import { TAG_FILTERS } from './rules/tag-filters';
import { VALUES_SOURCES } from './rules/values-sources';
import { ManifestObject } from '../../objects/manifest-object';
import { ChartAddress, ImageFacts, ImageField, splitOci } from '../../rules/image-facts';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { sameFields } from '../../rules/stored-form';
import { matchingPaths, stringAt } from '../../values/fields';

/** Images and charts that Flux delivers. */
const IMAGES: Readonly<Record<string, ImageFacts>> = {
  [HELM_RELEASE]: {
    // fluxcd/helm-controller api/v2/helmrelease_types.go
    fields: (object) => kustomizeFields(object, 'spec/postRenderers/*/kustomize/images/*'),
    charts: releaseChart,
    chartValues: ['spec/values'],
  },
  // fluxcd/kustomize-controller api/v1/kustomization_types.go
  [KUSTOMIZATION]: { fields: (object) => kustomizeFields(object, 'spec/images/*') },
  [HELM_REPOSITORY]: {
    isChartSource: true,
    chartAddresses: (object) => {
      const repository = stringAt(object, 'spec', 'url');
      return repository === undefined ? [] : [{ path: ['spec', 'url'], repository, type: ['spec', 'type'] }];
    },
  },
  [OCI_REPOSITORY]: { isChartSource: true, chartAddresses: artifactAddress },
  [GIT_REPOSITORY]: { isChartSource: true },
};

/** Of an entry with `newTag` or `digest` alone, the image keeps the name that it has. */
function kustomizeFields(object: ManifestObject, pattern: string): ImageField[] {
  return matchingPaths(object, pattern).map((entry) => ({
    name: [...entry, 'newName'], tag: [...entry, 'newTag'], digest: [...entry, 'digest'], usual: stringAt(object, ...entry, 'name'),
  }));
}

/** The chart of an OCIRepository. Other artifacts are manifests. */
function artifactAddress(object: ManifestObject): ChartAddress[] {
  if (!stringAt(object, 'spec', 'layerSelector', 'mediaType')?.startsWith('application/vnd.cncf.helm.')) return [];
  const [repository, chart] = splitOci(stringAt(object, 'spec', 'url') ?? '');
  return chart === undefined ? [] : [{ path: ['spec', 'url'], repository, chart }];
}

/** Versions of kinds, the one that is stored first. */
const OLDER_VERSIONS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  [BUCKET]: ['v1', 'v1beta1', 'v1beta2'],
  [GIT_REPOSITORY]: ['v1', 'v1beta1', 'v1beta2'],
  [HELM_CHART]: ['v1', 'v1beta1', 'v1beta2'],
  [HELM_RELEASE]: ['v2', 'v2beta1', 'v2beta2'],
  [HELM_REPOSITORY]: ['v1', 'v1beta1', 'v1beta2'],
  [KUSTOMIZATION]: ['v1', 'v1beta1', 'v1beta2'],
  [OCI_REPOSITORY]: ['v1', 'v1beta2'],
};

/** Rules for the objects of Flux. */
export const FLUX_MANIFEST_RULES: readonly ManifestRule[] = [
  ...HELM_RELEASES, ...KUSTOMIZATIONS, ...SOURCES, ...FLUX_MODES, ...IMAGE_AUTOMATIONS, ...ALERT_SOURCES, ...TAG_FILTERS,
];

/** Flux. */
export const FLUX: Provider = {
  name: 'flux',
  title: 'Flux',
  pageParts: PAGE_PARTS,
  annotations: FLUX_ANNOTATIONS,
  managers: [
    {
      name: 'kustomize-controller',
      role: 'delivery',
      title: 'Flux',
      adds: ['kustomize.toolkit.fluxcd.io/'],
      source: 'fluxcd/kustomize-controller main.go (controllerName)',
    },
    {
      name: 'helm-controller',
      role: 'delivery',
      title: 'Flux',
      adds: ['helm.toolkit.fluxcd.io/', 'meta.helm.sh/'],
      source: 'fluxcd/helm-controller main.go (controllerName)',
    },
    { name: 'source-controller', role: 'controller', title: 'Flux', source: 'fluxcd/source-controller main.go (controllerName)' },
  ],
  kinds: [
    { kind: HELM_RELEASE, finalizes: true },
    { kind: KUSTOMIZATION, finalizes: true },
    ...[BUCKET, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_REPOSITORY, OCI_REPOSITORY].map((kind) => ({ kind })),
  ],
  groups: { 'helm.toolkit.fluxcd.io': [], 'kustomize.toolkit.fluxcd.io': [], 'source.toolkit.fluxcd.io': ['Bucket', 'ExternalArtifact', 'HelmChart'] },
  namespaces: { 'flux-system': 'Flux runs there, with its credentials for Git' },
  rules: FLUX_MANIFEST_RULES,
  referenceRules: [...MISSING_DELIVERIES, ...VALUES_SOURCES, ...RELEASE_VALUES],
  changes: [...DELIVERY_CHANGES],
  deliveries: DELIVERIES,
  load: deliveryLoad,
  // Their definitions have no conversion.
  storedForms: Object.fromEntries(Object.entries(OLDER_VERSIONS).map(([kind, versions]) => [kind, sameFields(...versions)])),
  effects: DELIVERY_EFFECTS,
  elsewhere: { [HELM_RELEASE]: valuesElsewhere },
  // Unless Flux is told to impersonate (fluxcd/website content/en/flux/installation/configuration/multitenancy.md).
  powers: { controllers: ['helmreleases.helm.toolkit.fluxcd.io', 'kustomizations.kustomize.toolkit.fluxcd.io'] },
  alerts: FLUX_ALERTS,
  metrics: FLUX_METRICS,
  images: IMAGES,
};
