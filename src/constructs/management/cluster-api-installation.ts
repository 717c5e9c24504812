import { ApiObject, Chart } from 'cdk8s';
import { CERT_MANAGER_DELIVERY } from './cert-manager-installation';
import { checkClusterApiGates, ClusterApiFeatureGates, clusterApiGates, kamajiProviderGates } from './cluster-api-feature-gates';
import {
  addProvider, ARGUMENT_RULE, FurtherProvider, KamajiProviderOptions, KubevirtProviderOptions, ProviderKind, ProviderObject,
  ProviderOptions, VersionedProviderOptions,
} from './cluster-api-provider';
import { checkReplicas } from './component-options';
import { checkChartOptions, managementChart, ManagementChartOptions } from './management-chart';
import { ManagementPlan } from './management-plan';
import { ManagementComponent, minorOf, needsBootstrapAccess, pinnedVersion, VERSION_CONFLICT_RULE, VERSION_RULE } from './version-matrix';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { CORE_RELEASE } from '../../manifests/systems/cluster-api-operator/components';
import { HELM_RELEASE } from '../../manifests/systems/helm-chart-proxy/provider';
import { KAMAJI_RELEASE } from '../../manifests/systems/kamaji/components';
import { KUBEADM_BOOTSTRAP_RELEASE, KUBEADM_CONTROL_PLANE_RELEASE } from '../../manifests/systems/kubeadm/provider';
import { KUBEVIRT_RELEASE } from '../../manifests/systems/kubevirt/components';
import { CLUSTER_API_OF_PROVIDER } from '../../manifests/systems/kubevirt/feature-gates';
import { VULTR_RELEASE } from '../../manifests/systems/vultr/provider';
import { CatalogName } from '../../manifests/values/catalog';
import { Problem } from '../../manifests/values/problem';
import { ProviderRelease } from '../../manifests/values/provider-release';
import { SecretRef } from '../../manifests/values/secret-ref';
import { isReleaseTag } from '../../manifests/values/semantic-version';
import { CLUSTER_API_OPERATOR_CHART } from '../../manifests/values/versions';
import { TypedApiObject } from '../app/synth/typed-api-object';

const OPERATOR = 'cluster-api-operator';
const PROVIDERS = 'cluster-api-providers';
const PROPERTY = 'clusterApi';

/** Providers whose releases the library knows. */
const RELEASES = [
  CORE_RELEASE, KUBEADM_BOOTSTRAP_RELEASE, KUBEADM_CONTROL_PLANE_RELEASE, KAMAJI_RELEASE, KUBEVIRT_RELEASE, HELM_RELEASE, VULTR_RELEASE,
];

const BOOTSTRAP_NAMESPACE = 'capi-kubeadm-bootstrap-system';

/** Options of the Cluster API Operator. */
export interface ClusterApiOperatorOptions extends ManagementChartOptions {
  /**
   * Number of replicas of the operator: one leader, the others on standby (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;
}

/** Options of Cluster API and its providers. */
export interface ClusterApiInstallationOptions {
  /**
   * Version of Cluster API. The core, kubeadm bootstrap and kubeadm control plane providers are one release (`TC-MANAGEMENT-VERSION`,
   * `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;

  /**
   * Feature gates of these three providers (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - their own defaults
   */
  readonly featureGates?: ClusterApiFeatureGates;

  /**
   * Options of the operator, which installs the providers.
   *
   * @default - one replica of the version that the library was released with
   */
  readonly operator?: ClusterApiOperatorOptions;

  /**
   * Options of the core provider.
   *
   * @default - the values of its manifests
   */
  readonly core?: ProviderOptions;

  /**
   * Options of the kubeadm bootstrap provider, which turns machines into nodes.
   *
   * @default - the values of its manifests
   */
  readonly kubeadmBootstrap?: ProviderOptions;

  /**
   * Options of the kubeadm control plane provider, for tenants whose control planes are machines.
   *
   * @default - it is not installed
   */
  readonly kubeadmControlPlane?: ProviderOptions;

  /**
   * Options of the Kamaji provider, for hosted control planes.
   *
   * @default - the values of its manifests
   */
  readonly kamajiControlPlane?: KamajiProviderOptions;

  /**
   * Options of the KubeVirt provider, for machines in a cluster.
   *
   * @default - the values of its manifests
   */
  readonly kubevirtInfrastructure?: KubevirtProviderOptions;

  /**
   * Options of the Helm add-on provider, which `HelmChartProxyDelivery` needs.
   *
   * @default - the values of its manifests
   */
  readonly helmAddon?: VersionedProviderOptions;

