import { ApiObject, Chart } from 'cdk8s';
import { ClusterApiFeatureGates, KamajiProviderFeatureGates } from './cluster-api-feature-gates';
import {
  checkImage, checkLabelName, checkObjectName, checkPlacement, checkReplicas, checkResources, IMAGE_RULE,
} from './component-options';
import { addNamespace, ManagementPlan } from './management-plan';
import {
  AddonProvider, BootstrapProvider, ControlPlaneProvider, CoreProvider, InfrastructureProvider, IpamProvider, ProviderSpec, Quantity,
  RuntimeExtensionProvider,
} from '../../../imports/operator.cluster.x-k8s.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { parseImageReference } from '../../manifests/values/image-reference';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { ProviderRelease } from '../../manifests/values/provider-release';
import { checkUrl } from '../../manifests/values/repository-address';
import { ResourceRequirements } from '../../manifests/values/resource-requirements';
import { SecretRef } from '../../manifests/values/secret-ref';
import { Toleration } from '../../manifests/values/taints';

/** Options of a provider. */
export interface ProviderOptions {
  /**
   * True if this app installs the provider. Disable it if the provider is not needed, or is installed separately.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Namespace of the provider, created by this app. It cannot be changed later: the operator would install the provider twice.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   *
   * @default - the namespace in its manifests
   */
  readonly namespace?: string;

  /**
   * Number of replicas of the manager: one leader, the others on standby (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * CPU and memory of the manager (`TC-MANAGEMENT-RESOURCES`).
   *
   * @default - those of its manifests
   */
  readonly resources?: ResourceRequirements;

  /**
   * Tolerations of the manager's pods (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - those of its manifests
   */
  readonly tolerations?: Toleration[];

  /**
   * Labels of the nodes that the manager may run on.
   *
   * @default - those of its manifests
   */
  readonly nodeSelector?: { [label: string]: string };

  /**
   * Image of the manager, e.g. from a mirror: registry, repository and tag or digest (`TC-MANAGEMENT-IMAGE`).
   *
   * @default - the image in its manifests
   */
  readonly image?: string;

  /**
   * Images of the manager's sidecars, by the name of the container. The operator does not install the provider if its release has no such
   * container.
   *
   * Rule: `TC-MANAGEMENT-IMAGE`.
   *
   * @default - the images in its manifests; for `vultr-vultr` up to v0.4, `kube-rbac-proxy` from quay.io, since the image of its manifests
   * was deleted
   */
  readonly sidecarImages?: { [container: string]: string };

  /**
   * Names of Secrets with the credentials of registries, in the provider's namespace (`TC-MANAGEMENT-NAME`).
   *
   * @default - those of `companyNetwork`, else none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Further arguments of the manager, by name without leading hyphens (`TC-MANAGEMENT-ARGUMENT`).
   *
   * @default - for Kamaji `max-concurrent-reconciles`, which follows from the number of tenants: 4 up to 20, 8 up to 50, 12 up to 100, 16 up to
   * 200, else 32; for KubeVirt `kube-api-qps: 100` and `kube-api-burst: 200`; else none
   */
  readonly extraArgs?: { [name: string]: string };

  /**
   * Secret with the variables of the provider's manifests, such as credentials, and `GITHUB_TOKEN` against GitHub's rate limit. The
   * operator reads it once; to change a variable, set another Secret.
   *
   * @default - the Secret of `clusterApi`
   */
  readonly configSecret?: SecretRef;

  /**
   * OCI artifact with the provider's manifests, `registry.example.com/providers/name`, for networks without access to GitHub.
   *
   * @default - the release on GitHub
   */
  readonly ociArtifact?: string;
}

/** Options of a provider with its own version. */
export interface VersionedProviderOptions extends ProviderOptions {
  /**
   * Version of the provider (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the version that the library was released with
   */
  readonly version?: string;
}

/** Options of the Kamaji provider. */
export interface KamajiProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: KamajiProviderFeatureGates;
}

/** Options of the KubeVirt provider. */
export interface KubevirtProviderOptions extends VersionedProviderOptions {
  /**
   * Its feature gates. v0.11 is built with Cluster API 1.11, and only knows the gates of that release (`TC-MANAGEMENT-FEATURE-GATE`).
   *
   * @default - its own defaults
   */
  readonly featureGates?: ClusterApiFeatureGates;
}

/** Type of a further provider. */
export enum ProviderKind {
  /** Turns machines into nodes. */
  BOOTSTRAP = 'BootstrapProvider',

