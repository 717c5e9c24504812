import { CLUSTER_TEXT, CONTROL_PLANE_TEXT, RELEASE_TEXT, VALUES } from './pod-network-examples';
import { releaseKinds } from './pod-networks';
import { statedKubernetes } from './tenant-kubernetes-rules';
import { InstalledRelease, releasesOf } from './tenants';
import CHARTS from '../../../data/charts.json';
import { ManifestObject } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { Finding } from '../values/finding';
import { compareVersions, parseSemanticVersion, SemanticVersion } from '../values/semantic-version';

/** Facts about the Kubernetes that versions of a chart are for. */
interface ChartFacts {
  readonly version: string;

  /** Constraint of `Chart.yaml` in this version. */
  readonly kubeVersion?: string;

  /** The newest minor release that the project tests versions with, newest first. Of older versions it is not newer than that of the last. */
  readonly testedKubernetes?: { readonly releases: readonly { readonly since: string; readonly newest: number }[]; readonly unreadFrom: string };
}

const FACTS: Readonly<Record<string, ChartFacts>> = CHARTS;

/** Clusters of one version of Kubernetes that an object installs a chart in. */
interface ChartUse {
  readonly chart: string;
  readonly facts: ChartFacts;
  readonly version: string;
  readonly kubernetes: SemanticVersion;
  readonly clusters: readonly string[];
}

function usesOf(object: ManifestObject, index: ManifestIndex): ChartUse[] {
  const uses = new Map<string, ChartUse>();
  for (const { chart, version, tenant } of releasesOf(object, index, Object.keys(FACTS))) {
    const kubernetes = kubernetesOf(tenant);
    if (version === undefined || !kubernetes || !parseSemanticVersion(version)) continue;
    const key = `${chart} ${version} ${kubernetes.minor}.${kubernetes.patch}`;
    uses.set(key, { chart, version, kubernetes, facts: FACTS[chart], clusters: [...uses.get(key)?.clusters ?? [], tenant!.name] });
  }
  return [...uses.values()];
}

function kubernetesOf(tenant: InstalledRelease['tenant']): SemanticVersion | undefined {
  const stated = tenant && statedKubernetes(tenant.object, tenant.management);
  const version = stated && parseSemanticVersion(stated.version);
  return version?.major === 1 ? version : undefined;
}

function clustersHave([first, ...others]: readonly string[]): string {
  return others.length === 0 ? `"${first}" has` : `"${first}" and ${others.length} more have`;
}

const CHART_TEXT = RELEASE_TEXT.replaceAll('acme-cilium', 'acme-vector').replace('chart: cilium', 'chart: vector').replace('version: 1.20.0', 'version: 0.56.0')
  .replace('name: cilium}', 'name: vector}').replace(`  values:\n${VALUES}`, '').replaceAll('kube-system', 'vector');

const REQUIRED: ManifestRule = {
  id: 'TC-TRAP-CHART-KUBERNETES-REQUIRED',
  title: 'A cluster must have a Kubernetes that the charts in it allow (kubeVersion in Chart.yaml): Helm neither installs nor upgrades them otherwise.',
  source: 'helm/helm pkg/action/action.go (renderResources), pkg/chart/common/util IsCompatibleRange; Chart.yaml of each chart (data/charts.json)',
  get kinds() { return releaseKinds(); },
  trap: true,
  example: replaced(CONTROL_PLANE_TEXT, 'version: v1.35.4', 'version: v1.27.9', documents(CHART_TEXT, CLUSTER_TEXT)),
  check: (object, index) => usesOf(object, index).flatMap(({ chart, version, kubernetes: { minor, patch }, facts, clusters }): Finding[] => {
    if (facts.kubeVersion === undefined || compareVersions(version, facts.version) !== 0) return [];
    const oldest = leastMinor(facts.kubeVersion);
    if (oldest === undefined || minor >= oldest) return [];
    return [{
      path: ['spec'],
      message: `the chart ${chart} ${version} requires Kubernetes ${facts.kubeVersion}, and ${clustersHave(clusters)} 1.${minor}.${patch}: Helm refuses to install it`,
      fix: `raise Kubernetes to 1.${oldest} first, or install an older version of the chart`,
    }];
  }),
};

/** The minor release of `>= 1.25.0-0`; undefined for constraints of another form. */
function leastMinor(constraint: string): number | undefined {
  const [, minor] = /^>=\s*v?1\.(\d+)(?:\.0)?(?:-0)?$/.exec(constraint.trim()) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

const TESTED_TEXT = RELEASE_TEXT.replaceAll('acme-cilium', 'acme-cert-manager').replace('chart: cilium', 'chart: cert-manager').replace('version: 1.20.0', 'version: v1.19.2')
  .replace('name: cilium}', 'name: jetstack}').replace(`  values:\n${VALUES}`, '').replaceAll('kube-system', 'cert-manager');

const UNTESTED: ManifestRule = {
  id: 'TC-TRAP-CHART-KUBERNETES-UNTESTED',
  title: 'A chart should be of a version that its project tests with the Kubernetes of the cluster.',
  source: 'statements of the projects, with place and commit in data/charts.json (testedKubernetes)',
  get kinds() { return releaseKinds(); },
  trap: true,
  warning: true,
  example: replaced(TESTED_TEXT, 'version: v1.19.2', 'version: v1.18.2', documents(CLUSTER_TEXT, CONTROL_PLANE_TEXT)),
  check: (object, index) => usesOf(object, index).flatMap(({ chart, version, kubernetes: { minor }, facts, clusters }): Finding[] => {
    const tested = facts.testedKubernetes;
    if (!tested || (compareVersions(version, tested.unreadFrom) ?? 0) >= 0) return [];
    const stated = tested.releases.find(({ since }) => (compareVersions(version, since) ?? -1) >= 0);
    const { newest } = stated ?? tested.releases.at(-1)!;
    if (minor <= newest) return [];
    const first = tested.releases.filter((release) => release.newest >= minor).at(-1)?.since;
    return [{
      path: ['spec'],
      message: `the chart ${chart} ${version} is tested ${stated ? 'up to' : 'with nothing newer than'} Kubernetes 1.${newest}, and ${clustersHave(clusters)} 1.${minor}`,
      fix: first === undefined
        ? `no version before ${tested.unreadFrom} is tested with 1.${minor}: look for a newer one, or test it yourself`
        : `raise the chart to ${first} or newer first`,
    }];
  }),
};

/** Rules for the Kubernetes of clusters, by the charts that are installed there. */
export const CHART_KUBERNETES_RULES: readonly ManifestRule[] = [REQUIRED, UNTESTED];