  /**
   * Further providers (`TC-MANAGEMENT-PROVIDER`).
   *
   * @default - none
   */
  readonly furtherProviders?: FurtherProvider[];

  /**
   * Secret with variables for all providers, such as `GITHUB_TOKEN` against GitHub's rate limit. The `configSecret` of a provider replaces
   * it.
   *
   * @default - none
   */
  readonly configSecret?: SecretRef;
}

/**
 * Installation of Cluster API and its providers in the management cluster.
 *
 * @example
 * const clusterApi = management.ClusterApiInstallation.operator({ operator: { replicas: 2 } });
 */
export class ClusterApiInstallation {
  /**
   * This app installs the chart of the Cluster API Operator, and objects such as `CoreProvider` and `BootstrapProvider`
   * (operator.cluster.x-k8s.io/v1alpha2). From these, the operator installs the providers: core, kubeadm bootstrap, Kamaji, KubeVirt and
   * Helm, and others on request. It fetches a provider without `ociArtifact` from GitHub.
   *
   * Source: kubernetes-sigs/cluster-api-operator api/v1alpha2, hack/charts/cluster-api-operator v0.28.0.
   *
   * @param options what differs from the defaults
   */
  public static operator(options: ClusterApiInstallationOptions = {}): ClusterApiInstallation {
    return new ClusterApiInstallation(options);
  }

  /** This app does not install Cluster API and its providers: they are already installed. */
  public static existing(): ClusterApiInstallation {
    return new ClusterApiInstallation(undefined);
  }

  private constructor(private readonly options: ClusterApiInstallationOptions | undefined) {}

  /**
   * Version of Cluster API. Undefined if this app does not install it, or if the version is invalid.
   *
   * @internal
   */
  public _version(versions: CatalogName): string | undefined {
    const version = this.options && clusterApiVersion(this.options, versions);
    return version !== undefined && isReleaseTag(version) ? version : undefined;
  }

  /**
   * Versions of the providers of a kind by name, including disabled ones that are installed separately. Undefined if this app does not
   * install Cluster API, or if a version is invalid.
   *
   * @internal
   */
  public _providers(kind: ProviderKind, versions: CatalogName): { [name: string]: string } | undefined {
    if (!this.options) return undefined;
    const providers = providersOf(this.options, versions).filter((provider) => provider.kind === kind);
    if (!providers.every(({ version }) => isReleaseTag(version))) return undefined;
    return Object.fromEntries(providers.map(({ release, name, version }) => [release?.name ?? name, version]));
  }

