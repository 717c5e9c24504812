import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { namespaceOf } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { valuesSecret } from '../../../rules/values-secret';
import { fieldAt, isSet, numberAt, stringAt } from '../../../values/fields';
import { HELM_RELEASE, KUSTOMIZATION } from '../deliveries';

const HELM_CRD = 'fluxcd/helm-controller config/crd/bases/helm.toolkit.fluxcd.io_helmreleases.yaml (x-kubernetes-validations)';
const HELM_DOCS = 'fluxcd/helm-controller docs/spec/v2/helmreleases.md';
const RETRY = 'RetryOnFailure';
const REMEDIATE = 'RemediateOnFailure';

/** Uses of the namespaces that a HelmRelease names, in words. */
const WHAT_GOES: Readonly<Record<string, string>> = { targetNamespace: 'the chart is installed into', storageNamespace: 'Helm keeps its records of the release in' };

/** A chart whose hook enables the authentication of its etcd after an installation, and not after an upgrade. */
const ETCD_CHART = 'kamaji-etcd';
const ETCD_RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: etcd
  namespace: flux-system
spec:
  interval: 10m
  chart:
    spec:
      chart: ${ETCD_CHART}
      version: 0.17.0
      sourceRef: {kind: HelmRepository, name: clastix}
  releaseName: etcd
  targetNamespace: ${ETCD_CHART}
  storageNamespace: ${ETCD_CHART}
  install:
    createNamespace: true
    remediation: {retries: -1}
    strategy: {name: RemediateOnFailure}
