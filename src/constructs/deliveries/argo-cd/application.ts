import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ArgoCdDeliveryProps } from './argo-cd-delivery-props';
import { ArgoCdDestination } from './argo-cd-destination';
import { SYNC_RETRY } from './sync-retry';
import { Application, ApplicationSpecSource } from '../../../../imports/argoproj.io';
import { noSubstitution } from '../../../manifests/objects/prune-annotations';
import { isOci, plainAddress } from '../../../manifests/values/repository-address';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { plainPath } from '../../contracts/delivery/manifest-folder';
import { HelmChart, HelmCrdPolicy } from '../../contracts/helm-chart';

/** Kind and construct id of what Argo CD works on. */
export const APPLICATION = 'Application';

/** Namespace of Argo CD, unless the user says otherwise. */
export const ARGO_CD_NAMESPACE = 'argocd';

/** Wave of the first deliveries: objects that the cluster's owner applies without a wave come before. */
const FIRST_WAVE = 20;

/** Without it Argo CD would go on comparing with an API server that may not answer (argoproj/argo-cd docs/user-guide/skip_reconcile.md). */
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile';

/** Parts of an Application. */
export interface ArgoCdApplication {
  readonly name: string;
  readonly source: ApplicationSpecSource;

  /** Namespace of objects that name none. */
  readonly namespace?: string;
  readonly createNamespace: boolean;

  /** True if objects stay that are no longer in the source. */
  readonly keep?: boolean;

  /** Further annotations. */
  readonly annotations?: { [key: string]: string };

  /** Number of Applications that must come before it, counted at synthesis; undefined where a wave would do harm. */
  readonly depth?: () => number;
}

/** Makes an Application. */
export function makeApplication(room: Construct, application: ArgoCdApplication, target: DeliveryTarget, props: ArgoCdDeliveryProps): Application {
  const { name, source, namespace, depth } = application;
  const destination = props.destination ?? ArgoCdDestination.NAMESPACED_NAME;
  return new Application(room, APPLICATION, {
    metadata: {
      name,
      namespace: props.namespace ?? ARGO_CD_NAMESPACE,
      annotations: {
        ...noSubstitution(),
        ...application.annotations,
        ...(target.hibernation && { [SKIP_RECONCILE]: 'true' }),
        ...(depth && { 'argocd.argoproj.io/sync-wave': Lazy.any({ produce: () => `${FIRST_WAVE + depth()}` }) }),
      },
      ...(props.cascadeDeletion && !target.decommission && { finalizers: ['resources-finalizer.argocd.argoproj.io'] }),
    },
    spec: {
      destination: { ...destination._resolve(target), ...(namespace !== undefined && { namespace }) },
      project: props.project ?? 'default',
      source,
      syncPolicy: {
        ...(!props.suspend && !target.hibernation && { automated: { prune: !application.keep, selfHeal: props.selfHeal ?? true } }),
        retry: SYNC_RETRY,
        syncOptions: [
          ...(application.createNamespace ? ['CreateNamespace=true'] : []),
          // Definitions of custom resources are too large for the annotation that an apply on the client's side leaves behind.
          'ServerSideApply=true',
          'RespectIgnoreDifferences=true',
        ],
      },
    },
  });
}

/** Source of a chart for Argo CD. */
export function chartOf(chart: HelmChart): ApplicationSpecSource {
  const address = plainAddress(chart.repository);
  return {
    ...(chart.gitPath === undefined ? { chart: chart.chart } : { path: plainPath(chart.gitPath) }),
    helm: {
      releaseName: chart.releaseName,
      ...(chart.crds === HelmCrdPolicy.SKIP && { skipCrds: true }),
      ...(Object.keys(chart.values ?? {}).length > 0 && { valuesObject: chart.values }),
    },
    // Argo CD takes an address without scheme for an OCI registry of charts (argoproj/argo-cd util/helm/client.go).
    repoUrl: isOci(address) ? address.slice('oci://'.length) : address,
    targetRevision: chart.chartVersion,
  };
}