  /** Runs control planes. */
  CONTROL_PLANE = 'ControlPlaneProvider',

  /** Creates machines. */
  INFRASTRUCTURE = 'InfrastructureProvider',

  /** Installs add-ons. */
  ADDON = 'AddonProvider',

  /** Assigns addresses. */
  IPAM = 'IPAMProvider',

  /** Extends Cluster API at run time. */
  RUNTIME_EXTENSION = 'RuntimeExtensionProvider',
}

/** A provider that has no property of its own. */
export interface FurtherProvider extends ProviderOptions {
  /** Type of the provider. */
  readonly kind: ProviderKind;

  /** Name of the provider in clusterctl, e.g. `vultr-vultr` (`TC-MANAGEMENT-PROVIDER`). */
  readonly name: string;

  /** Its version, e.g. `v0.3.0` (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-CONFLICT`). */
  readonly version: string;

  /**
   * Address of its releases, for a provider that clusterctl does not know: `https://github.com/<owner>/<name>/releases/` with the file of
   * its manifests (`TC-MANAGEMENT-PROVIDER`).
   *
   * @default - the address in clusterctl
   */
  readonly url?: string;
}

// kubernetes-sigs/cluster-api-operator api/v1alpha2/provider_types.go; set explicitly, because the server would add it.
const DEFAULT_VERBOSITY = 1;

const CLASSES = {
  CoreProvider, BootstrapProvider, ControlPlaneProvider, InfrastructureProvider, AddonProvider, IPAMProvider: IpamProvider, RuntimeExtensionProvider,
};

/** A provider that the operator installs. */
export interface ProviderObject {
  readonly kind: keyof typeof CLASSES;
  readonly name: string;
  readonly version: string;
  readonly namespace: string;
  readonly options: ProviderOptions;

  /** Its releases, if the library knows the provider. */
  readonly release?: ProviderRelease;
  readonly featureGates?: Record<string, boolean>;

  /** Address of its releases, if clusterctl does not know the provider. */
  readonly url?: string;

  /** Path of the user's options. */
  readonly property: string;

  /** Path of the property with the version. */
  readonly versionProperty: string;
}

const PROVIDER_RULE: Rule = {
  id: 'TC-MANAGEMENT-PROVIDER',
  title: 'A provider must be named once, and the operator must know its release address.',
  source: 'kubernetes-sigs/cluster-api-operator internal/controller/preflight_checks.go',
};

/** Creates the object and the namespace of a provider. */
export function addProvider(plan: ManagementPlan, manifests: Chart, provider: ProviderObject): ApiObject | undefined {
  const { kind, name, namespace, release, version, options } = provider;
  plan.report(...checkProvider(provider));
  const image = options.image ?? (plan.namesImages && release ? `${release.image}:${version}` : undefined);
  const replaced = (release?.deletedImages ?? []).filter(({ versions }) => versions.test(version));
  const sidecars = { ...Object.fromEntries(replaced.map(({ container, replacement }) => [container, replacement])), ...options.sidecarImages };
  if (plan.needsAllImages && image === undefined) plan.report(unknownImage(provider));
  const id = `${kind} ${name}`;
  if (manifests.node.tryFindChild(id)) {
    plan.report({ rule: PROVIDER_RULE, property: provider.property, message: `the ${kind} "${name}" is already defined`, fix: 'remove one of the two' });
    return undefined;
  }
  addNamespace(manifests, namespace);
  const object = new CLASSES[kind](manifests, id, {
    metadata: { name, namespace, annotations: keepOnPrune() }, spec: specOf(provider, image, sidecars, plan.pullSecrets),
  });
  plan.record(object, { 'spec.version': provider.versionProperty });
  return object;
}

