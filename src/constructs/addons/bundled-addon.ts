import { Duration } from 'cdk8s';
import CHART_KEYS from '../../../data/chart-keys.json';
import CHART_CATALOGUE from '../../../data/charts.json';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';
import { CatalogVersion, versionIn } from '../../manifests/values/catalog';
import { mergeValues, nestedValue, Values } from '../../manifests/values/chart-values';
import { isCount } from '../../manifests/values/counts';
import { Fields, isFields } from '../../manifests/values/fields';
import { nearestName } from '../../manifests/values/nearest-name';
import { Problem, problemsOf, Rule } from '../../manifests/values/problem';
import { checkTolerations, Toleration } from '../../manifests/values/taints';
import { Addon } from '../contracts/addon';
import { HelmChart, HelmValuesSource } from '../contracts/helm-chart';
import { Versions } from '../contracts/versions';

/** Options of every addon of the library. */
export interface BundledAddonProps {
  /**
   * Name of the addon and of its Helm release, a DNS label that is unique within a cluster. A new value installs the chart again, unless
   * `releaseName` keeps the release.
   *
   * Rules: `TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`.
   *
   * @default - the usual name of the program
   */
  readonly name?: string;

  /**
   * Name of the Helm release in the tenant. A release that exists is upgraded; a new value installs the chart again. An addon of several charts
   * has it for the one that its values are for (`TC-ADDON-RELEASE-TAKEN`).
   *
   * @default - the name of the addon
   */
  readonly releaseName?: string;

  /**
   * Namespace of the tenant in which the record of the release is, for a release that another HelmRelease installed with another
   * `storageNamespace`, or with none: then it is the namespace of that HelmRelease. `FluxDelivery` alone finds it there
   * (`TC-DELIVERY-STORAGE-NAMESPACE`).
   *
   * @default - the namespace of the release
   */
  readonly storageNamespace?: string;

  /**
   * Exact version of the chart, as its repository spells it. The addon sets values for the default version. For another version, check its
   * release notes for renamed keys.
   *
   * @default - the version that the library was released with
   */
  readonly chartVersion?: string;

  /**
   * Source of the chart, e.g. a mirror: the address of a Helm repository, or of an OCI repository without the chart's name.
   *
   * @default - the repository of its project
   */
  readonly repository?: string;

  /**
   * Namespace of the release in the tenant. A new value installs the chart again.
   *
   * @default - the namespace that the project recommends, or the usual name of the program
   */
  readonly namespace?: string;

  /**
   * Values that override those of the addon, as in a values file: objects are merged, lists are replaced, and `null` removes a key. A
   * likely misspelled key causes a warning. Private keys are rejected.
   *
   * Rules: `TC-ADDON-VALUE-KEY`, `TC-DELIVERY-PRIVATE-KEY`.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * Values that the output does not hold, such as passwords: Secrets and ConfigMaps that the delivery reads, in this order. `FluxDelivery` alone
   * can (`TC-DELIVERY-VALUES-FROM`).
   *
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];

  /**
   * The images of the chart, for a `chartVersion` other than the default. They are required if `ImageSources` has a registry or requires
   * digests (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - the images of the default version
   */
  readonly images?: HelmChartImage[];