`;

/** Namespaces that every cluster has. */
const EVERYWHERE: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const chart: ManifestRule = {
  id: 'TC-ADMIT-FLUX-CHART',
  title: 'A HelmRelease must have either chart or chartRef.',
  source: HELM_CRD,
  kinds: [HELM_RELEASE],
  example: replaced(HELM_RELEASE_TEXT, '  kubeConfig:', '  chartRef: {kind: OCIRepository, name: cert-manager}\n  kubeConfig:'),
  check: (object) => {
    if (!isSet(object, 'spec')) return [];
    const [own, reference] = [isSet(object, 'spec', 'chart'), isSet(object, 'spec', 'chartRef')];
    return own !== reference ? [] : [{
      path: ['spec', 'chart'], message: own ? 'chart and chartRef are both given' : 'neither chart nor chartRef is given', fix: 'keep one of the two',
    }];
  },
};

const kubeconfig: ManifestRule = {
  id: 'TC-ADMIT-FLUX-KUBECONFIG',
  title: 'A kubeconfig must come from either a Secret or a ConfigMap.',
  source: `${HELM_CRD}, fluxcd/kustomize-controller config/crd/bases`,
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  example: replaced(KUSTOMIZATION_TEXT, '    secretRef: {name: acme-kubeconfig, key: value}', '    secretRef: {name: acme-kubeconfig, key: value}\n    configMapRef: {name: acme-access}'),
  check: (object) => {
    if (!isSet(object, 'spec', 'kubeConfig')) return [];
    const given = ['configMapRef', 'secretRef'].filter((field) => isSet(object, 'spec', 'kubeConfig', field));
    return given.length === 1 ? [] : [{
      path: ['spec', 'kubeConfig'], message: given.length === 0 ? 'it has neither secretRef nor configMapRef' : 'it has both secretRef and configMapRef', fix: 'keep one of the two',
    }];
  },
};

const retryInterval: ManifestRule = {
  id: 'TC-ADMIT-FLUX-RETRY-INTERVAL',
  title: `A retryInterval requires the strategy ${RETRY}.`,
  source: HELM_CRD,
  kinds: [HELM_RELEASE],
  example: replaced(HELM_RELEASE_TEXT, `strategy: {name: ${RETRY}, retryInterval: 30s}\n`, `remediation: {retries: -1}\n    strategy: {name: ${REMEDIATE}, retryInterval: 30s}\n`),
  check: (object) => ['install', 'upgrade'].flatMap((action) => {
    const strategy = ['spec', action, 'strategy'];
    const name = stringAt(object, ...strategy, 'name');
    const wrong = action === 'install' ? name === REMEDIATE : name !== undefined && name !== RETRY;
    return !wrong || !isSet(object, ...strategy, 'retryInterval') ? [] : [{
      path: [...strategy, 'retryInterval'], message: `the strategy ${name} has no retryInterval`, fix: `write ${RETRY}, or remove retryInterval`,
    }];
  }),
};

/** Ranges without a bound above (github.com/Masterminds/semver constraints.go). */
const ANY_VERSION = /^(?:[*xX](?:\.[*xX])*|(?:>=?|!=) ?[^\s<,|]+)?$/;

/** Ranges of versions, with wildcards, operators or parts left out. */
const VERSION_RANGE = /^v?\d+(?:\.\d+)?$|(?:^|\.)[xX*](?:\.|$|\s)|[\^~<>|,]|\s-\s/;

const versionRange: ManifestRule = {
  id: 'TC-TRAP-FLUX-CHART-RANGE',
  title: 'A chart from a HelmRepository should have one version: Flux upgrades to each new one of a range, and no commit says when.',
  source: HELM_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  warning: true,
  example: replaced(HELM_RELEASE_TEXT, 'version: v1.20.0', 'version: 1.x'),
  check: (object) => {
    const path = ['spec', 'chart', 'spec', 'version'];
    const given = stringAt(object, ...path)?.trim();
    if (stringAt(object, 'spec', 'chart', 'spec', 'sourceRef', 'kind') !== 'HelmRepository' || given === undefined || ANY_VERSION.test(given) || !VERSION_RANGE.test(given)) return [];
    return [{ path, message: `${JSON.stringify(given)} is a range: the newest version in it is installed as soon as the repository has it`, fix: 'write one version, and let a tool such as Renovate change it in commits' }];
  },
};

const version: ManifestRule = {
  id: 'TC-TRAP-FLUX-CHART-VERSION',
  title: 'A chart from a HelmRepository must have a version: Flux upgrades to each new one otherwise.',
  source: HELM_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(HELM_RELEASE_TEXT, 'version: v1.20.0', 'version: "*"'),
  check: (object) => {
    const spec = ['spec', 'chart', 'spec'];
    const given = stringAt(object, ...spec, 'version');
    if (stringAt(object, ...spec, 'sourceRef', 'kind') !== 'HelmRepository' || (given !== undefined && !ANY_VERSION.test(given.trim()))) return [];
    return [{
      path: [...spec, 'version'], message: given === undefined ? 'no version is given, so that it is always the newest' : 'any version will do, so that it is always the newest', fix: 'look up the version in the repository and write it out',
    }];
  },
};

const namespaces: ManifestRule = {
  id: 'TC-TRAP-FLUX-NAMESPACES',
  title: 'A HelmRelease into another cluster must have targetNamespace and storageNamespace: Flux uses a namespace named like that of the HelmRelease otherwise.',
  source: HELM_DOCS,
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(HELM_RELEASE_TEXT, '  storageNamespace: cert-manager\n', ''),
  check: (object) => (!isSet(object, 'spec', 'kubeConfig') || EVERYWHERE.includes(namespaceOf(object) ?? 'default') ? []
    : ['targetNamespace', 'storageNamespace'].filter((field) => !isSet(object, 'spec', field)).map((field) => ({
      path: ['spec', field],
      message: `${WHAT_GOES[field]} the namespace "${namespaceOf(object)}" of the other cluster, which must be created there first`,
      fix: `write ${field}: the namespace of the other cluster that the chart is for`,
    }))),
};

const retries: ManifestRule = {
  id: 'TC-TRAP-FLUX-INSTALL-RETRIES',
  title: 'A HelmRelease into another cluster must retry a failed installation: by default it stops after the first attempt, and new clusters are slow.',
  source: `${HELM_DOCS} (install configuration)`,
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(HELM_RELEASE_TEXT, `    strategy: {name: ${RETRY}, retryInterval: 30s}\n`, ''),
  check: (object) => {
    const install = ['spec', 'install'];
    const again = stringAt(object, ...install, 'strategy', 'name') === RETRY || (numberAt(object, ...install, 'remediation', 'retries') ?? 0) !== 0;
    return again || !isSet(object, 'spec', 'kubeConfig') ? [] : [{
      path: install, message: 'an installation that fails is not tried again', fix: `write strategy: {name: ${RETRY}}, or remediation: {retries: -1}`,
    }];
  },
};

const installHooks: ManifestRule = {
  id: 'TC-TRAP-FLUX-INSTALL-HOOKS',
  title: `A HelmRelease of the chart ${ETCD_CHART} must not retry a failed installation as an upgrade, which skips the hook that enables authentication; or hooks are off, and a separate Job enables it.`,
  source: `fluxcd/helm-controller v1.6.3 internal/reconcile/atomic_release.go (ReleaseStatusFailed), clastix/kamaji-etcd v0.17.0 charts/${ETCD_CHART}/templates/etcd_job_preinstall_2.yaml`,
  kinds: [HELM_RELEASE],
  trap: true,
  example: replaced(ETCD_RELEASE_TEXT, REMEDIATE, RETRY),
  check: (object) => {
    const install = ['spec', 'install'];
    const strategy = [...install, 'strategy', 'name'];
    const name = stringAt(object, 'spec', 'chart', 'spec', 'chart')?.split('/').pop();
    return name !== ETCD_CHART || stringAt(object, ...strategy) !== RETRY || fieldAt(object, ...install, 'disableHooks') === true ? [] : [{
      path: strategy,
      message: 'if the first installation fails, the release turns ready without authentication: the certificate of each tenant opens the data of all others',
      fix: `write ${REMEDIATE} with remediation: {retries: -1}, or disableHooks: true and a Job of your own that runs "etcdctl auth enable"`,
    }];
  },
};

const secretValue = valuesSecret({
  id: 'TC-TRAP-FLUX-VALUES-SECRET',
  kind: HELM_RELEASE,
  example: {
    failing: `${HELM_RELEASE_TEXT}  values:\n    adminPassword: swordfish\n`,
    corrected: `${HELM_RELEASE_TEXT}  valuesFrom:\n    - {kind: Secret, name: acme-grafana, valuesKey: password, targetPath: adminPassword, literal: true}\n`,
  },
  fix: ', or let Flux read the value: valuesFrom',
  valuesOf: (object) => [{ path: ['spec', 'values'], values: fieldAt(object, 'spec', 'values') }],
});

/** HelmReleases, and what Kustomizations share with them. */
export const HELM_RELEASES: readonly ManifestRule[] = [
  chart, kubeconfig, retryInterval, version, versionRange, namespaces, retries, installHooks, secretValue,
];
