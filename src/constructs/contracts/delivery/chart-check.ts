import { ChartDelivery, GitManifestsDelivery } from './delivery';
import { checkDuration } from './durations';
import { checkPath } from './manifest-folder';
import { privateKeys } from './readable-secrets';
import { REPOSITORY_RULE } from './repository-access';
import { PRIVATE_KEY_RULE } from './tenant-manifests';
import { noMap, unwritableValues } from './values-check';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { isFields } from '../../../manifests/values/fields';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { checkRepository } from '../../../manifests/values/repository-address';
import { parseSemanticVersion } from '../../../manifests/values/semantic-version';
import { HelmChart, HelmValuesSource } from '../helm-chart';

const RELEASE_NAME_MAX_LENGTH = 53;
// Of the names that Git accepts (git-check-ref-format) those that releases have; names of branches mostly have no digit.
const TAG = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._+-]*$/;

const SET_PATH = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;
// kubernetes.io/docs/concepts/configuration/configmap
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;
// fluxcd/pkg apis/meta/reference_types.go (ValuesReference)
const TARGET_PATH = /^(?=.{1,250}$)(?:[a-zA-Z0-9_\-.\\/]|\[[0-9]{1,5}\])+$/;

const DELIVERY_RELEASE_NAMESPACE_RULE: Rule = {
  id: 'TC-DELIVERY-RELEASE-NAMESPACE',
  title: 'The namespace of a Helm release is a DNS label.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

const DELIVERY_RELEASE_NAME_RULE: Rule = {
  id: 'TC-DELIVERY-RELEASE-NAME',
  title: 'The name of a Helm release is a DNS label of at most 53 characters.',
  source: 'helm/helm pkg/chartutil/validate_name.go, fluxcd/helm-controller api/v2/helmrelease_types.go',
};

/**
 * Checks a chart that is to be delivered.
 *
 * @param delivery the chart
 * @param schemes schemes of repositories that the delivery can read
 */
export function checkChart({ name, chart }: ChartDelivery, schemes: readonly string[]): Problem[] {
  const property = `charts["${name}"]`;
  return [
    ...checkChartName(chart.chart, `${property}.chart`),
    ...checkVersion(chart, `${property}.chartVersion`),
    ...(chart.gitPath === undefined ? checkPackaged(chart, property, schemes) : [
      ...checkGitRepository(chart.repository, property),
      ...checkGitPath(chart.gitPath, `${property}.gitPath`, 'write the folder of Chart.yaml, e.g. "charts/kamaji"'),
    ]),
    ...problemIf(DELIVERY_RELEASE_NAME_RULE, `${property}.releaseName`, checkDnsLabel(chart.releaseName, RELEASE_NAME_MAX_LENGTH), 'choose such a name'),
    ...problemIf(DELIVERY_RELEASE_NAMESPACE_RULE, `${property}.namespace`, checkDnsLabel(chart.namespace), 'choose such a namespace'),
    ...(chart.storageNamespace === undefined ? []
      : problemIf(DELIVERY_RELEASE_NAMESPACE_RULE, `${property}.storageNamespace`, checkDnsLabel(chart.storageNamespace), 'choose such a namespace')),
    ...checkDuration(chart.timeout, `${property}.timeout`),
    ...checkValues(chart.values, `${property}.values`),
    ...checkValuePaths(chart.values, `${property}.values`),
    ...checkPrivateKeys(chart.values, `${property}.values`),
    ...(chart.valuesFrom ?? []).flatMap((source, index) => checkValuesSource(source, `${property}.valuesFrom[${index}]`)),
  ];
}

const DELIVERY_VALUES_FROM_RULE: Rule = {
  id: 'TC-DELIVERY-VALUES-FROM',
  title: 'Values of a chart come from Secrets and ConfigMaps with names that Kubernetes accepts, and by a delivery that reads them.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (values references), kubernetes-sigs/cluster-api-addon-provider-helm '
    + 'internal/value_substitutions.go, argoproj/argo-cd docs/user-guide/helm.md',
};

/**
 * Refuses values that a delivery cannot read.
 *
 * @param delivery the chart
 * @param reader what installs the chart, e.g. `Argo CD`
 */
export function refuseValuesFrom({ name, chart }: ChartDelivery, reader: string): Problem[] {
  return (chart.valuesFrom ?? []).map((source, index) => ({
    rule: DELIVERY_VALUES_FROM_RULE,
    property: `charts["${name}"].valuesFrom[${index}]`,
    message: `${reader} does not read values from the ${source.kind} "${source.name}"`,
    fix: 'have the Secret made in the tenant and name it in the values, for which most charts have a key such as existingSecret, or deliver with FluxDelivery',
  }));
}

const STORAGE_NAMESPACE_RULE: Rule = {
  id: 'TC-DELIVERY-STORAGE-NAMESPACE',
  title: 'Only Flux finds the record of a Helm release in another namespace than that of the release.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (storage namespace), kubernetes-sigs/cluster-api-addon-provider-helm internal/helm_client.go',
};

/**
 * Refuses the record of a release in a namespace in which a delivery does not look for it.
 *
 * @param delivery the chart
 * @param reader what installs the chart, e.g. `Argo CD`
 */
export function refuseStorageNamespace({ name, chart }: ChartDelivery, reader: string): Problem[] {
  return chart.storageNamespace === undefined || chart.storageNamespace === chart.namespace ? [] : [{
    rule: STORAGE_NAMESPACE_RULE,
    property: `charts["${name}"].storageNamespace`,
    message: `${reader} looks for the release in "${chart.namespace}", not in "${chart.storageNamespace}"`,
    fix: 'remove it, or deliver with FluxDelivery',
  }];
}

/** Checks manifests of a Git repository that are to be delivered. */
export function checkGitManifests({ name, manifests: { repository, tag, path, timeout } }: GitManifestsDelivery): Problem[] {
  const property = `gitManifests["${name}"]`;
  return [
    ...checkGitRepository(repository, property),
    ...checkVersion({ chartVersion: tag, gitPath: path }, `${property}.tag`),
    ...checkGitPath(path, `${property}.path`, 'write the folder of the manifests, e.g. "config/crd"'),
    ...checkDuration(timeout, `${property}.timeout`),
  ];
}

function checkPackaged({ repository }: HelmChart, property: string, schemes: readonly string[]): Problem[] {
  return problemIf(REPOSITORY_RULE, `${property}.repository`, checkRepository(repository, schemes), schemes.includes('http')
    ? 'write the address of the repository, e.g. "https://charts.jetstack.io" or "oci://registry.example.com/charts"'
    : 'serve the charts over https, or from a registry as oci://');
}

function checkGitRepository(repository: string, property: string): Problem[] {
  return problemIf(REPOSITORY_RULE, `${property}.repository`, checkRepository(repository, ['https']), 'write the https address of the Git repository');
}

const DELIVERY_CHART_PATH_RULE: Rule = {
  id: 'TC-DELIVERY-CHART-PATH',
  title: 'A chart, or manifests, in a Git repository are in a folder of it.',
  source: 'fluxcd/source-controller docs/spec/v1/helmcharts.md, argoproj/argo-cd docs/user-guide/helm.md',
};

function checkGitPath(path: string, property: string, fix: string): Problem[] {
  return problemIf(DELIVERY_CHART_PATH_RULE, property, path === '' ? 'it is empty' : checkPath(path), fix);
}

const DELIVERY_CHART_NAME_RULE: Rule = {
  id: 'TC-DELIVERY-CHART-NAME',
  title: 'The name of a chart is written in lower-case letters, digits, "-" and ".".',
  source: 'helm.sh/docs/chart_best_practices/conventions, kubernetes-sigs/cluster-api-addon-provider-helm internal/helm_client.go',
};

function checkChartName(chart: string, property: string): Problem[] {
  if (checkDnsSubdomain(chart) === undefined) return [];
  return [{
    rule: DELIVERY_CHART_NAME_RULE,
    property,
    message: `${JSON.stringify(chart)} is not the name of a chart`,
    accepted: 'lower-case letters, digits, "-" and ".", starting and ending with a letter or digit',
    fix: chart.includes('/') ? 'put what is before the last "/" into the repository' : 'write the name as the repository spells it',
  }];
}

const DELIVERY_CHART_VERSION_RULE: Rule = {
  id: 'TC-DELIVERY-CHART-VERSION',
  title: 'A chart is installed in one exact version, so that the same input installs the same thing everywhere.',
  source: 'helm.sh/docs/topics/charts (semantic version 2), fluxcd/helm-controller docs/spec/v2/helmreleases.md',
};

function checkVersion({ chartVersion, gitPath }: Pick<HelmChart, 'chartVersion' | 'gitPath'>, property: string): Problem[] {
  if (gitPath === undefined ? parseSemanticVersion(chartVersion) : TAG.test(chartVersion)) return [];
  return [{
    rule: DELIVERY_CHART_VERSION_RULE,
    property,
    message: chartVersion === '' ? 'no version is given, so that every install may bring another one' : `${JSON.stringify(chartVersion)} is not one exact version`,
    accepted: gitPath === undefined ? 'a full version, e.g. "1.20.0" or "v1.20.0-rc.1"' : 'the tag of a release, with a digit in it',
    fix: 'look up the version in the repository and write it out',
  }];
}

const DELIVERY_VALUES_RULE: Rule = {
  id: 'TC-DELIVERY-VALUES',
  title: 'The values of a chart are what YAML can hold: objects, lists, strings, finite numbers, booleans and null.',
  source: 'helm.sh/docs/chart_template_guide/values_files',
};

function checkValues(values: unknown, property: string): Problem[] {
  const kind = noMap(values);
  if (kind !== undefined) {
    return [{ rule: DELIVERY_VALUES_RULE, property, message: `the value is ${kind}, and values of a chart are an object`, fix: 'write keys of the chart and their values' }];
  }
  return unwritableValues(values).map(({ path, what }) => ({
    rule: DELIVERY_VALUES_RULE,
    property: path === '' ? property : `${property}.${path}`,
    message: `the value is ${what}, which YAML cannot hold`,
    fix: 'replace it by an object, a list, a string, a number, a boolean or null',
  }));
}

const DELIVERY_VALUE_PATH_RULE: Rule = {
  id: 'TC-DELIVERY-VALUE-PATH',
  title: 'Values of a chart are written as in a values file, with an object for each level: a key with dots is one key, which a chart ignores.',
  source: 'helm.sh/docs/intro/using_helm (the format and limitations of --set)',
  warning: true,
};

/** Some charts have keys of files, such as "grafana.ini", but no scalar in them. */
function checkValuePaths(values: HelmChart['values'], property: string): Problem[] {
  return Object.entries(isFields(values) ? values : {}).filter(([key, value]) => SET_PATH.test(key) && typeof value !== 'object').map(([key]) => ({
    rule: DELIVERY_VALUE_PATH_RULE,
    property: `${property}[${JSON.stringify(key)}]`,
    message: 'the key has dots, and most likely is a path as "helm --set" takes it',
    fix: `write objects: ${key.split('.').map((part) => `${part}: `).join('{ ')}…${' }'.repeat(key.split('.').length - 1)}`,
  }));
}

function checkValuesSource({ kind, name, options: { key, targetPath } }: HelmValuesSource, property: string): Problem[] {
  const fix = `write it as in the ${kind}`;
  return [
    ...problemIf(DELIVERY_VALUES_FROM_RULE, property, checkDnsSubdomain(name), fix),
    ...(key === undefined || KEY.test(key) ? [] : [{
      rule: DELIVERY_VALUES_FROM_RULE, property: `${property}.key`, message: `${JSON.stringify(key)} is no key of a ${kind}`, accepted: 'letters, digits, "-", "_" and "."', fix,
    }]),
    ...(targetPath === undefined || TARGET_PATH.test(targetPath) ? [] : [{
      rule: DELIVERY_VALUES_FROM_RULE,
      property: `${property}.targetPath`,
      message: `${JSON.stringify(targetPath)} is no path of a value`,
      accepted: 'up to 250 characters: names of letters, digits, "-", "_" and "/" with dots between them, and places in lists such as "[0]"',
      fix: 'write the path as helm --set takes it, e.g. "grafana.adminPassword"',
    }]),
  ];
}

function checkPrivateKeys(values: unknown, property: string): Problem[] {
  return privateKeys(values).map((path) => ({
    rule: PRIVATE_KEY_RULE,
    property: `${property}.${path}`,
    message: 'the string holds a private key, which would be readable in the output',
    fix: 'let the chart read it from a Secret that is made in the tenant, e.g. by an ExternalSecret, and replace the key if it has been published',
  }));
}
