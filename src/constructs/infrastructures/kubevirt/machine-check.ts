import { checkObjectName } from './data-volume';
import { checkGpus, checkHostDevices } from './devices';
import { ROOT_DISK } from './disk';
import { checkExtraDisks } from './extra-disk';
import { offeredCapacity } from './infra-cluster/machine-offer';
import { KubevirtMachineProps } from './kubevirt-machine-props';
import { BootstrapCheck, checkControlPlaneReturn, checkEviction, checkReturn, HostBonds } from './life-cycle';
import { evictionStrategyOf, runStrategyOf } from './machine-spec';
import { checkMachineAnnotations, checkMachineLabels } from './metadata';
import { checkAdditionalNetworks } from './network';
import { checkNodeSelector, checkMachineTolerations } from './placement';
import { KUBEVIRT_RULES } from './rules';
import { checkDiskSize } from './size-text';
import { checkSizing } from './sizing';
import { checkSlips } from './slips';
import { PropertyReport } from '../../app/problems/property-report';
import { isShortEnough } from '../../contracts/node-pool/pool-checks';
import { PoolContext } from '../../contracts/node-pool/pool-context';
import { POOL_RULES } from '../../contracts/node-pool/rules';
import { secondsOf } from '../../contracts/node-pool/timeouts';

const MAX_NAME_LENGTH = 63;

/** What Cluster API adds to a MachineDeployment's name: `-` and five characters, once for the MachineSet and once for the Machine. */
const MACHINE_SUFFIX_LENGTH = 12;

/** The same for the name of a control plane: `-` and five characters for the Machine. */
const CONTROL_PLANE_SUFFIX_LENGTH = 6;

const SHARED_ACCESS_MODE = 'ReadWriteMany';

/** Reports what is wrong with the machines of a pool. */
export function checkMachine(report: PropertyReport, props: KubevirtMachineProps, context: PoolContext): void {
  checkSizing(report, props);
  checkSlips(report, props);
  props.rootDisk._source.check(report.at('rootDisk'), context.cluster);
  checkExtraDisks(report.at('extraDisks'), props.extraDisks ?? [], context.cluster);
  checkDiskSize(report.at('podEphemeralStorage'), props.podEphemeralStorage);
  props.network?._check(report.at('network'));
  checkAdditionalNetworks(report.at('additionalNetworks'), props.additionalNetworks ?? []);
  checkGpus(report.at('gpus'), props.gpus ?? []);
  checkHostDevices(report.at('hostDevices'), props.hostDevices ?? []);
  const [eviction, strategy] = [evictionStrategyOf(props, context.cluster), runStrategyOf(props, context.cluster)];
  // What is not a number cannot be written, so that no rule over manifests sees it.
  if (props.terminationGracePeriod && !Number.isFinite(secondsOf(props.terminationGracePeriod))) {
    report.at('terminationGracePeriod').add(POOL_RULES.timeout, { message: `${secondsOf(props.terminationGracePeriod)} is not a number of seconds`, fix: 'write whole seconds, e.g. Duration.minutes(3)' });
  }
  checkEviction(report.at('evictionStrategy'), eviction, bondsOf(props, context));
  checkReturn(report.at('runStrategy'), strategy, props.rootDisk._source.persistent, eviction);
  if (context.controlPlane) checkControlPlaneReturn(report.at('evictionStrategy'), strategy, props.rootDisk._source.persistent, eviction);
  checkBootstrapCheck(report.at('bootstrapCheck'), props, context);
  checkNodeSelector(report.at('nodeSelector'), props.nodeSelector ?? {});
  checkMachineTolerations(report.at('tolerations'), props.tolerations ?? []);
  checkObjectName(report.at('priorityClassName'), props.priorityClassName);
  checkObjectName(report.at('schedulerName'), props.schedulerName);
  for (const name of ['labels', 'podLabels'] as const) checkMachineLabels(report.at(name), props[name] ?? {});
  for (const name of ['annotations', 'podAnnotations'] as const) checkMachineAnnotations(report.at(name), props[name] ?? {});
  checkNameLength(report, props, context);
}

function bondsOf(props: KubevirtMachineProps, { cluster }: PoolContext): HostBonds {
  const capacity = props.capacity ?? offeredCapacity(props, cluster.infraCluster);
  const disks = [{ property: 'rootDisk', source: props.rootDisk._source }, ...(props.extraDisks ?? []).map((disk, index) => ({
    property: `extraDisks[${index}]`,
    source: disk._source,
  }))];
  return {
    devices: [props.gpus, props.hostDevices, capacity?.gpus].some((devices) => devices !== undefined && devices.length > 0),
    unsharedDisks: disks.flatMap(({ property, source: { accessMode } }) => (
      accessMode === undefined || accessMode === SHARED_ACCESS_MODE ? [] : [{ property, accessMode }]
    )),
  };
}

function checkBootstrapCheck(report: PropertyReport, { bootstrapCheck }: KubevirtMachineProps, { cluster }: PoolContext): void {
  const manager = cluster.controlPlane.endpointManager;
  if (bootstrapCheck === BootstrapCheck.SSH && manager !== undefined) {
    report.add(KUBEVIRT_RULES.sshCheck, {
      message: `the endpoint is managed by ${manager}, and the KubeVirt provider makes no SSH key for such a cluster`,
      fix: 'leave it out: the node tells when a machine has joined',
    });
  }
}

function checkNameLength(report: PropertyReport, props: KubevirtMachineProps, { name, controlPlane }: PoolContext): void {
  // The pool is told.
  if (!controlPlane && !isShortEnough(name)) return;
  const suffix = controlPlane ? CONTROL_PLANE_SUFFIX_LENGTH : MACHINE_SUFFIX_LENGTH;
  const machine = name.length + suffix;
  const volumes = [
    ...(props.rootDisk._source.dataVolume ? [ROOT_DISK] : []),
    ...(props.extraDisks ?? []).filter((disk) => disk._source.dataVolume).map((disk) => disk.name),
  ];
  const longest = volumes.reduce((one, other) => (other.length > one.length ? other : one), '');
  const length = longest === '' ? machine : machine + 1 + longest.length;
  if (length <= MAX_NAME_LENGTH) return;
  const what = longest === '' ? `the names of machines are "${name}" and ${suffix} characters`
    : `the names of volumes are "${name}", ${suffix} characters for the machine, and "-${longest}"`;
  report.add(KUBEVIRT_RULES.nameLength, {
    message: `${what}: ${length} characters`,
    accepted: `at most ${MAX_NAME_LENGTH}`,
    fix: `shorten the name of ${shortenable(longest, controlPlane ?? false)} by ${length - MAX_NAME_LENGTH}`,
  });
}

/** What a name is made of that can be shorter. */
function shortenable(volume: string, controlPlane: boolean): string {
  const owners = controlPlane ? ['the cluster'] : ['the cluster', 'the pool'];
  const names = volume === '' || volume === ROOT_DISK ? owners : [...owners, 'the disk'];
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
