import { CatalogName, NEWEST_CATALOG, versionIn } from '../../manifests/values/catalog';
import { Problem, Rule } from '../../manifests/values/problem';
import {
  CLUSTER_API, CLUSTER_API_OPERATOR_CHART, CONTAINERIZED_DATA_IMPORTER, HELM_ADDON_PROVIDER, KAMAJI, KAMAJI_ETCD_CHART, KAMAJI_PROVIDER,
  KUBEVIRT, KUBEVIRT_PROVIDER, PinnedVersion,
} from '../../manifests/values/versions';

/** A component of a management cluster whose version is checked. */
export type ManagementComponent =
  'clusterApi' | 'clusterApiOperator' | 'kamajiProvider' | 'kubevirtProvider' | 'helmAddonProvider' | 'kamaji' | 'kamajiEtcd' | 'kubevirt' | 'cdi';

/** An installed version, and the path of its property. */
export interface InstalledVersion {
  readonly component: ManagementComponent;
  readonly version: string;
  readonly property: string;
}

/** A release as numbers: `v1.14.2`, and `26.8.2-edge` or `edge-26.2.4` as Kamaji writes it. */
type Release = readonly [major: number, minor: number, patch: number];

interface Series {
  /** Name of the component for messages. */
  readonly title: string;

  /** The default version of each catalog. */
  readonly pinned: PinnedVersion;

  /** First and last tested minor release, e.g. `[[1, 11], [1, 14]]`. */
  readonly tested: readonly [first: readonly [number, number], last: readonly [number, number]];

  /** Form of the project's versions. */
  readonly form: RegExp;
}

const SEMANTIC = /^v(\d+)\.(\d+)\.(\d+)$/;
const CHART = /^(\d+)\.(\d+)\.(\d+)$/;
const KAMAJI_TAG = /^(?:edge-(\d{2})\.(\d{1,2})\.(\d{1,3})|(\d{2})\.(\d{1,2})\.(\d{1,3})-edge)$/;

// Cluster API: 1.11 is the oldest release that serves v1beta2; 1.14 was tested with the others, and 1.11 to 1.13 work with them by
// contract (docs/book/src/reference/versions.md). KubeVirt: the maintained releases up to 1.9. The others: the releases that this library
// was built for.
const SERIES: Readonly<Record<ManagementComponent, Series>> = {
  clusterApi: { title: 'Cluster API', pinned: CLUSTER_API, tested: [[1, 11], [1, 14]], form: SEMANTIC },
  clusterApiOperator: { title: 'the Cluster API Operator', pinned: CLUSTER_API_OPERATOR_CHART, tested: [[0, 28], [0, 28]], form: CHART },
  kamajiProvider: { title: 'the Kamaji provider', pinned: KAMAJI_PROVIDER, tested: [[0, 20], [0, 20]], form: SEMANTIC },
  kubevirtProvider: { title: 'the KubeVirt provider', pinned: KUBEVIRT_PROVIDER, tested: [[0, 11], [0, 11]], form: SEMANTIC },
  helmAddonProvider: { title: 'the Helm add-on provider', pinned: HELM_ADDON_PROVIDER, tested: [[0, 6], [0, 6]], form: SEMANTIC },
  kamaji: { title: 'Kamaji', pinned: KAMAJI, tested: [[26, 2], [26, 8]], form: KAMAJI_TAG },
  kamajiEtcd: { title: 'the chart kamaji-etcd', pinned: KAMAJI_ETCD_CHART, tested: [[0, 17], [0, 17]], form: CHART },
  kubevirt: { title: 'KubeVirt', pinned: KUBEVIRT, tested: [[1, 6], [1, 9]], form: SEMANTIC },
  cdi: { title: 'CDI', pinned: CONTAINERIZED_DATA_IMPORTER, tested: [[1, 66], [1, 66]], form: SEMANTIC },
};

interface Conflict {
  /** The component that must change. */
  readonly component: ManagementComponent;

  /** True if the installed releases have the conflict. */
  readonly applies: (release: Release, others: (component: ManagementComponent) => Release | undefined) => boolean;
  readonly reason: string;
  readonly source: string;
  readonly fix: string;
}

const CONFLICTS: readonly Conflict[] = [
  {
    component: 'clusterApi',
    applies: (release) => isBefore(release, [1, 11]),
    reason: 'Cluster API before 1.11 does not serve v1beta2, which this library and the Kamaji provider use',
    source: 'kubernetes-sigs/cluster-api docs/book/src/reference/versions.md',
    fix: 'install 1.11 or later',
  },
  {
    component: 'kamajiProvider',
    applies: (release) => isBefore(release, [0, 20]),
    reason: 'the Kamaji provider before 0.20 has only v1alpha1 of KamajiControlPlane, and this library writes v1alpha2',
    source: 'clastix/cluster-api-control-plane-provider-kamaji config/crd/bases of v0.19.0 and v0.20.0',
    fix: 'install v0.20.0 or later; an existing v0.19 needs its definitions changed by hand first',
  },
  {
    component: 'kubevirtProvider',
    applies: (release, others) => isBefore(release, [0, 11]) && !isBefore(others('clusterApiOperator') ?? [0, 0, 0], [0, 24]),
    reason: 'the KubeVirt provider before 0.11 does not know the flags that the Cluster API Operator since 0.24 passes to it',
    source: 'kubernetes-sigs/cluster-api-provider-kubevirt commit 4bbc53e',
    fix: 'install v0.11.0 or later',
  },
  {
    component: 'kamaji',
    applies: (release) => isBefore(release, [26, 2]),
    reason: 'Kamaji before edge-26.2.1 does not know all fields that this library writes into control planes',
    source: 'clastix/kamaji api/v1alpha1 of the tags',
    fix: 'install a later release',
  },
];