/** All kinds have the same fields. */
function specOf(
  provider: ProviderObject, image: string | undefined, sidecars: { readonly [container: string]: string }, pullSecrets: ManagementPlan['pullSecrets'],
): ProviderSpec {
  const { options, featureGates = {}, version, url } = provider;
  const { replicas, tolerations, nodeSelector, imagePullSecrets, resources, extraArgs = {}, configSecret, ociArtifact } = options;
  const secrets = imagePullSecrets?.map((name) => ({ name })) ?? pullSecrets;
  const containers = [
    ...(image !== undefined || resources ? [{
      name: managerOf(provider),
      ...(image !== undefined && { imageUrl: image }),
      ...(resources && { resources: { limits: quantities(resources.limits), requests: quantities(resources.requests) } }),
    }] : []),
    ...Object.entries(sidecars).map(([name, imageUrl]) => ({ name, imageUrl })),
  ];
  const deployment = {
    ...(replicas !== undefined && { replicas }),
    ...(tolerations && { tolerations }),
    ...(nodeSelector && { nodeSelector }),
    ...(secrets && { imagePullSecrets: [...secrets] }),
    ...(containers.length > 0 && { containers }),
  };
  const manager = {
    ...(Object.keys(featureGates).length > 0 && { featureGates }),
    ...(Object.keys(extraArgs).length > 0 && { additionalArgs: Object.fromEntries(Object.entries(extraArgs).map(([key, value]) => [`--${key}`, value])) }),
  };
  return {
    version,
    ...(configSecret && { configSecret }),
    ...(ociArtifact !== undefined ? { fetchConfig: { oci: ociArtifact } } : url !== undefined && { fetchConfig: { url } }),
    ...(Object.keys(deployment).length > 0 && { deployment }),
    ...(Object.keys(manager).length > 0 && { manager: { ...manager, verbosity: DEFAULT_VERBOSITY } }),
  };
}

/** Name of the manager's container. The operator installs nothing if the release has no container of the name that it is given. */
function managerOf({ release }: ProviderObject): string {
  return release?.container ?? 'manager';
}

function unknownImage({ kind, name, property }: ProviderObject): Problem {
  return {
    rule: IMAGE_RULE,
    property: `${property}.image`,
    message: `the image of the ${kind} "${name}" is unknown, so that it cannot be moved or get a digest`,
    fix: 'set the image of its manager',
  };
}

function quantities(amounts: { readonly [name: string]: string } | undefined): { [name: string]: Quantity } | undefined {
  return amounts && Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Quantity.fromString(amount)]));
}

function checkSidecarImages(property: string, images: { readonly [container: string]: string }, manager: string): Problem[] {
  return Object.entries(images).flatMap(([container, image]) => {
    const at = `${property}[${JSON.stringify(container)}]`;
    if (container === manager) return [{ rule: IMAGE_RULE, property: at, message: `"${manager}" is not a sidecar`, fix: 'set its image with the property image' }];
    return [...checkLabelName(at, container), ...checkImage(at, image)];
  });
}

/** Rule for arguments of providers. */
export const ARGUMENT_RULE: Rule = {
  id: 'TC-MANAGEMENT-ARGUMENT',
  title: 'Arguments of a provider must be named without leading hyphens, and its feature gates must allow them.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji cmd/main.go',
};

function checkProvider(provider: ProviderObject): Problem[] {
  const { name, namespace, options, url, property } = provider;
  const { configSecret, ociArtifact } = options;
  return [
    ...checkObjectName(`${property}.name`, name),
    ...checkLabelName(`${property}.namespace`, namespace),
    ...checkReplicas(`${property}.replicas`, options.replicas),
    ...checkResources(`${property}.resources`, options.resources),
    ...checkPlacement(property, options),
    ...checkImage(`${property}.image`, options.image),
    ...checkSidecarImages(`${property}.sidecarImages`, options.sidecarImages ?? {}, managerOf(provider)),
    ...(options.imagePullSecrets ?? []).flatMap((secret, index) => checkObjectName(`${property}.imagePullSecrets[${index}]`, secret)),
    ...checkObjectName(`${property}.configSecret.name`, configSecret?.name),
    ...checkLabelName(`${property}.configSecret.namespace`, configSecret?.namespace),
    ...Object.keys(options.extraArgs ?? {}).filter((key) => !/^[a-z][a-z0-9-]*$/.test(key)).map((key) => ({
      rule: ARGUMENT_RULE, property: `${property}.extraArgs["${key}"]`, message: `${JSON.stringify(key)} is not the name of an argument`, fix: 'write it without hyphens in front, e.g. "sync-period"',
    })),
    ...problemIf(PROVIDER_RULE, `${property}.url`, url === undefined ? undefined : checkUrl(url, ['https']), 'write the https address of the releases'),
    ...problemIf(
      PROVIDER_RULE, `${property}.ociArtifact`,
      ociArtifact === undefined || parseImageReference(ociArtifact) ? undefined : `"${ociArtifact}" is not a registry with a repository`,
      'write registry and repository, without oci:// in front',
    ),
  ];
}
