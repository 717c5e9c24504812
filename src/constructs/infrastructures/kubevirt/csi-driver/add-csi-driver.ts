import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ATTACHER_ARGUMENTS, controllerArguments, controllerContainers, CsiFeatures, csiPermissions, ENFORCEMENT_KEY, EXPANSION_PERMISSIONS,
  InfraPlace, PROVISIONER_ARGUMENTS, RESIZER_ARGUMENTS, SNAPSHOTTER_ARGUMENTS, SOCKET_VOLUME, storageClassEnforcement,
} from './csi-controller';
import { CsiNodeAddon, NODE_ARGUMENTS, REGISTRAR_ARGUMENTS } from './csi-node-addon';
import { CsiSnapshotClassesAddon } from './csi-snapshot-classes-addon';
import { checkDriverImage, KubevirtCsiDriver, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { checkClasses, KubevirtStorageClass, snapshotClassesOf } from './kubevirt-storage-class';
import { contentHash } from '../../../../manifests/values/content-hash';
import { releaseOf } from '../../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import {
  CSI_ATTACHER, CSI_LIVENESS_PROBE, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, CSI_SNAPSHOTTER,
} from '../../../../manifests/values/versions';
import { checkContainer, checkPod, managedFlags } from '../../../addons/controllers/controller-checks';
import { controllerLabels, controllerName } from '../../../addons/controllers/controller-names';
import { addTenantController } from '../../../addons/controllers/tenant-controller';
import { checkIdleDriver, checkSidecars, CSI_DRIVER_PROPERTY } from '../../../addons/csi/driver-checks';
import { livenessProbeArguments } from '../../../addons/csi/sidecar';
import { canExpand } from '../../../addons/csi/storage-classes';
import { Problems, strategyScope } from '../../../app/problems/problems';
import { writtenManifest } from '../../../app/synth/synthesis';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { ClusterContext } from '../../../contracts/cluster-context';
import { InfrastructureConfig } from '../../../contracts/infrastructure';
import { checkInfraAccess, infraKubeconfigVolume } from '../infra-kubeconfig';

/** The infrastructure's cluster, as the driver needs it. */
interface CsiSurroundings {
  /** The Secret with the kubeconfig of another cluster that runs the machines. */
  readonly infraCluster?: SecretRef;

  /** Namespace of the machines there, as the cloud controller manager has it. */
  readonly infraNamespace?: string;
}

const NAME = 'csi-driver';

/**
 * Adds the CSI driver of one cluster, if that has storage classes.
 *
 * @param owner the construct that the infrastructure's objects are in
 * @param context the cluster
 * @param driver its option; undefined if unset
 * @param classes the storage classes
 * @param surroundings the cluster that runs the machines
 * @returns its controller, and its addons of the tenant
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

/** The namespace of the machines. A missing one is reported elsewhere. */
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
    // In another cluster the kubeconfig has the rights.
    permissions: infraCluster ? undefined : csiPermissions(features),
    clusterPermissions: features.expansion && !infraCluster ? EXPANSION_PERMISSIONS : undefined,
    // Some builds of the driver exit without it, even with a kubeconfig (cmd/kubevirt-csi-driver/kubevirt-csi-driver.go).
    alwaysToken: true,
    // Its sidecars elect leaders, the driver itself does not: two versions of it must not work on the same volume.
    leaderElection: false,
    // It reads its configuration once, so that a change has to replace the pod.
    podAnnotations: { 'checksum/driver-config': Lazy.any({ produce: () => contentHash(writtenManifest(config).data) }) },
    volumes: [SOCKET_VOLUME, ...(infraCluster ? [infraKubeconfigVolume(infraCluster, options)] : [])],
    containers: controllerContainers(context, options, features, place, config.name),
  });
}

/** Flags that no part is given by others, because they end it or open a second port for what has one. */
const NEVER: Readonly<Record<string, string>> = {
  'health-port': 'its probe is asked at another address',
  'metrics-address': 'http-endpoint has taken its place',
  'version': 'it would print its version and end',
};

