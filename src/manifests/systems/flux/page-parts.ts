import { HELM_RELEASE, kubeconfigCluster } from './deliveries';
import { releaseChart } from './release-chart';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../../rules/manifest-index';
import { call, constant, duration, fieldsOf, instance, listOf, PageCall, PageConstant, PageExpression, PageFields } from '../../rules/page-expression';
import { AddonPart, DeliveryPart, PageParts } from '../../rules/page-parts';
import { fieldAt, FieldPath, numberAt, objectsAt, sameValue, stringAt } from '../../values/fields';
import { secondsOf } from '../../values/kubelet-settings';

const EXACT_VERSION = /^v?\d+\.\d+\.\d+/;
/** Kinds of sources whose charts have no version of their own. */
const UNVERSIONED: readonly string[] = ['GitRepository', 'Bucket'];

type DeliveryProperty = readonly [path: FieldPath, usual: unknown, expression: (value: unknown) => PageExpression | undefined];

/** Properties of the delivery by their fields, with the value that needs no property. */
const DELIVERY_PROPERTIES: Readonly<Record<string, DeliveryProperty>> = {
  interval: [['interval'], 3600, durationOf],
  sourceInterval: [['chart', 'spec', 'interval'], 24 * 3600, durationOf],
  wait: [['install', 'disableWait'], true, (value) => (value === true ? undefined : true)],
  retryInterval: [['install', 'strategy', 'retryInterval'], 30, durationOf],
  uninstallTimeout: [['uninstall', 'timeout'], 300, durationOf],
  maxHistory: [['maxHistory'], 5, (value) => (typeof value === 'number' ? value : undefined)],
  driftDetection: [['driftDetection', 'mode'], 'disabled', (value) => member('FluxDriftDetection', { enabled: 'ENABLED', warn: 'WARN' }, value)],
  suspend: [['suspend'], undefined, (value) => (value === true ? true : undefined)],
};

/** Reads the HelmReleases whose kubeconfig is that of a cluster. */
function delivery({ cluster, index }: Parameters<Required<PageParts>['delivery']>[0]): DeliveryPart | undefined {
  const found = index.allIn(HELM_RELEASE, namespaceOf(cluster))
    .filter((release) => nameOf(release) !== undefined && kubeconfigCluster(release) === nameOf(cluster) && exactChart(release, index) !== undefined);
  const all = new Set(found.map((release) => nameOf(release)!));
  const releases = found.map((release) => ({ release, name: addonName(nameOf(release)!, nameOf(cluster)!, all) }));
  const names = new Map(releases.map(({ release, name }) => [nameOf(release)!, name]));
  const required = new Set(releases.flatMap(({ release }) => requirements(release, names) ?? []));
  const addons = releases.map(({ name, release }): AddonPart => ({
    name,
    object: release,
    addon: addonOf(name, release, exactChart(release, index)!, {
      provides: required.has(name) ? [name] : undefined, requires: requirements(release, names),
    }),
  }));
  if (addons.length === 0) return undefined;
  const common = Object.entries(DELIVERY_PROPERTIES).map(([property, [path, usual, expression]]) => {
    const value = mostFrequent(addons.map(({ object }) => fieldAt(object, 'spec', ...path)));
    return [property, value === usual || secondsOf(value) === usual ? undefined : expression(value)];
  });
  return { delivery: instance('FluxDelivery', Object.fromEntries(common) as PageFields), addons };
}

/** The chart of a release, in an exact version of a repository or registry. */
function exactChart(release: ManifestObject, index: ManifestIndex): PageFields | undefined {
  if (UNVERSIONED.includes(stringAt(release, 'spec', 'chart', 'spec', 'sourceRef', 'kind') ?? '')) return undefined;
  const [found] = releaseChart(release, index);
  return found && EXACT_VERSION.test(found.version) ? { chart: found.chart, repository: found.repository, chartVersion: found.version } : undefined;
}

/** The addons that a release waits for; undefined if it waits for none, or for others. */
function requirements(release: ManifestObject, addons: ReadonlyMap<string, string>): readonly string[] | undefined {
  const found = objectsAt(release, 'spec', 'dependsOn').map(([dependency]) => addons.get(stringAt(dependency, 'name') ?? ''));
  return found.length > 0 && found.every((name) => name !== undefined) ? found : undefined;
}

