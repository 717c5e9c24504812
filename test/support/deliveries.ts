import { Delivery } from '../../src/constructs/contracts/delivery/delivery';
import { ArgoCdDelivery } from '../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ClusterResourceSetDelivery } from '../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';

/** A way to deliver, and whether it delivers Helm charts. */
export interface NamedDelivery {
  readonly name: string;
  readonly delivery: Delivery;
  readonly charts: boolean;
}

/** Each delivery, and both ways of those that can read manifests from a repository. */
export const DELIVERIES: readonly NamedDelivery[] = [
  { name: 'flux', delivery: new FluxDelivery(), charts: true },
  { name: 'flux-repository', delivery: new FluxDelivery({ manifestSource: { name: 'fleet', namespace: 'flux-system', path: 'clusters' } }), charts: true },
  { name: 'helm-chart-proxy', delivery: new HelmChartProxyDelivery(), charts: true },
  { name: 'cluster-resource-set', delivery: new ClusterResourceSetDelivery(), charts: false },
  { name: 'argo-cd', delivery: new ArgoCdDelivery(), charts: true },
  {
    name: 'argo-cd-repository',
    delivery: new ArgoCdDelivery({ manifestSource: { repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'clusters' } }),
    charts: true,
  },
];
