import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { checkClasses } from './class-checks';
import { controllerContainers, InfraPlace, SOCKET_VOLUME } from './controller-containers';
import { CsiNodeAddon } from './csi-node-addon';
import { CsiSnapshotClassesAddon } from './csi-snapshot-classes-addon';
import { CsiSurroundings } from './csi-surroundings';
import { ENFORCEMENT_KEY, storageClassEnforcement } from './driver-config';
import { KubevirtCsiDriver, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { canExpand, KubevirtStorageClass, snapshotClassesOf } from './kubevirt-storage-class';
import { checkDriver, checkIdle, CSI_DRIVER_PROPERTY } from './option-checks';
import { CsiFeatures, csiPermissions, EXPANSION_PERMISSIONS } from './permissions';
import { contentHash } from '../../../../manifests/values/content-hash';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import { controllerLabels, controllerName } from '../../../addons/controllers/controller-names';
import { addTenantController } from '../../../addons/controllers/tenant-controller';
import { Problems } from '../../../app/problems/problems';
import { strategyScope } from '../../../app/synth/strategy-scope';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { writtenManifest } from '../../../app/synth/written-manifest';
import { ClusterContext } from '../../../contracts/cluster-context';
import { InfrastructureConfig } from '../../../contracts/infrastructure';
import { infraKubeconfigVolume } from '../infra-kubeconfig';

const NAME = 'csi-driver';

/**
 * Adds the CSI driver of one cluster, if that has storage classes.
 *
 * @param owner the construct that the infrastructure's objects are in
 * @param context the cluster
 * @param driver whether and how it runs; undefined where the user did not say
 * @param classes the storage classes
 * @param surroundings what else there is
 * @returns its controller, and what the tenant needs for it
 */
export function addCsiDriver(
  owner: Construct, context: ClusterContext, driver: KubevirtCsiDriver | undefined, classes: readonly KubevirtStorageClass[],
  surroundings: CsiSurroundings,
): Pick<InfrastructureConfig, 'addons' | 'csiController'> {
  const problems = Problems.of(owner);
  checkIdle(driver, classes).forEach((problem) => problems.add(problem));
  if (classes.length === 0 || driver?.enabled === false) return { addons: [] };

  const options = driver?.options ?? {};
  const { infraCluster } = surroundings;
  [...checkClasses(classes), ...checkDriver(options, context, surroundings)].forEach((problem) => problems.add(problem));
  const features = { expansion: classes.some(canExpand), snapshots: snapshotClassesOf(classes).length > 0 };
  const work = { classes, features, infraCluster, place: placeOf(context, options, surroundings) };
  const csiController = addController(strategyScope(owner, 'CsiDriver'), context, options, work);

  const { imagePullSecrets = context.companyNetwork?.pullSecrets } = options.node ?? {};
  const node = new CsiNodeAddon(owner, { ...options, node: { ...options.node, imagePullSecrets } }, classes);
  return { csiController, addons: features.snapshots ? [node, new CsiSnapshotClassesAddon(owner, classes)] : [node] };
}

/** Where the machines are; a namespace that is missing is refused. */
function placeOf({ namespace }: ClusterContext, options: KubevirtCsiDriverOptions, { infraCluster, infraNamespace }: CsiSurroundings): InfraPlace {
  return infraCluster ? { remote: true, namespace: options.infraNamespace ?? infraNamespace ?? '' } : { remote: false, namespace };
}

interface Work {
  readonly classes: readonly KubevirtStorageClass[];
  readonly features: CsiFeatures;
  readonly place: InfraPlace;
  readonly infraCluster?: SecretRef;
}

function addController(scope: Construct, context: ClusterContext, options: KubevirtCsiDriverOptions, work: Work): ApiObject {
  const { classes, features, place, infraCluster } = work;
  const config = new TypedApiObject(scope, 'Config', { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: controllerName(context, NAME), labels: controllerLabels(context, NAME) },
    data: { [ENFORCEMENT_KEY]: storageClassEnforcement(classes) },
  });
  return addTenantController(scope, context, {
    name: NAME,
    property: CSI_DRIVER_PROPERTY,
    options,
    // In another cluster the kubeconfig has the rights, and the management cluster is none of its business.
    permissions: infraCluster ? undefined : csiPermissions(features),
    clusterPermissions: features.expansion && !infraCluster ? EXPANSION_PERMISSIONS : undefined,
    // Some builds of the driver exit without it, even with a kubeconfig (cmd/kubevirt-csi-driver/kubevirt-csi-driver.go).
    alwaysToken: true,
    // Its companions elect leaders, the driver itself does not: two versions of it must not work on the same volume.
    leaderElection: false,
    // It reads its configuration once, so that a change has to replace the pod.
    podAnnotations: { 'checksum/driver-config': Lazy.any({ produce: () => contentHash(writtenManifest(config).data) }) },
    volumes: [SOCKET_VOLUME, ...(infraCluster ? [infraKubeconfigVolume(infraCluster, options)] : [])],
    containers: controllerContainers(context, options, features, place, config.name),
  });
}