/** The sidecars of the driver. */
const SIDECARS = [
  ['provisioner', 'csi-provisioner', CSI_PROVISIONER, PROVISIONER_ARGUMENTS],
  ['attacher', 'csi-attacher', CSI_ATTACHER, ATTACHER_ARGUMENTS],
  ['resizer', 'csi-resizer', CSI_RESIZER, RESIZER_ARGUMENTS],
  ['snapshotter', 'csi-snapshotter', CSI_SNAPSHOTTER, SNAPSHOTTER_ARGUMENTS],
  ['livenessProbe', 'livenessprobe', CSI_LIVENESS_PROBE, livenessProbeArguments(0)],
  ['nodeDriverRegistrar', 'csi-node-driver-registrar', CSI_NODE_DRIVER_REGISTRAR, REGISTRAR_ARGUMENTS],
] as const;

const IDLE_DRIVER_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-IDLE',
  title: 'The CSI driver, and each of its parts, requires storage classes that need it, and each storage class requires the driver.',
};

/** Checks that the driver has storage classes to work for, and so has each of its parts. */
function checkIdle(driver: KubevirtCsiDriver | undefined, classes: readonly KubevirtStorageClass[]): Problem[] {
  const idleSnapshotter = driver?.options.snapshotter && classes.length > 0 && snapshotClassesOf(classes).length === 0;
  return [
    ...checkIdleDriver(IDLE_DRIVER_RULE, 'KubevirtCsiDriver', driver, classes),
    ...(idleSnapshotter ? [{
      rule: IDLE_DRIVER_RULE,
      property: `${CSI_DRIVER_PROPERTY}.snapshotter`,
      message: 'no storage class has snapshot classes, so that no snapshotter runs',
      fix: 'remove snapshotter, or add snapshotClasses to a class',
    }] : []),
  ];
}

/** Checks the options of a driver that runs. */
function checkDriver(options: KubevirtCsiDriverOptions, context: ClusterContext, surroundings: CsiSurroundings): Problem[] {
  const { node = {} } = options;
  const release = options.image === undefined ? undefined : releaseOf(options.image);
  const driver = { component: 'kubevirt-csi-driver', release } as const;
  const inside = controllerArguments(context, { namespace: '', remote: true });
  return [
    ...checkDriverImage(CSI_DRIVER_PROPERTY, options),
    ...checkContainer(CSI_DRIVER_PROPERTY, options, { ...driver, managed: managedFlags([...inside, { name: 'node-name', value: '' }]) }),
    ...checkPod(CSI_DRIVER_PROPERTY, options),
    ...checkContainer(`${CSI_DRIVER_PROPERTY}.node`, { resources: node.resources, extraArgs: node.extraArgs }, {
      ...driver, managed: managedFlags([...inside, ...NODE_ARGUMENTS]),
    }),
    ...checkPod(`${CSI_DRIVER_PROPERTY}.node`, node),
    ...checkSidecars(options, SIDECARS, context.versions, NEVER),
    ...checkInfra(options, context, surroundings),
  ];
}

const DRIVER_ACCESS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-INFRA-CLUSTER',
  title: 'A CSI driver must use a kubeconfig from its own namespace and a namespace name for another cluster, and neither for the management cluster.',
  source: 'kubevirt/csi-driver cmd/kubevirt-csi-driver',
};

function checkInfra(options: KubevirtCsiDriverOptions, { namespace }: ClusterContext, { infraCluster, infraNamespace }: CsiSurroundings): Problem[] {
  const rule = DRIVER_ACCESS_RULE;
  const property = `${CSI_DRIVER_PROPERTY}.infraNamespace`;
  const found = checkInfraAccess(rule, CSI_DRIVER_PROPERTY, options, namespace, infraCluster, 'leave out storageClasses');
  if (!infraCluster) return found;
  if (options.infraNamespace === undefined && infraNamespace === undefined) {
    found.push({ rule, property, message: 'another cluster runs the machines, and the driver does not find out in which namespace', fix: 'name the namespace of the virtual machines' });
  }
  if (options.infraNamespace !== undefined && infraNamespace !== undefined && options.infraNamespace !== infraNamespace) {
    found.push({
      rule,
      property,
      message: `"${options.infraNamespace}" is not where the cloud controller manager looks for the machines, which is "${infraNamespace}"`,
      fix: 'give both the same, or leave one of them out',
    });
  }
  return found;
}
