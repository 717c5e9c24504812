import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { ChartReference } from './chart-source';
import { FluxDeliveryProps, FluxDriftDetection } from './flux-delivery-props';
import { dependencies, kubeconfigReference, serviceAccount } from './references';
import {
  HelmRelease, HelmReleaseSpecDriftDetectionMode, HelmReleaseSpecInstallCrds, HelmReleaseSpecInstallStrategyName,
  HelmReleaseSpecUninstallDeletionPropagation, HelmReleaseSpecUpgradeCrds, HelmReleaseSpecUpgradeStrategyName,
  HelmReleaseSpecValuesFrom, HelmReleaseSpecValuesFromKind,
} from '../../../../imports/helm.toolkit.fluxcd.io';
import { imagesAnnotation } from '../../../manifests/images/images-annotation';
import { noSubstitution } from '../../../manifests/objects/prune-annotations';
import { goDuration } from '../../../manifests/values/go-duration';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { DEFAULT_TIMEOUT } from '../../contracts/delivery/durations';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy, HelmValuesSource } from '../../contracts/helm-chart';

/** Time between a failure and the next attempt of Flux. */
export const RETRY_INTERVAL = Duration.seconds(30);

const INTERVAL = Duration.minutes(10);
const TENANT_INTERVAL = Duration.hours(1);

const UNINSTALL_TIMEOUT = Duration.minutes(5);
const MAX_HISTORY = 5;
const FOR_EVER = -1;

// Helm itself creates definitions at the first install and never touches them again; Flux can do more, on either action.
const INSTALL_CRDS = {
  [HelmCrdPolicy.SKIP]: HelmReleaseSpecInstallCrds.SKIP,
  [HelmCrdPolicy.CREATE]: HelmReleaseSpecInstallCrds.CREATE,
  [HelmCrdPolicy.CREATE_REPLACE]: HelmReleaseSpecInstallCrds.CREATE_REPLACE,
};
const UPGRADE_CRDS = {
  [HelmCrdPolicy.SKIP]: HelmReleaseSpecUpgradeCrds.SKIP,
  [HelmCrdPolicy.CREATE]: HelmReleaseSpecUpgradeCrds.SKIP,
  [HelmCrdPolicy.CREATE_REPLACE]: HelmReleaseSpecUpgradeCrds.CREATE_REPLACE,
};
const DRIFT_DETECTION = {
  [FluxDriftDetection.ENABLED]: HelmReleaseSpecDriftDetectionMode.ENABLED,
  [FluxDriftDetection.WARN]: HelmReleaseSpecDriftDetectionMode.WARN,
  [FluxDriftDetection.DISABLED]: HelmReleaseSpecDriftDetectionMode.DISABLED,
};

/** Interval at which Flux compares a cluster with what is delivered to it. */
export function intervalFor({ kubeconfigs }: DeliveryTarget, { interval }: FluxDeliveryProps): string {
  return goDuration(interval ?? (kubeconfigs ? TENANT_INTERVAL : INTERVAL));
}

/** Parts of a HelmRelease. */
export interface Release {
  readonly name: string;
  readonly chart: HelmChart;
  readonly source: ChartReference;

  /** Names of the HelmReleases that come before this one; asked for at synthesis. */
  readonly dependsOn: () => readonly string[];

  /** Name of the ConfigMap that it does not begin without. */
  readonly gate?: string;
}

/** Makes the HelmRelease of a chart. */
export function makeHelmRelease(room: Construct, release: Release, target: DeliveryTarget, props: FluxDeliveryProps): void {
  const { name, chart, source, gate } = release;
  new HelmRelease(room, 'HelmRelease', {
    metadata: { name, annotations: { ...noSubstitution(), ...imagesAnnotation(chart) } },
    spec: {
      ...source,
      ...actions(chart, chart.wait ?? props.wait ?? !target.kubeconfigs, props),
      dependsOn: dependencies(release.dependsOn),
      driftDetection: { mode: DRIFT_DETECTION[props.driftDetection ?? FluxDriftDetection.DISABLED] },
      interval: intervalFor(target, props),
      kubeConfig: kubeconfigReference(target, props),
      maxHistory: props.maxHistory ?? MAX_HISTORY,
      releaseName: chart.releaseName,
      ...serviceAccount(props),
      // Both, or Flux looks in the tenant for the namespace of the management cluster.
      storageNamespace: chart.storageNamespace ?? chart.namespace,
      targetNamespace: chart.namespace,
      timeout: goDuration(chart.timeout ?? DEFAULT_TIMEOUT),
      ...(props.suspend && { suspend: true }),
      ...(Object.keys(chart.values ?? {}).length > 0 && { values: chart.values }),
      valuesFrom: unlessNone([
        ...(gate === undefined ? [] : [{ kind: HelmReleaseSpecValuesFromKind.CONFIG_MAP, name: gate }]),
        ...(chart.valuesFrom ?? []).map(valuesReference),
      ]),
    },
  });
}

function valuesReference({ kind, name, options: { key, targetPath, optional } }: HelmValuesSource): HelmReleaseSpecValuesFrom {
  return {
    kind: kind as HelmReleaseSpecValuesFromKind,
    name,
    ...(key !== undefined && { valuesKey: key }),
    // As text, or Helm would read a comma in a password as the end of it.
    ...(targetPath !== undefined && { targetPath, literal: true }),
    ...(optional && { optional }),
  };
}

function unlessNone<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function actions(chart: HelmChart, wait: boolean, props: FluxDeliveryProps) {
  const crds = chart.crds ?? HelmCrdPolicy.CREATE_REPLACE;
  const retryInterval = goDuration(props.retryInterval ?? RETRY_INTERVAL);
  const both = {
    // Counts for RemediateOnFailure, and in releases of Flux that do not know the strategy.
    remediation: { retries: FOR_EVER },
    ...withoutHooks(chart),
    ...(!wait && { disableWait: true }),
  };
  return {
    install: {
      ...both,
      crds: INSTALL_CRDS[crds],
      ...(chart.namespaceLabels === undefined && { createNamespace: true }),
      // The remediation of an installation is to uninstall; it knows no interval (api/v2/helmrelease_types.go, InstallStrategy).
      strategy: chart.installFailurePolicy === HelmInstallFailurePolicy.REINSTALL
        ? { name: HelmReleaseSpecInstallStrategyName.REMEDIATE_ON_FAILURE }
        : { name: HelmReleaseSpecInstallStrategyName.RETRY_ON_FAILURE, retryInterval },
    },
    upgrade: {
      ...both,
      crds: UPGRADE_CRDS[crds],
      strategy: { name: HelmReleaseSpecUpgradeStrategyName.RETRY_ON_FAILURE, retryInterval },
    },
    uninstall: {
      ...withoutHooks(chart),
      deletionPropagation: HelmReleaseSpecUninstallDeletionPropagation.BACKGROUND,
      // In a tenant without nodes, pods and load balancers never go, and the release would stay with them.
      disableWait: true,
      timeout: goDuration(props.uninstallTimeout ?? UNINSTALL_TIMEOUT),
    },
  };
}

function withoutHooks({ hooks }: HelmChart): { disableHooks?: true } {
  return hooks === false ? { disableHooks: true } : {};
}