  /**
   * Plans operator and providers.
   *
   * @param plan the plan of deliveries
   * @param after further deliveries that providers need
   * @returns the objects of the providers, the core provider first
   * @internal
   */
  public _plan(plan: ManagementPlan, after: readonly string[]): ApiObject[] {
    const { options } = this;
    if (!options) return [];
    planOperator(plan, options.operator ?? {});
    const manifests = plan.addManifests(PROVIDERS, [OPERATOR, CERT_MANAGER_DELIVERY, ...after]);
    const providers = providersOf(options, plan.catalog).filter((provider) => provider.options.enabled ?? true);
    const objects = providers.flatMap(({ component, ...provider }) => {
      if (component) plan.install(component, provider.version, provider.versionProperty);
      const extraArgs = { ...defaultArgs(plan, provider), ...provider.options.extraArgs };
      return addProvider(plan, manifests, { ...provider, options: { configSecret: options.configSecret, ...provider.options, extraArgs } }) ?? [];
    });
    plan.report(...checkClusterApi(options, plan.catalog));
    const has = (release: ProviderRelease) => providers.some(({ kind, name }) => kind === release.kind && name === release.name);
    const kamaji = versionOf('kamajiProvider', options.kamajiControlPlane, plan.catalog);
    const both = has(KUBEADM_BOOTSTRAP_RELEASE) && has(KAMAJI_RELEASE);
    if (both && needsBootstrapAccess(clusterApiVersion(options, plan.catalog), kamaji)) {
      addBootstrapAccess(manifests, options.kubeadmBootstrap?.namespace ?? BOOTSTRAP_NAMESPACE);
    }
    return objects;
  }
}

/**
 * Arguments of providers that serve all tenants. The Kamaji provider has one worker by default (main.go, v0.20.0), and the KubeVirt provider a
 * fifth of the requests to the API server that the other providers of Cluster API may send, all of which have 50 workers or more (main.go,
 * v0.11.2; kubernetes-sigs/cluster-api core/main.go, v1.14.2).
 */
function defaultArgs(plan: ManagementPlan, { release }: Pick<Provider, 'release'>): { [name: string]: string } {
  if (release === KAMAJI_RELEASE) return { 'max-concurrent-reconciles': plan.sized(({ workers }) => `${workers}`) };
  return release === KUBEVIRT_RELEASE ? { 'kube-api-qps': '100', 'kube-api-burst': '200' } : {};
}

function planOperator(plan: ManagementPlan, operator: ClusterApiOperatorOptions): void {
  const property = `${PROPERTY}.operator`;
  plan.report(...checkReplicas(`${property}.replicas`, operator.replicas), ...checkChartOptions(property, operator));
  const pinned = plan.pinned('clusterApiOperator');
  const chart = managementChart({
    chart: OPERATOR,
    pin: { ...CLUSTER_API_OPERATOR_CHART, version: pinned },
    releaseName: 'capi-operator',
    namespace: 'capi-operator-system',
    tolerations: { tolerations: CONTROL_PLANE_TOLERATIONS },
    // The chart would create provider objects as hooks, which no tool reconciles or removes.
    values: { enableHelmHook: false, replicaCount: operator.replicas },
    images: [{ image: `${OPERATOR_IMAGE}:v${pinned}`, repositoryKey: 'image.manager.repository', tagKey: 'image.manager.tag' }],
  }, operator);
  plan.install('clusterApiOperator', chart.chartVersion, `${property}.chartVersion`);
  plan.addChart(OPERATOR, chart, [CERT_MANAGER_DELIVERY]);
}

/**
 * The image of the published chart; its sources name an image of a test build (kubernetes-sigs/cluster-api-operator Makefile, release
 * targets).
 */
const OPERATOR_IMAGE = 'registry.k8s.io/capi-operator/cluster-api-operator';

/** The list of the chart's `values.yaml`: a list in the values replaces it. */
const CONTROL_PLANE_TOLERATIONS = [
  { effect: 'NoSchedule', key: 'node-role.kubernetes.io/master' },
  { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' },
];

type Provider = ProviderObject & { readonly component?: ManagementComponent };

function providersOf(options: ClusterApiInstallationOptions, versions: CatalogName): Provider[] {
  const { core = {}, kubeadmBootstrap = {}, kubeadmControlPlane, kamajiControlPlane = {}, kubevirtInfrastructure = {}, helmAddon = {} } = options;
  const version = clusterApiVersion(options, versions);
  const featureGates = clusterApiGates(options.featureGates);
  const component = 'clusterApi' as const;
  return [
    asProvider(CORE_RELEASE, 'core', 'capi-system', { component, version, featureGates, options: core }),
    asProvider(KUBEADM_BOOTSTRAP_RELEASE, 'kubeadmBootstrap', BOOTSTRAP_NAMESPACE, {
      component, version, featureGates, options: kubeadmBootstrap,
    }),
    ...(kubeadmControlPlane ? [asProvider(KUBEADM_CONTROL_PLANE_RELEASE, 'kubeadmControlPlane', 'capi-kubeadm-control-plane-system', {
      component, version, featureGates, options: kubeadmControlPlane,
    })] : []),
    asProvider(KAMAJI_RELEASE, 'kamajiControlPlane', 'kamaji-system', {
      component: 'kamajiProvider',
      version: versionOf('kamajiProvider', kamajiControlPlane, versions),
      featureGates: kamajiProviderGates(kamajiControlPlane.featureGates),
      options: kamajiControlPlane,
    }),
    asProvider(KUBEVIRT_RELEASE, 'kubevirtInfrastructure', 'capk-system', {
      component: 'kubevirtProvider',
      version: versionOf('kubevirtProvider', kubevirtInfrastructure, versions),
      featureGates: clusterApiGates(kubevirtInfrastructure.featureGates),
      options: kubevirtInfrastructure,
    }),
    asProvider(HELM_RELEASE, 'helmAddon', 'caaph-system', {
      component: 'helmAddonProvider', version: versionOf('helmAddonProvider', helmAddon, versions), options: helmAddon,
    }),
    ...(options.furtherProviders ?? []).map((further, index) => ({
      kind: further.kind,
      name: further.name,
      release: releaseOf(further),
      version: further.version,
      url: further.url,
      namespace: further.namespace ?? `${further.name}-system`,
      options: further,
      property: `${PROPERTY}.furtherProviders[${index}]`,
      versionProperty: `${PROPERTY}.furtherProviders[${index}].version`,
    })),
  ];
}

function asProvider(
  release: ProviderRelease, property: string, namespace: string, rest: Pick<Provider, 'component' | 'version' | 'featureGates' | 'options'>,
): Provider {
  const { kind, name } = release;
  const versionProperty = rest.component === 'clusterApi' ? `${PROPERTY}.version` : `${PROPERTY}.${property}.version`;
  return { kind, name, release, property: `${PROPERTY}.${property}`, versionProperty, namespace: rest.options.namespace ?? namespace, ...rest };
}

/** The releases of a provider that may be installed under another name than clusterctl's. */
function releaseOf({ kind, name, url = '' }: FurtherProvider): ProviderRelease | undefined {
  return RELEASES.find((release) => `${release.kind}` === kind && (release.name === name || (release.releases !== undefined && url.startsWith(`${release.releases}/`))));
}

function clusterApiVersion({ version }: ClusterApiInstallationOptions, versions: CatalogName): string {
  return version ?? pinnedVersion('clusterApi', versions);
}

function versionOf(component: ManagementComponent, options: VersionedProviderOptions | undefined, versions: CatalogName): string {
  return options?.version ?? pinnedVersion(component, versions);
}

function checkClusterApi(options: ClusterApiInstallationOptions, versions: CatalogName): Problem[] {
  const { kamajiControlPlane = {}, kubevirtInfrastructure, furtherProviders = [] } = options;
  const version = clusterApiVersion(options, versions);
  const kubevirt = versionOf('kubevirtProvider', kubevirtInfrastructure, versions);
  const dynamic = kamajiControlPlane.featureGates?.dynamicInfrastructureClusterPatch === true;
  return [
    ...checkClusterApiGates(`${PROPERTY}.featureGates`, options.featureGates, `Cluster API ${version}`, minorOf('clusterApi', version)),
    ...checkClusterApiGates(
      `${PROPERTY}.kubevirtInfrastructure.featureGates`, kubevirtInfrastructure?.featureGates, `the KubeVirt provider ${kubevirt}`,
      CLUSTER_API_OF_PROVIDER[minorOf('kubevirtProvider', kubevirt) ?? 0],
    ),
    ...(kamajiControlPlane.extraArgs?.['dynamic-infrastructure-clusters'] === undefined || dynamic ? [] : [{
      rule: ARGUMENT_RULE,
      property: `${PROPERTY}.kamajiControlPlane.extraArgs["dynamic-infrastructure-clusters"]`,
      message: 'the Kamaji provider does not start with it while its feature gate is off',
      fix: 'also set featureGates.dynamicInfrastructureClusterPatch to true',
    }]),
    ...furtherProviders.flatMap((further, index) => checkFurtherVersion(`${PROPERTY}.furtherProviders[${index}].version`, further)),
  ];
}

function checkFurtherVersion(property: string, further: FurtherProvider): Problem[] {
  const { version, ociArtifact } = further;
  const faults = ociArtifact === undefined ? releaseOf(further)?.faults ?? [] : [];
  return [
    ...faults.filter(({ versions }) => versions.test(version)).map(({ reason, source, fix }) => ({
      rule: VERSION_CONFLICT_RULE, property, message: `${version}: ${reason} (${source})`, fix,
    })),
    ...(isReleaseTag(version) ? [] : [{
      rule: VERSION_RULE,
      property,
      message: `${JSON.stringify(version)} is not an exact version`,
      accepted: 'versions written like "v0.4.0"',
      fix: 'write the version of the release',
    }]),
  ];
}

/**
 * Lets the kubeadm bootstrap provider read the version of a Kamaji control plane, without which no machine is bootstrapped
 * (clastix/cluster-api-control-plane-provider-kamaji pull request 392).
 */
function addBootstrapAccess(manifests: Chart, namespace: string): void {
  const name = 'capi-kubeadm-bootstrap-kamaji-control-planes';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name, annotations: keepOnPrune() };
  new TypedApiObject(manifests, 'ClusterRole', { apiVersion, kind: 'ClusterRole', clusterScoped: true }, {
    metadata,
    rules: [{ apiGroups: ['controlplane.cluster.x-k8s.io'], resources: ['kamajicontrolplanes'], verbs: ['get', 'list', 'watch'] }],
  });
  new TypedApiObject(manifests, 'ClusterRoleBinding', { apiVersion, kind: 'ClusterRoleBinding', clusterScoped: true }, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'capi-kubeadm-bootstrap-manager', namespace }],
  });
}