/** The name of a release without that of its cluster, which the library puts before it, unless another release has that name. */
function addonName(release: string, cluster: string, releases: ReadonlySet<string>): string {
  const short = release.startsWith(`${cluster}-`) ? release.slice(cluster.length + 1) : '';
  return short === '' || releases.has(short) ? release : short;
}

function addonOf(name: string, release: ManifestObject, chart: PageFields, order: PageFields): PageCall {
  const text = (...path: readonly string[]) => stringAt(release, 'spec', ...path);
  const target = text('targetNamespace');
  const namespace = target ?? namespaceOf(release);
  // fluxcd/helm-controller api/v2/helmrelease_types.go (GetReleaseName)
  const releaseName = text('releaseName') ?? [target, nameOf(release)].filter((part) => part !== undefined).join('-');
  const storage = text('storageNamespace');
  const timeout = secondsOf(text('timeout'));
  return new PageCall('HelmAddon', [name, {
    ...chart,
    namespace,
    releaseName: releaseName === name ? undefined : releaseName,
    storageNamespace: storage === namespace ? undefined : storage,
    values: fieldsOf(fieldAt(release, 'spec', 'values')),
    valuesFrom: listOf(objectsAt(release, 'spec', 'valuesFrom').flatMap(([source]) => valuesSource(source) ?? [])),
    crds: crdPolicy(text('install', 'crds'), text('upgrade', 'crds')),
    timeout: timeout === undefined || timeout === 600 ? undefined : duration(timeout),
    installFailurePolicy: isReinstalled(release) ? constant('HelmInstallFailurePolicy.REINSTALL') : undefined,
    ...order,
  }], true);
}

/**
 * True if Flux uninstalls a release whose installation failed. By default it does nothing until the release changes, and goes on with an upgrade.
 *
 * Source: fluxcd/helm-controller api/v2/helmrelease_types.go (Install.GetRetry, InstallRemediation), internal/reconcile/atomic_release.go, v1.6.3.
 */
function isReinstalled(release: ManifestObject): boolean {
  const remediation = fieldAt(release, 'spec', 'install', 'remediation');
  const isRemediated = (numberAt(remediation, 'retries') ?? 0) !== 0 || fieldAt(remediation, 'remediateLastFailure') === true;
  return isRemediated && stringAt(release, 'spec', 'install', 'strategy', 'name') !== 'RetryOnFailure';
}

function valuesSource(source: unknown): PageCall | undefined {
  const [kind, name] = ['kind', 'name'].map((field) => stringAt(source, field));
  if (name === undefined || (kind !== 'ConfigMap' && kind !== 'Secret')) return undefined;
  return call(`HelmValuesSource.${kind === 'Secret' ? 'secret' : 'configMap'}`, name, {
    key: stringAt(source, 'valuesKey'), targetPath: stringAt(source, 'targetPath'), optional: fieldAt(source, 'optional') === true ? true : undefined,
  });
}

/** The treatment of definitions: what Helm does, unless the release states something else. */
function crdPolicy(install = 'Create', upgrade = 'Skip'): PageConstant | undefined {
  if (install === 'Skip' && upgrade === 'Skip') return constant('HelmCrdPolicy.SKIP');
  return upgrade === 'Skip' ? constant('HelmCrdPolicy.CREATE') : undefined;
}

function durationOf(value: unknown): PageCall | undefined {
  const seconds = secondsOf(value);
  return seconds === undefined ? undefined : duration(seconds);
}

function member(name: string, members: Readonly<Record<string, string>>, value: unknown): PageConstant | undefined {
  return typeof value === 'string' && Object.hasOwn(members, value) ? constant(`${name}.${members[value]}`) : undefined;
}

function mostFrequent(values: readonly unknown[]): unknown {
  const count = (value: unknown) => values.filter((other) => sameValue(other, value)).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0]);
}

/** The classes of pages that make Flux's objects. */
export const PAGE_PARTS: PageParts = { delivery };