  /**
   * Tolerations of all pods of the addon, in addition to those of the chart. A cluster whose pools all have taints needs them: otherwise
   * the pods stay pending (`TC-ADDON-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Timeout of an installation or upgrade, after which it fails and is retried.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Addons that must be installed before this one, in addition to those that provide its requirements (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/** Name of a chart that the library knows. Declarations of the package refer to no JSON, which compilers of users may not resolve. */
export type BundledChart = string;

/** Default installation of a chart. */
interface ChartInstallation {
  readonly chart: BundledChart;
  readonly releaseName: string;
  readonly namespace: string;
  /** True if pods of the chart need host access, which the namespace must allow where the tenant enforces pod security. */
  readonly privileged?: boolean;
  readonly values?: Values;
}

/** An entry of the catalogue. */
interface CatalogChart extends CatalogVersion {
  readonly repository: string;
}

/** The charts that the library knows. */
const CHARTS: Readonly<Record<BundledChart, CatalogChart>> = CHART_CATALOGUE;

/** A namespace of every cluster, which addons must not label. */
const SYSTEM_NAMESPACE = 'kube-system';

// kubernetes.io/docs/concepts/security/pod-security-admission
const PRIVILEGED = { 'pod-security.kubernetes.io/enforce': 'privileged' };

/**
 * Applies the user's options to a chart of the catalogue.
 *
 * @param installation the default installation
 * @param props the user's options; the user's values override all others
 * @param versions the versions of the cluster
 */
export function bundledChart(installation: ChartInstallation, props: BundledAddonProps, versions: Versions): HelmChart {
  const { chart, releaseName, privileged } = installation;
  const entry = CHARTS[chart];
  const namespace = props.namespace ?? installation.namespace;
  const values = mergeValues(installation.values, props.values);
  return {
    chart,
    repository: props.repository ?? entry.repository,
    chartVersion: props.chartVersion ?? versionIn(entry, versions),
    releaseName: props.releaseName ?? releaseName,
    namespace,
    storageNamespace: props.storageNamespace,
    namespaceLabels: privileged && namespace !== SYSTEM_NAMESPACE ? PRIVILEGED : undefined,
    values: Object.keys(values).length > 0 ? values : undefined,
    valuesFrom: props.valuesFrom,
    images: props.images,
    timeout: props.timeout,
  };
}

/** The keys of a chart's tolerations with their defaults: a list in the values replaces the default. */
export interface TolerationPaths {
  readonly [path: string]: readonly object[];
}

/** The values that let every pod of a chart tolerate taints; none where there is nothing to add. */
export function tolerationValues(paths: TolerationPaths, tolerations: readonly Toleration[] | undefined): Values | undefined {
  if (!tolerations || tolerations.length === 0) return undefined;
  return mergeValues(...Object.entries(paths).map(([path, own]) => nestedValue(path, [...own, ...tolerations])));
}

const TOLERATION_RULE: Rule = {
  id: 'TC-ADDON-TOLERATION',
  title: 'The key and operator of an addon\'s toleration must match, and only NoExecute may have a time.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
};

/** Checks the tolerations of an addon. */
export function checkTolerationList(tolerations: readonly Toleration[] | undefined): Problem[] {
  return problemsOf(TOLERATION_RULE, 'tolerations', checkTolerations(tolerations ?? []));
}

/** Keys below a key. */
interface Keys {
  readonly [name: string]: Keys;
}

/** The form of a chart's own keys; keys such as `kubernetes.io/os` belong to objects with free keys. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/;

const PARSED_KEYS = new Map<string, Keys>();

const VALUE_KEY_RULE: Rule = {
  id: 'TC-ADDON-VALUE-KEY',
  title: 'A key in the values of an addon should exist in its chart: a key that is similar to an existing one is most likely a typing error.',
  source: 'values.yaml of each chart',
  warning: true,
};

/**
 * Warns about unknown keys in the user's values that are similar to a key of the chart: Helm accepts any key, but the chart ignores it.
 * Other versions of the chart, whose keys may differ, are not checked.
 *
 * @param chart the chart that the values are for
 * @param props the user's options
 * @param versions the versions of the cluster
 */
export function checkValueKeys(chart: BundledChart, { values, chartVersion }: BundledAddonProps, versions: Versions): Problem[] {
  const { version } = CHARTS[chart];
  if (!isFields(values) || (chartVersion ?? versionIn(CHARTS[chart], versions)) !== version) return [];
  return misspelt(values, keysOf(chart), 'values').map(({ path, name, near }) => ({
    rule: VALUE_KEY_RULE,
    property: path,
    message: `the chart "${chart}" has no key "${name}" here, and ignores it`,
    fix: `write "${near}" if you mean that`,
  }));
}

function misspelt(values: Fields, known: Keys, path: string): { path: string; name: string; near: string }[] {
  const names = Object.keys(known).filter((name) => PLAIN.test(name));
  return Object.entries(values).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    if (!Object.hasOwn(known, name)) {
      const near = PLAIN.test(name) ? nearestName(name, names) : undefined;
      return near === undefined ? [] : [{ path: at, name, near }];
    }
    // A key without known keys below it accepts any.
    return isFields(value) && Object.keys(known[name]).length > 0 ? misspelt(value, known[name], at) : [];
  });
}

function keysOf(chart: BundledChart): Keys {
  const found = PARSED_KEYS.get(chart) ?? parseKeys((CHART_KEYS as Readonly<Record<string, string>>)[chart]);
  PARSED_KEYS.set(chart, found);
  return found;
}

/** Parses keys such as `a,b{c,d}`. */
function parseKeys(text: string): Keys {
  const root: Record<string, Keys> = {};
  const open: Record<string, Keys>[] = [root];
  for (const [, name, mark] of text.matchAll(/([^,{}]*)([,{}]|$)/g)) {
    const below = {};
    if (name !== '') open[open.length - 1][name] = below;
    if (mark === '{') open.push(below);
    if (mark === '}') open.pop();
  }
  return root;
}

const COUNT_RULE: Rule = {
  id: 'TC-ADDON-COUNT',
  title: 'The number of replicas must be a whole number of at least 1.',
};

/** Checks a number of replicas. */
export function checkReplicas(property: string, replicas: number | undefined): Problem[] {
  return replicas === undefined || isCount(replicas, 1) ? [] : [{
    rule: COUNT_RULE,
    property,
    message: `${replicas} is not a number of replicas`,
    accepted: 'whole numbers from 1',
    fix: 'correct the number',
  }];
}
