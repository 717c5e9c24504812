import { missingCluster, sharedClusters } from './autoscaler-clusters';
import { ACME, BETA } from './examples';
import { ChartRule } from '../../../rules/chart-rule';
import { documents, replaced } from '../../../rules/example-text';
import { fieldAt, isFields, isSet, objectsAt, stringAt } from '../../../values/fields';
import { nearestName } from '../../../values/nearest-name';
import { Autoscaler } from '../autoscalers';

const CHART = 'cluster-autoscaler';
const TEMPLATES = 'kubernetes/autoscaler cluster-autoscaler/charts/cluster-autoscaler/templates/{_helpers.tpl,deployment.yaml}, cluster-autoscaler-chart-9.59.0';

/** Sources of the kubeconfigs of an autoscaler: first the one for nodes, then the one for pools. */
const MODES: readonly string[] = ['incluster-incluster', 'incluster-kubeconfig', 'kubeconfig-incluster', 'kubeconfig-kubeconfig', 'single-kubeconfig'];

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: acme-autoscaler
  namespace: tenant-acme
spec:
  interval: 10m
  chart:
    spec:
      chart: cluster-autoscaler
      version: 9.59.0
      sourceRef: {kind: HelmRepository, name: autoscaler}
  install:
    strategy: {name: RetryOnFailure, retryInterval: 30s}
  values:
    cloudProvider: clusterapi
    clusterAPIMode: kubeconfig-incluster
    clusterAPIKubeconfigSecret: acme-kubeconfig
    autoDiscovery:
      namespace: tenant-acme
      clusterName: acme
`;

/** The autoscaler that values of the chart make; undefined for another provider, or if templates decide. */
function autoscalerOf(values: unknown): Autoscaler | undefined {
  if (stringAt(values, 'cloudProvider') !== 'clusterapi' || isSet(values, 'extraArgs', 'node-group-auto-discovery')) return undefined;
  const path = ['autoDiscovery', 'clusterName'];
  const labels: Record<string, string> = Object.assign({}, ...objectsAt(values, 'autoDiscovery', 'labels').map(([entry]) => entry));
  const [cluster, namespace] = ['clusterName', 'namespace'].map((field) => stringAt(values, 'autoDiscovery', field) ?? labels[field]);
  if ([cluster, namespace].some((text) => text?.includes('{{'))) return undefined;
  // The names are keys of the same list as the labels.
  const { clusterName: _, namespace: __, ...others } = labels;
  return { path, discoveries: [{ path, cluster, namespace, labels: others }], poolsBesideNodes: false };
}

const CLUSTER: ChartRule = {
  id: 'TC-TRAP-AUTOSCALER-CHART-CLUSTER',
  title: 'The values of the autoscaler\'s chart must name one Cluster that exists: it scales nothing otherwise, or deletes machines of other Clusters.',
  source: `${TEMPLATES}; kubernetes/autoscaler issue 5510`,
  trap: true,
  chart: CHART,
  example: {
    failing: documents(RELEASE_TEXT.replace('      clusterName: acme\n', ''), ACME, BETA),
    corrected: documents(RELEASE_TEXT, ACME, BETA),
  },
  faultsOf: (values, index) => {
    const autoscaler = autoscalerOf(values);
    if (!autoscaler) return [];
    return [...(autoscaler.discoveries ?? []).flatMap((one) => missingCluster(one, index)), ...sharedClusters(autoscaler, index)];
  },
};

const MODE: ChartRule = {
  id: 'TC-TRAP-AUTOSCALER-CHART-MODE',
  title: 'The mode of the autoscaler\'s chart must be one that it knows, with the Secret that it needs: the autoscaler watches the cluster that it runs in otherwise.',
  source: TEMPLATES,
  trap: true,
  chart: CHART,
  example: replaced(RELEASE_TEXT, '    clusterAPIKubeconfigSecret: acme-kubeconfig\n', ''),
  faultsOf: (values) => {
    const path = ['clusterAPIMode'];
    const mode = stringAt(values, ...path);
    if (stringAt(values, 'cloudProvider') !== 'clusterapi' || mode === undefined || mode.includes('{{')) return [];
    if (!MODES.includes(mode)) {
      const near = nearestName(mode, MODES);
      return [{
        path,
        message: `the chart knows no mode ${JSON.stringify(mode)}, and gives the autoscaler no kubeconfig: it watches the nodes of the cluster that it runs in`,
        accepted: MODES.join(', '),
        fix: near === undefined ? 'write one of these' : `did you mean ${JSON.stringify(near)}?`,
      }];
    }
    // Volumes of one's own may hold the file.
    const hasFiles = ['extraVolumeSecrets', 'extraVolumes'].some((field) => hasEntries(fieldAt(values, field)));
    return mode === MODES[0] || stringAt(values, 'clusterAPIKubeconfigSecret') || hasFiles ? [] : [{
      path: ['clusterAPIKubeconfigSecret'], message: `the mode "${mode}" reads a kubeconfig, and no Secret is named: its file is missing`, fix: 'name the Secret with the kubeconfig',
    }];
  },
};

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0;
}

/** Rules for the values of the autoscaler's chart. */
export const AUTOSCALER_CHART: readonly ChartRule[] = [CLUSTER, MODE];
