import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ATTACHER_ARGUMENTS, controllerArguments, controllerContainers, CsiFeatures, csiPermissions, ENFORCEMENT_KEY, EXPANSION_PERMISSIONS,
  InfraPlace, PROVISIONER_ARGUMENTS, RESIZER_ARGUMENTS, SNAPSHOTTER_ARGUMENTS, SOCKET_VOLUME, storageClassEnforcement,
} from './csi-controller';
import { CsiNodeAddon, NODE_ARGUMENTS, REGISTRAR_ARGUMENTS } from './csi-node-addon';
import { CsiSnapshotClassesAddon } from './csi-snapshot-classes-addon';
import { checkDriverImage, CSI_DRIVER_PROPERTY, KubevirtCsiDriver, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { canExpand, checkClasses, KubevirtStorageClass, snapshotClassesOf } from './kubevirt-storage-class';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { contentHash } from '../../../../manifests/values/content-hash';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import {
  CSI_ATTACHER, CSI_LIVENESS_PROBE, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, CSI_SNAPSHOTTER, imageName, PinnedImage,
} from '../../../../manifests/values/versions';
import { checkContainer, checkPod, releaseOf } from '../../../addons/controllers/controller-checks';
import { controllerLabels, controllerName } from '../../../addons/controllers/controller-names';
import { addTenantController } from '../../../addons/controllers/tenant-controller';
import { ControllerContainerOptions } from '../../../addons/controllers/tenant-controller-options';
import { livenessProbeArguments } from '../../../addons/csi/sidecar';
import { Problems } from '../../../app/problems/problems';
import { strategyScope } from '../../../app/synth/strategy-scope';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { writtenManifest } from '../../../app/synth/written-manifest';
import { ClusterContext } from '../../../contracts/cluster-context';
import { InfrastructureConfig } from '../../../contracts/infrastructure';
import { checkInfraAccess, infraKubeconfigVolume } from '../infra-kubeconfig';

/** What the infrastructure knows that the driver has to. */
interface CsiSurroundings {
  /** The Secret with the kubeconfig of another cluster that runs the machines. */
  readonly infraCluster?: SecretRef;

  /** Namespace of the machines there, as the cloud controller manager was told. */
  readonly infraNamespace?: string;
}

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

const CLASSES_PROPERTY_ = 'infrastructure.storageClasses';

/** Flags that no part is given by others, because they end it or open a second port for what has one. */
const NEVER: Readonly<Record<string, string>> = {
  'health-port': 'its probe is asked at another address',
  'metrics-address': 'http-endpoint has taken its place',
  'version': 'it would print its version and end',
};

/** A companion of the driver: its options, its program, the image that is known, the flags that it has already. */
type Companion = readonly [
  option: 'provisioner' | 'attacher' | 'resizer' | 'snapshotter' | 'livenessProbe' | 'nodeDriverRegistrar',
  component: Component, pinned: PinnedImage, args: readonly ComponentArgument[],
];

const COMPANIONS: readonly Companion[] = [
  ['provisioner', 'csi-provisioner', CSI_PROVISIONER, PROVISIONER_ARGUMENTS],
  ['attacher', 'csi-attacher', CSI_ATTACHER, ATTACHER_ARGUMENTS],
  ['resizer', 'csi-resizer', CSI_RESIZER, RESIZER_ARGUMENTS],
  ['snapshotter', 'csi-snapshotter', CSI_SNAPSHOTTER, SNAPSHOTTER_ARGUMENTS],
  ['livenessProbe', 'livenessprobe', CSI_LIVENESS_PROBE, livenessProbeArguments(0)],
  ['nodeDriverRegistrar', 'csi-node-driver-registrar', CSI_NODE_DRIVER_REGISTRAR, REGISTRAR_ARGUMENTS],
];

const IDLE_DRIVER_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-IDLE',
  title: 'The CSI driver, and each of its parts, requires storage classes that need it, and each storage class requires the driver.',
};

/** Checks that the driver runs where there is something to do, and that each of its parts does. */
function checkIdle(driver: KubevirtCsiDriver | undefined, classes: readonly KubevirtStorageClass[]): Problem[] {
  const rule = IDLE_DRIVER_RULE;
  if (!driver) return [];
  if (!driver.enabled) {
    return classes.length === 0 ? [] : [{
      rule, property: CSI_DRIVER_PROPERTY, message: 'there are storage classes, and no driver provisions their volumes', fix: `remove KubevirtCsiDriver.none(), or ${CLASSES_PROPERTY_}`,
    }];
  }
  if (classes.length === 0) {
    return [{ rule, property: CSI_DRIVER_PROPERTY, message: 'there are no storage classes, so that no driver runs', fix: `add ${CLASSES_PROPERTY_}, or remove csiDriver` }];
  }
  const { resizer, snapshotter } = driver.options;
  return [
    ...(resizer && !classes.some(canExpand) ? [{
      rule, property: `${CSI_DRIVER_PROPERTY}.resizer`, message: 'no storage class lets volumes grow, so that no resizer runs', fix: 'remove resizer, or set allowVolumeExpansion: true on a class',
    }] : []),
    ...(snapshotter && snapshotClassesOf(classes).length === 0 ? [{
      rule, property: `${CSI_DRIVER_PROPERTY}.snapshotter`, message: 'no storage class has snapshot classes, so that no snapshotter runs', fix: 'remove snapshotter, or add snapshotClasses to a class',
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
    ...checkContainer(CSI_DRIVER_PROPERTY, options, { ...driver, managed: managedBy([...inside, { name: 'node-name', value: '' }]) }),
    ...checkPod(CSI_DRIVER_PROPERTY, options),
    ...checkContainer(`${CSI_DRIVER_PROPERTY}.node`, { resources: node.resources, extraArgs: node.extraArgs }, { ...driver, managed: managedBy([...inside, ...NODE_ARGUMENTS]) }),
    ...checkPod(`${CSI_DRIVER_PROPERTY}.node`, node),
    ...COMPANIONS.flatMap((companion) => checkCompanion(companion, options, context)),
    ...checkInfra(options, context, surroundings),
  ];
}

function checkCompanion([option, component, pinned, args]: Companion, options: KubevirtCsiDriverOptions, { versions }: ClusterContext): Problem[] {
  const given: ControllerContainerOptions = options[option] ?? {};
  const release = releaseOf(given.image ?? imageName(pinned, versions));
  return checkContainer(`${CSI_DRIVER_PROPERTY}.${option}`, given, { component, release, managed: { ...NEVER, ...managedBy(args) } });
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

function managedBy(args: readonly ComponentArgument[]): Readonly<Record<string, string>> {
  return Object.fromEntries(args.map(({ name }) => [name, 'the library sets it']));
}
