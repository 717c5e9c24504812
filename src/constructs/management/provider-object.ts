import { ApiObject, Chart } from 'cdk8s';
import { knownName } from './further-providers';
import { addNamespace, ManagementPlan } from './management-plan';
import { managerContainer, managerImage, replacedSidecarImages } from './provider-images';
import { ProviderOptions } from './provider-options';
import { MANAGEMENT_RULES } from './rules';
import { checkImage, checkLabelName, checkObjectName, checkReplicas, checkResources } from './workload-options';
import {
  AddonProvider, BootstrapProvider, ControlPlaneProvider, CoreProvider, InfrastructureProvider, IpamProvider, ProviderSpec, Quantity,
  RuntimeExtensionProvider,
} from '../../../imports/operator.cluster.x-k8s.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { parseImageReference } from '../../manifests/values/image-reference';
import { checkLabels } from '../../manifests/values/labels';
import { checkUrl } from '../../manifests/values/plain-url';
import { Problem, problemIf, problemsOf } from '../../manifests/values/problem';
import { checkTolerations } from '../../manifests/values/tolerations';

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
  readonly featureGates?: Record<string, boolean>;

  /** Address of its releases, if clusterctl does not know the provider. */
  readonly url?: string;

  /** Path of the user's options. */
  readonly property: string;
}

/** Creates the object and the namespace of a provider. */
export function addProvider(plan: ManagementPlan, manifests: Chart, provider: ProviderObject): ApiObject | undefined {
  const { kind, name, namespace } = provider;
  plan.report(...checkProvider(provider));
  const release = { kind, name: knownName(provider), version: provider.version };
  const image = provider.options.image ?? (plan.namesImages ? managerImage(release) : undefined);
  const sidecars = { ...replacedSidecarImages(release), ...provider.options.sidecarImages };
  if (plan.needsAllImages && image === undefined) plan.report(unknownImage(provider));
  const id = `${kind} ${name}`;
  if (manifests.node.tryFindChild(id)) {
    plan.report({ rule: MANAGEMENT_RULES.provider, property: provider.property, message: `the ${kind} "${name}" is already defined`, fix: 'remove one of the two' });
    return undefined;
  }
  addNamespace(manifests, namespace);
  return new CLASSES[kind](manifests, id, {
    metadata: { name, namespace, annotations: keepOnPrune() }, spec: specOf(provider, image, sidecars, plan.pullSecrets),
  });
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
      name: managerContainer(provider),
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

function unknownImage({ kind, name, property }: ProviderObject): Problem {
  return {
    rule: MANAGEMENT_RULES.image,
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
    if (container === manager) return [{ rule: MANAGEMENT_RULES.image, property: at, message: `"${manager}" is not a sidecar`, fix: 'set its image with the property image' }];
    return [...checkLabelName(at, container), ...checkImage(at, image)];
  });
}

function checkProvider({ kind, name, namespace, options, url, property }: ProviderObject): Problem[] {
  const { configSecret, ociArtifact } = options;
  return [
    ...checkObjectName(`${property}.name`, name),
    ...checkLabelName(`${property}.namespace`, namespace),
    ...checkReplicas(`${property}.replicas`, options.replicas),
    ...checkResources(`${property}.resources`, options.resources),
    ...problemsOf(MANAGEMENT_RULES.toleration, `${property}.tolerations`, checkTolerations(options.tolerations ?? [])),
    ...problemsOf(MANAGEMENT_RULES.name, `${property}.nodeSelector`, checkLabels(options.nodeSelector ?? {})),
    ...checkImage(`${property}.image`, options.image),
    ...checkSidecarImages(`${property}.sidecarImages`, options.sidecarImages ?? {}, managerContainer({ kind, name })),
    ...(options.imagePullSecrets ?? []).flatMap((secret, index) => checkObjectName(`${property}.imagePullSecrets[${index}]`, secret)),
    ...checkObjectName(`${property}.configSecret.name`, configSecret?.name),
    ...checkLabelName(`${property}.configSecret.namespace`, configSecret?.namespace),
    ...Object.keys(options.extraArgs ?? {}).filter((key) => !/^[a-z][a-z0-9-]*$/.test(key)).map((key) => ({
      rule: MANAGEMENT_RULES.argument, property: `${property}.extraArgs["${key}"]`, message: `${JSON.stringify(key)} is not the name of an argument`, fix: 'write it without hyphens in front, e.g. "sync-period"',
    })),
    ...problemIf(MANAGEMENT_RULES.provider, `${property}.url`, url === undefined ? undefined : checkUrl(url, ['https']), 'write the https address of the releases'),
    ...problemIf(
      MANAGEMENT_RULES.provider, `${property}.ociArtifact`,
      ociArtifact === undefined || parseImageReference(ociArtifact) ? undefined : `"${ociArtifact}" is not a registry with a repository`,
      'write registry and repository, without oci:// in front',
    ),
  ];
}
