import { ATTACHER_ARGUMENTS, controllerArguments, PROVISIONER_ARGUMENTS, RESIZER_ARGUMENTS, SNAPSHOTTER_ARGUMENTS } from './controller-containers';
import { CsiSurroundings } from './csi-surroundings';
import { checkDriverImage } from './driver-image';
import { KubevirtCsiDriver, KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { canExpand, KubevirtStorageClass, snapshotClassesOf } from './kubevirt-storage-class';
import { NODE_ARGUMENTS, REGISTRAR_ARGUMENTS } from './node-daemon-set';
import { CSI_DRIVER_RULES } from './rules';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { Problem } from '../../../../manifests/values/problem';
import {
  CSI_ATTACHER, CSI_LIVENESS_PROBE, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, CSI_SNAPSHOTTER, imageName, PinnedImage,
} from '../../../../manifests/values/versions';
import { checkContainer, checkPod, releaseOf } from '../../../addons/controllers/controller-checks';
import { ControllerContainerOptions } from '../../../addons/controllers/tenant-controller-options';
import { livenessProbeArguments } from '../../../addons/csi/sidecar';
import { ClusterContext } from '../../../contracts/cluster-context';
import { checkInfraAccess } from '../infra-kubeconfig';

/** Name of the property of a cluster that holds the options. */
export const CSI_DRIVER_PROPERTY = 'infrastructure.csiDriver';

const CLASSES = 'infrastructure.storageClasses';

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

/** Checks that the driver runs where there is something to do, and that each of its parts does. */
export function checkIdle(driver: KubevirtCsiDriver | undefined, classes: readonly KubevirtStorageClass[]): Problem[] {
  const rule = CSI_DRIVER_RULES.idle;
  if (!driver) return [];
  if (!driver.enabled) {
    return classes.length === 0 ? [] : [{
      rule, property: CSI_DRIVER_PROPERTY, message: 'there are storage classes, and no driver provisions their volumes', fix: `remove KubevirtCsiDriver.none(), or ${CLASSES}`,
    }];
  }
  if (classes.length === 0) {
    return [{ rule, property: CSI_DRIVER_PROPERTY, message: 'there are no storage classes, so that no driver runs', fix: `add ${CLASSES}, or remove csiDriver` }];
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
export function checkDriver(options: KubevirtCsiDriverOptions, context: ClusterContext, surroundings: CsiSurroundings): Problem[] {
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

function checkInfra(options: KubevirtCsiDriverOptions, { namespace }: ClusterContext, { infraCluster, infraNamespace }: CsiSurroundings): Problem[] {
  const rule = CSI_DRIVER_RULES.infraCluster;
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
