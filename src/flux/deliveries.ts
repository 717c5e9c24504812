import { HELM_CHART, HELM_RELEASE, KUSTOMIZATION } from './rules/flux-kinds';
import { ManifestObject, namespaceOf } from '../manifests/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { ClusterTarget, Delivery, DeliveryFacts, DeliverySources } from '../rules/provider';
import { fieldAt, isFilled, mapsAt, textAt } from '../values/fields';

const SOURCES = 'source.toolkit.fluxcd.io';

/** Names of the Secrets with a kubeconfig that Cluster API and providers of hosted control planes make. */
const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

const COMMON = {
  isForTenant: (object: ManifestObject): boolean => isFilled(object, 'spec', 'kubeConfig'),
  target: (object: ManifestObject): ClusterTarget => ({
    by: 'name', name: KUBECONFIG.exec(textAt(object, 'spec', 'kubeConfig', 'secretRef', 'name') ?? '')?.[1],
  }),
};

/** What delivers with Flux. */
export const DELIVERIES: readonly DeliveryFacts[] = [
  { kind: HELM_RELEASE, installsChart: 'always', ...COMMON, read: readRelease },
  {
    kind: KUSTOMIZATION,
    ...COMMON,
    read: (object) => ({
      path: textAt(object, 'spec', 'path'), targetNamespace: textAt(object, 'spec', 'targetNamespace'), ...orderOf(object),
    }),
    folders: (object) => [textAt(object, 'spec', 'path') ?? ''],
  },
];

function readRelease(object: ManifestObject, index: ManifestIndex): Delivery {
  const inline = fieldAt(object, 'spec', 'chart', 'spec');
  const chart = inline === undefined ? chartOf(fieldAt(object, 'spec', 'chartRef'), namespaceOf(object), index)
    : { chart: textAt(inline, 'chart'), version: textAt(inline, 'version') };
  // fluxcd/helm-controller docs/spec/v2/helmreleases.md: its own namespace is the default.
  return { ...chart, targetNamespace: textAt(object, 'spec', 'targetNamespace') ?? namespaceOf(object), ...orderOf(object) };
}

/** A chart that is a source of Flux: an OCIRepository, or a HelmChart. */
function chartOf(reference: unknown, namespace: string | undefined, index: ManifestIndex): Delivery {
  const kind = `${SOURCES}/${textAt(reference, 'kind') ?? ''}`;
  const source = index.find(kind, textAt(reference, 'namespace') ?? namespace, textAt(reference, 'name'));
  if (kind === HELM_CHART) return { chart: textAt(source, 'spec', 'chart'), version: textAt(source, 'spec', 'version') };
  const tag = ['digest', 'semver', 'tag'].map((field) => textAt(source, 'spec', 'ref', field)).find((text) => text !== undefined);
  return { chart: textAt(source, 'spec', 'url')?.replace(/\/+$/, '').split('/').at(-1), version: tag };
}

function orderOf(object: ManifestObject): Pick<Delivery, 'after' | 'suspended'> {
  return {
    after: mapsAt(object, 'spec', 'dependsOn').map(([reference]) => ({
      namespace: textAt(reference, 'namespace') ?? namespaceOf(object), name: textAt(reference, 'name'),
    })),
    suspended: fieldAt(object, 'spec', 'suspend') === true,
  };
}

/** Where a HelmRelease takes values from. */
export function valuesElsewhere(object: ManifestObject, { isEmptyConfigMap }: DeliverySources): string[] {
  return mapsAt(object, 'spec', 'valuesFrom')
    .filter(([from]) => textAt(from, 'kind') !== 'ConfigMap' || !isEmptyConfigMap(textAt(from, 'name')))
    .map(([from]) => `takes values from the ${textAt(from, 'kind')} ${textAt(from, 'name')}, which may name other images`);
}