/** The default version in a catalog. */
export function pinnedVersion(component: ManagementComponent, versions: CatalogName = NEWEST_CATALOG): string {
  return versionIn(SERIES[component].pinned, versions);
}

/** A component, its default version, and the releases that were tested with the other defaults. */
interface TestedVersions {
  readonly title: string;
  readonly pinned: string;
  readonly tested: string;
}

/** The components of a management cluster, in the order of their installation. */
export function testedVersions(): TestedVersions[] {
  return Object.values(SERIES).map(({ title, pinned, tested }) => ({ title, pinned: pinned.version, tested: rangeText(tested) }));
}

/** The minor release of a version, e.g. 14 of `v1.14.2`; undefined where it cannot be read. */
export function minorOf(component: ManagementComponent, version: string): number | undefined {
  return parse(component, version)?.[1];
}

/**
 * True if the Kamaji provider does not grant the kubeadm bootstrap provider access to its control planes, which Cluster API needs from
 * 1.14 on (clastix/cluster-api-control-plane-provider-kamaji pull request 392).
 */
export function needsBootstrapAccess(clusterApi: string, kamajiProvider: string): boolean {
  const core = parse('clusterApi', clusterApi);
  return core !== undefined && !isBefore(core, [1, 14]) && isBefore(parse('kamajiProvider', kamajiProvider), [0, 21]);
}

/** Rule for versions that do not work. */
export const VERSION_CONFLICT_RULE: Rule = {
  id: 'TC-MANAGEMENT-VERSION-CONFLICT',
  title: 'Known incompatible versions must not be installed together.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/reference/versions.md',
};

/**
 * Checks that the installed versions are known to work together.
 *
 * @param installed the components with a known version
 * @param allowUntested whether versions outside of the table are accepted
 */
export function checkVersions(installed: readonly InstalledVersion[], allowUntested: boolean): Problem[] {
  const releaseOf = (component: ManagementComponent) => parse(component, installed.find((found) => found.component === component)?.version ?? '');
  return installed.flatMap((found) => {
    const release = parse(found.component, found.version);
    if (!release) return [unreadable(found)];
    const conflicts = CONFLICTS.filter(({ component, applies }) => component === found.component && applies(release, releaseOf));
    if (conflicts.length === 0) return allowUntested || isTested(found.component, release) ? [] : [untested(found)];
    return conflicts.map(({ reason, source, fix }) => ({
      rule: VERSION_CONFLICT_RULE, property: found.property, message: `${found.version}: ${reason} (${source})`, fix,
    }));
  });
}

/** Rule for the form of versions. */
export const VERSION_RULE: Rule = {
  id: 'TC-MANAGEMENT-VERSION',
  title: 'Each component of a management cluster must have an exact version, in the form of its project.',
  source: 'semver.org, clastix/kamaji docs/content/reference/versioning.md',
};

function unreadable({ component, version, property }: InstalledVersion): Problem {
  const { title, pinned } = SERIES[component];
  return {
    rule: VERSION_RULE,
    property,
    message: `${JSON.stringify(version)} is not a version of ${title}`,
    accepted: `versions written like "${pinned.version}"`,
    fix: 'write the version as the project does',
  };
}

const VERSION_UNTESTED_RULE: Rule = {
  id: 'TC-MANAGEMENT-VERSION-UNTESTED',
  title: 'A version outside of the tested versions needs allowUntestedVersions.',
};

function untested({ component, version, property }: InstalledVersion): Problem {
  const { title, tested } = SERIES[component];
  return {
    rule: VERSION_UNTESTED_RULE,
    property,
    message: `${title} ${version} is not tested with the other components`,
    accepted: rangeText(tested),
    fix: 'choose one of these versions, or set allowUntestedVersions to accept the risk',
  };
}

function rangeText([first, last]: Series['tested']): string {
  return first.join('.') === last.join('.') ? `${first.join('.')}.x` : `${first.join('.')}.x to ${last.join('.')}.x`;
}

function isTested(component: ManagementComponent, release: Release): boolean {
  const { tested: [first, last] } = SERIES[component];
  return !isBefore(release, first) && isBefore(release, [last[0], last[1] + 1]);
}

function parse(component: ManagementComponent, version: string): Release | undefined {
  const numbers = SERIES[component].form.exec(version)?.slice(1).filter((part) => part !== undefined).map(Number);
  return numbers ? [numbers[0], numbers[1], numbers[2]] : undefined;
}

/** True if a release is known, and older than the given minor release. */
function isBefore(release: Release | undefined, [major, minor]: readonly [number, number]): boolean {
  return release !== undefined && (release[0] < major || (release[0] === major && release[1] < minor));
}
