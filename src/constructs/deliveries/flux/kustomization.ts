import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { FluxDeliveryProps, FluxManifestSource, FluxSourceKind } from './flux-delivery-props';
import { intervalFor, RETRY_INTERVAL } from './helm-release';
import { dependencies, kubeconfigReference, serviceAccount } from './references';
import { Kustomization, KustomizationSpecDeletionPolicy, KustomizationSpecSourceRefKind } from '../../../../imports/kustomize.toolkit.fluxcd.io';
import { goDuration } from '../../../manifests/values/go-duration';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { DEFAULT_TIMEOUT } from '../../contracts/delivery/durations';

/** Kinds of sources, as a Kustomization spells them. */
export const SOURCE_KINDS = {
  [FluxSourceKind.GIT_REPOSITORY]: KustomizationSpecSourceRefKind.GIT_REPOSITORY,
  [FluxSourceKind.OCI_REPOSITORY]: KustomizationSpecSourceRefKind.OCI_REPOSITORY,
  [FluxSourceKind.BUCKET]: KustomizationSpecSourceRefKind.BUCKET,
};

/** An API server that does not answer occupies a worker of the kustomize-controller with each try. */
const TENANT_RETRY_INTERVAL = Duration.minutes(2);

/** Kind and construct id of what applies manifests. */
export const KUSTOMIZATION = 'Kustomization';

/** Parts of a Kustomization. */
export interface ManifestFolder {
  readonly name: string;
  readonly source: FluxManifestSource;

  /** Folder of the manifests in the source. */
  readonly folder: string;

  /** True if objects stay in the tenant that are no longer in the folder, or whose Kustomization is removed. */
  readonly keep?: boolean;

  /** Names of the Kustomizations that come before this one; asked for at synthesis. */
  readonly dependsOn: () => readonly string[];
}

/** Makes the Kustomization that applies a folder of manifests. */
export function makeKustomization(room: Construct, manifests: ManifestFolder, target: DeliveryTarget, props: FluxDeliveryProps): Kustomization {
  const { name, source, folder } = manifests;
  return new Kustomization(room, KUSTOMIZATION, {
    metadata: { name },
    spec: {
      ...deletionPolicy(target),
      dependsOn: dependencies(manifests.dependsOn),
      force: false,
      interval: intervalFor(target, props),
      kubeConfig: kubeconfigReference(target, props),
      path: `./${folder}`,
      prune: !manifests.keep,
      retryInterval: goDuration(props.retryInterval ?? (target.kubeconfigs ? TENANT_RETRY_INTERVAL : RETRY_INTERVAL)),
      ...serviceAccount(props),
      sourceRef: {
        kind: SOURCE_KINDS[source.kind ?? FluxSourceKind.GIT_REPOSITORY],
        name: source.name,
        ...(source.namespace !== undefined && { namespace: source.namespace }),
      },
      timeout: goDuration(source.timeout ?? DEFAULT_TIMEOUT),
      wait: source.wait ?? !target.kubeconfigs,
      ...(props.suspend && { suspend: true }),
    },
  });
}

/**
 * In the management cluster every machine and every tenant hangs on the definitions that are applied: they stay when the Kustomization
 * itself goes, renamed for example. What a commit takes out of the folder is pruned all the same.
 */
function deletionPolicy({ kubeconfigs }: DeliveryTarget): { deletionPolicy?: KustomizationSpecDeletionPolicy } {
  return kubeconfigs ? {} : { deletionPolicy: KustomizationSpecDeletionPolicy.ORPHAN };
}
