import { App, Chart, Testing } from 'cdk8s';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { clusterPath, placeChart } from '../../../../src/constructs/app/synth/output-place';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { GitManifests } from '../../../../src/constructs/contracts/git-manifests';
import { HelmChart } from '../../../../src/constructs/contracts/helm-chart';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

/** A manifest as it is written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Written = any;

/** Deliveries to one cluster: charts and manifests by the name of their delivery. */
export interface Goods {
  readonly charts?: { readonly [name: string]: Partial<HelmChart> };
  readonly manifests?: { readonly [name: string]: Chart };
  readonly gitManifests?: { readonly [name: string]: Partial<GitManifests> };
  /** Names of the deliveries before a delivery. */
  readonly after?: { readonly [name: string]: string[] };
  readonly context?: Partial<ClusterContext>;
}

/** A chart of a Helm repository. */
export const CERT_MANAGER: HelmChart = {
  chart: 'cert-manager', repository: 'https://charts.jetstack.io', chartVersion: 'v1.21.1', releaseName: 'cert-manager', namespace: 'cert-manager',
};

/** A chart of a registry. */
export const GATEWAY: HelmChart = {
  chart: 'gateway-helm', repository: 'oci://docker.io/envoyproxy', chartVersion: 'v1.9.0', releaseName: 'eg', namespace: 'envoy-gateway-system',
};

/** Definitions in a Git repository. */
export const DEFINITIONS: GitManifests = {
  name: 'gateway-api', repository: 'https://github.com/kubernetes-sigs/gateway-api', tag: 'v1.6.1', path: 'config/crd',
};

/** Delivers to a cluster, as TenantCluster does. */
export function deliver(app: App, delivery: Delivery, goods: Goods, id = 'acme'): Chart {
  const context = clusterContext(goods.context);
  const cluster = new Chart(app, id, { namespace: context.namespace, labels: { 'cluster.x-k8s.io/cluster-name': context.name } });
  placeChart(cluster, { path: clusterPath(context), mainFile: 'cluster' });
  const scope = strategyScope(cluster, 'Delivery');
  const after = (name: string) => ({ names: goods.after?.[name] ?? [] });
  for (const [name, chart] of Object.entries(goods.charts ?? {})) {
    delivery.deliverChart(scope, { name, chart: { ...CERT_MANAGER, ...chart }, after: after(name) }, context);
  }
  for (const [name, manifests] of Object.entries(goods.manifests ?? {})) {
    delivery.deliverManifests(scope, { name, manifests, after: after(name) }, context);
  }
  for (const [name, manifests] of Object.entries(goods.gitManifests ?? {})) {
    delivery.deliverGitManifests(scope, { name, manifests: { ...DEFINITIONS, ...manifests }, after: after(name) }, context);
  }
  return cluster;
}

/** Objects for a cluster. */
export function written(delivery: Delivery, goods: Goods): Written[] {
  return deliver(Testing.app(), delivery, goods).toJson();
}

/** Objects for a cluster, of one kind. */
export function ofKind(kind: string, delivery: Delivery, goods: Goods): Written[] {
  return written(delivery, goods).filter((object) => object.kind === kind);
}

/** Problems of the deliveries. */
export function refused(delivery: Delivery, goods: Goods): ReportedProblem[] {
  return problemsIn((app) => {
    validateApp(app);
    deliver(app, delivery, goods);
  });
}

/** A chart for the tenant, in a tree of its own, with ConfigMaps of these names. */
export function tenantChart(...names: string[]): Chart {
  const chart = new Chart(Testing.app(), 'workloads', { namespace: 'default' });
  names.forEach((name) => configMap(chart, name));
  return chart;
}

/** Adds a ConfigMap. */
export function configMap(chart: Chart, name: string, data: { [key: string]: string } = { a: 'b' }): void {
  new TypedApiObject(chart, name, { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name }, data });
}

/** Adds a Namespace. */
export function namespace(chart: Chart, name: string): void {
  new TypedApiObject(chart, name, { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, { metadata: { name } });
}
