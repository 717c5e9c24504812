import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { unclosedAction } from '../../../rules/go-templates';
import { ManifestRule } from '../../../rules/manifest-rule';
import { valuesSecret } from '../../../rules/values-secret';
import { isSet, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseGoDuration } from '../../../values/go-duration';

const HELM_CHART_PROXY = 'addons.cluster.x-k8s.io/HelmChartProxy';
const HELM_RELEASE_PROXY = 'addons.cluster.x-k8s.io/HelmReleaseProxy';
const PROVIDER = 'kubernetes-sigs/cluster-api-addon-provider-helm';
const HTTPS = /^https:\/\/[^/?#:]+/i;
const OCI = /^oci:\/\/[^/?#:]+/;

/** A chart for a tenant, in which nothing is wrong. */
export const CHART_PROXY_TEXT = `apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: HelmChartProxy
metadata:
  name: acme-cert-manager
  namespace: tenant-acme
spec:
  clusterSelector:
    matchLabels: {cluster.x-k8s.io/cluster-name: acme}
  chartName: cert-manager
  repoURL: https://charts.jetstack.io
  version: v1.20.0
  releaseName: cert-manager
  namespace: cert-manager
  options:
    timeout: 10m0s
  valuesTemplate: |
    global:
      clusterName: {{ .Cluster.metadata.name }}
`;

const repository: ManifestRule = {
  id: 'TC-ADMIT-HELMCHART-REPOSITORY',
  title: 'The repository of a chart must be an https or oci URL with a host.',
  source: `${PROVIDER} api/v1alpha1/helmchartproxy_webhook.go`,
  kinds: [HELM_CHART_PROXY, HELM_RELEASE_PROXY],
  example: replaced(CHART_PROXY_TEXT, 'repoURL: https://charts.jetstack.io', 'repoURL: http://charts.example.com'),
  check: (object) => {
    const given = stringAt(object, 'spec', 'repoURL');
    return given === undefined || HTTPS.test(given) || OCI.test(given) ? [] : [{
      path: ['spec', 'repoURL'], message: `"${given}" is not the address of a repository`, accepted: '"https://…" or "oci://…" with a host', fix: 'serve the charts over https, or from a registry',
    }];
  },
};

const timeout: ManifestRule = {
  id: 'TC-ADMIT-HELMCHART-TIMEOUT',
  title: 'A timeout must be a Go duration.',
  source: `${PROVIDER} api/v1alpha1/helmchartproxy_types.go`,
  kinds: [HELM_CHART_PROXY, HELM_RELEASE_PROXY],
  example: replaced(CHART_PROXY_TEXT, 'timeout: 10m0s', 'timeout: 1d'),
  check: (object) => {
    const given = stringAt(object, 'spec', 'options', 'timeout');
    return given === undefined || parseGoDuration(given) !== undefined ? [] : [{
      path: ['spec', 'options', 'timeout'], message: `"${given}" is not a duration`, accepted: 'numbers with the units h, m, s, ms, such as "10m"', fix: 'write it in hours, minutes or seconds',
    }];
  },
};

const version: ManifestRule = {
  id: 'TC-TRAP-HELMCHART-VERSION',
  title: 'A HelmChartProxy must have the version of its chart: every reconciliation may install a newer one otherwise.',
  source: `${PROVIDER} api/v1alpha1/helmchartproxy_types.go`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: replaced(CHART_PROXY_TEXT, '  version: v1.20.0\n', ''),
  check: (object) => (stringAt(object, 'spec', 'version') === undefined ? [{
    path: ['spec', 'version'], message: 'no version is given, so that it is always the newest', fix: 'look up the version in the repository and write it out',
  }] : []),
};

const credentials: ManifestRule = {
  id: 'TC-TRAP-HELMCHART-CREDENTIALS',
  title: 'Credentials require an oci registry: they are not sent to an https repository.',
  source: `${PROVIDER} internal/helm_client.go`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: {
    failing: CHART_PROXY_TEXT.replace('  version:', '  credentials: {secret: {name: registry, namespace: tenant-acme}, key: config.json}\n  version:'),
    corrected: CHART_PROXY_TEXT.replace('  version:', '  credentials: {secret: {name: registry, namespace: tenant-acme}, key: config.json}\n  version:')
      .replace('https://charts.jetstack.io', 'oci://registry.example.com/charts'),
  },
  check: (object) => (isSet(object, 'spec', 'credentials') && HTTPS.test(stringAt(object, 'spec', 'repoURL') ?? '') ? [{
    path: ['spec', 'credentials'], message: 'an https repository is asked without credentials', fix: 'keep the charts in a registry (oci://…), or remove credentials',
  }] : []),
};

const template: ManifestRule = {
  id: 'TC-TRAP-HELMCHART-TEMPLATE',
  title: 'Every action of a values template must be closed: the release waits for ever otherwise.',
  source: `${PROVIDER} internal/value_substitutions.go, pkg.go.dev/text/template`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: replaced(CHART_PROXY_TEXT, '{{ .Cluster.metadata.name }}', '{{ .Cluster.metadata.name }'),
  check: checkTemplate,
};

const secretValue = valuesSecret({
  id: 'TC-TRAP-HELMCHART-VALUES-SECRET',
  kind: HELM_CHART_PROXY,
  example: {
    failing: CHART_PROXY_TEXT.replace('global:', 'adminPassword: swordfish\n    global:'),
    corrected: CHART_PROXY_TEXT.replace('global:', 'admin: {existingSecret: grafana-admin}\n    global:'),
  },
  fix: '',
  // A template is YAML before it is rendered, too, if its actions are texts.
  valuesOf: (object) => [{ path: ['spec', 'valuesTemplate'], text: stringAt(object, 'spec', 'valuesTemplate')?.replace(/\{\{(?:[^{\n]|\{(?!\{))*?\}\}/g, '<action>') }],
});

/** Rules for the objects of the Cluster API add-on provider for Helm. */
export const HELM_CHART_PROXY_MANIFEST_RULES: readonly ManifestRule[] = [repository, timeout, version, credentials, template, secretValue];

function checkTemplate(object: ManifestObject): readonly Finding[] {
  const text = stringAt(object, 'spec', 'valuesTemplate');
  const line = text === undefined ? undefined : unclosedAction(text);
  return line === undefined ? [] : [{
    path: ['spec', 'valuesTemplate'], message: `the action that starts in line ${line} is not closed`, fix: 'close it with "}}", or write braces that are none as {{"{{"}}',
  }];
}
