import { SizeRoundingBehavior } from 'cdk8s';
import { checkAddons, checkRepository } from './addons';
import { checkAlgorithm, checkCertificateNames } from './certificates';
import { checkComponents } from './components';
import { ownProperty, PROPERTY, replicasOf } from './control-plane-spec';
import { checkEtcd, externalEtcdFiles, KubeadmEtcd } from './etcd';
import { KubeadmControlPlaneProps } from './kubeadm-control-plane-props';
import { isKnownMinor, kubeadmGateFact, kubeadmGateNames } from '../../../../manifests/values/component-facts';
import { fieldText } from '../../../../manifests/values/fields';
import { nearestName } from '../../../../manifests/values/nearest-name';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { checkCapacity, MachineCapacity, usableCapacity } from '../../../contracts/machine-capacity';
import { checkHealthCheck, HealthCheck } from '../../../contracts/node-pool/health-check';
import { checkKubelet } from '../../../contracts/node-pool/kubelet';
import { checkPoolLabels, checkPoolTaints } from '../../../contracts/node-pool/node-pool-props';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { PoolSize } from '../../../contracts/node-pool/pool-size';
import { checkDeletion } from '../../../contracts/node-pool/timeouts';
import { checkServiceAccountKeys } from '../../service-account-keys';
import { checkBootstrap, checkNames } from '../bootstrap/bootstrap-checks';
import { ReservedPath } from '../bootstrap/bootstrap-file';
import { checkTimeout } from '../bootstrap/join-timeouts';

/** Cluster API appends a hyphen and five characters. */
const MACHINE_SUFFIX = 6;
const LONGEST_NAME = 63 - MACHINE_SUFFIX;

const FEWEST_CPUS = 2;
const LEAST_MEBIBYTES = 1700;

// kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go, kubernetes-sigs/cluster-api util/secret/certificates.go and
// bootstrap/kubeadm/pkg/cloudinit/controlplane_init.go.
const OF_KUBEADM: readonly string[] = [
  ...['admin', 'super-admin', 'controller-manager', 'scheduler'].map((name) => `/etc/kubernetes/${name}.conf`),
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => `/etc/kubernetes/manifests/${name}.yaml`),
];
const OF_CLUSTER_API: readonly string[] = [
  '/run/kubeadm/kubeadm.yaml',
  ...['ca.key', 'etcd/ca.crt', 'etcd/ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.key', 'sa.pub'].map((name) => `/etc/kubernetes/pki/${name}`),
];

/** Checks the options of a control plane, against each other and against the cluster. */
export function checkControlPlane(props: KubeadmControlPlaneProps, machines: PoolContext): Problem[] {
  const { cluster } = machines;
  const etcd = props.etcd ?? KubeadmEtcd.stacked();
  const replicas = replicasOf(props);
  return [
    ...checkName(machines),
    ...checkInfrastructure(props, machines),
    ...checkRemediation(props),
    ...checkAlgorithm(props.encryptionAlgorithm, cluster.kubernetesVersion),
    ...checkCertificateNames(`${PROPERTY}.certSans`, props.certSans ?? []),
    ...(props.serviceAccountKeys ? checkServiceAccountKeys(props.serviceAccountKeys) : []),
    ...checkEtcd(`${PROPERTY}.etcd`, etcd),
    ...checkRepository(`${PROPERTY}.imageRepository`, props.imageRepository),
    ...checkAddons(props, cluster.kubeProxyReplaced),
    ...checkComponents(props, cluster.kubernetesVersion, certificateFiles(etcd)),
    ...checkKubeadmFeatureGates(`${PROPERTY}.kubeadmFeatureGates`, props.kubeadmFeatureGates ?? {}, cluster.kubernetesVersion.minorVersion),
    ...checkMachines(props, machines, replicas),
  ];
}

const NAME_RULE: Rule = {
  id: 'TC-KUBEADM-CP-NAME',
  title: 'The names of control plane machines must be DNS labels: the cluster\'s name, "-control-plane" and six characters more.',
  source: 'kubernetes-sigs/cluster-api internal/topology/names/names.go',
};

function checkName({ name }: PoolContext): Problem[] {
  return name.length <= LONGEST_NAME ? [] : [{
    rule: NAME_RULE,
    property: 'name',
    message: `"${name}" has ${name.length} characters, and machines get ${MACHINE_SUFFIX} more`,
    accepted: `a cluster name of ${LONGEST_NAME - '-control-plane'.length} characters`,
    fix: `shorten the name of the cluster by ${name.length - LONGEST_NAME}`,
  }];
}

const INFRASTRUCTURE_RULE: Rule = {
  id: 'TC-KUBEADM-CP-INFRASTRUCTURE',
  title: 'The machines of a control plane must belong to the infrastructure of its cluster.',
};

function checkInfrastructure({ machine }: KubeadmControlPlaneProps, { cluster }: PoolContext): Problem[] {
  const { clusterKind } = cluster.infrastructure;
  return machine.infrastructureKind === clusterKind ? [] : [{
    rule: INFRASTRUCTURE_RULE,
    property: `${PROPERTY}.machine`,
    message: `the machines belong to a ${machine.infrastructureKind}, and the cluster has a ${clusterKind}`,
    accepted: `machines of a ${clusterKind}`,
    fix: 'choose the machine class of the cluster\'s infrastructure',
  }];
}

const IN_FLIGHT_RULE: Rule = {
  id: 'TC-KUBEADM-CP-IN-FLIGHT',
  title: 'Cluster API replaces control plane machines one at a time: remediation cannot change that.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go',
};

const REMEDIATION_RULE: Rule = {
  id: 'TC-KUBEADM-CP-REMEDIATION',
  title: 'The number of retries of a remediation must not be negative: Cluster API would replace no machine.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/reconcilers/kubeadmcontrolplane/remediation.go',
};

function checkRemediation({ remediation: { maxRetry = 0 } = {}, healthCheck }: KubeadmControlPlaneProps): Problem[] {
  return [
    ...problemIf(
      REMEDIATION_RULE, `${PROPERTY}.remediation.maxRetry`, maxRetry < 0 ? `${maxRetry} is not a number of retries` : undefined, 'write 0 or more, or leave it out',
    ),
    ...problemIf(
      IN_FLIGHT_RULE, `${PROPERTY}.healthCheck.maxInFlight`,
      healthCheck?.options.maxInFlight === undefined ? undefined : 'Cluster API always replaces control plane machines one at a time', 'leave it out; remediation sets the number of retries',
    ),
  ];
}

/** The options that pools also have, with the same rules. */
function checkMachines(props: KubeadmControlPlaneProps, machines: PoolContext, replicas: number): Problem[] {
  const capacity = props.machine.capacityIn(machines.cluster);
  const { componentHealthCheck, etcdApiCall } = props.controlPlaneTimeouts ?? {};
  const shared = [
    ...checkPoolLabels(props.labels ?? {}),
    ...checkPoolTaints(props.taints ?? [], { workers: false }),
    ...checkCapacity(capacity),
    ...checkMachineSize(usableCapacity(capacity), props.ignorePreflightErrors ?? []),
    ...checkKubelet(props.kubelet ?? {}, usableCapacity(capacity), machines.kubernetesVersion.minorVersion, machines.cluster.network.podsPerNode),
    ...checkHealthCheck(props.healthCheck ?? HealthCheck.of(), PoolSize.fixed(replicas)),
    ...checkDeletion(props),
    ...checkBootstrap(props, machines, PROPERTY, reservedPaths(props)),
    ...checkNames(props.initSkipPhases ?? [], 'initSkipPhases'),
    ...checkTimeout(componentHealthCheck, 'controlPlaneTimeouts.componentHealthCheck'),
    ...checkTimeout(etcdApiCall, 'controlPlaneTimeouts.etcdApiCall'),
  ];
  return shared.map((problem) => ({ ...problem, property: ownProperty(problem.property) }));
}

const MACHINE_SIZE_RULE: Rule = {
  id: 'TC-KUBEADM-CP-MACHINE-SIZE',
  title: 'A control plane machine must have at least 2 CPUs and 1700 MiB of memory: otherwise kubeadm does not start.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go (ControlPlaneNumCPU, ControlPlaneMem)',
};

function checkMachineSize(capacity: MachineCapacity | undefined, ignorePreflightErrors: readonly string[]): Problem[] {
  if (!capacity) return [];
  const ignored = (check: string) => ignorePreflightErrors.some((name) => ['all', check.toLowerCase()].includes(name.toLowerCase()));
  const memory = capacity.memory.toMebibytes({ rounding: SizeRoundingBehavior.NONE });
  const at = { rule: MACHINE_SIZE_RULE };
  return [
    ...(capacity.cpu >= FEWEST_CPUS || ignored('NumCPU') ? [] : [{
      ...at, property: 'machine', message: `a machine with ${capacity.cpu} CPU is too small for kubeadm`, accepted: `${FEWEST_CPUS} CPUs or more`, fix: 'choose a larger machine',
    }]),
    ...(memory >= LEAST_MEBIBYTES || ignored('Mem') ? [] : [{
      ...at, property: 'machine', message: `a machine with ${memory} MiB of memory is too small for kubeadm`, accepted: `${LEAST_MEBIBYTES} MiB or more`, fix: 'choose a larger machine',
    }]),
  ];
}

function reservedPaths({ etcd }: KubeadmControlPlaneProps): ReservedPath[] {
  return [
    ...OF_KUBEADM.map((path): ReservedPath => [path, 'kubeadm']),
    ...[...OF_CLUSTER_API, ...certificateFiles(etcd)].map((path): ReservedPath => [path, 'Cluster API']),
  ];
}

/** Files of an external etcd's certificates. */
function certificateFiles(etcd: KubeadmEtcd | undefined): string[] {
  return etcd?._external ? Object.values(externalEtcdFiles(etcd._external)) : [];
}

const KUBEADM_FEATURE_GATE_RULE: Rule = {
  id: 'TC-KUBEADM-CP-KUBEADM-FEATURE-GATE',
  title: 'Feature gates of kubeadm exist in the cluster\'s Kubernetes version, and none is locked to another value.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/features/features.go',
};

/** Checks feature gates of kubeadm itself. */
export function checkKubeadmFeatureGates(property: string, gates: Readonly<Record<string, boolean>>, minor: string): Problem[] {
  if (!isKnownMinor(minor)) return [];
  return Object.entries(gates).flatMap(([name, enabled]): Problem[] => {
    const at = { rule: KUBEADM_FEATURE_GATE_RULE, property: fieldText([name], property) };
    const gate = kubeadmGateFact(name, minor);
    if (gate && (!gate.locked || enabled === gate.enabledByDefault)) return [];
    if (gate) {
      return [{ ...at, message: `the feature gate ${name} of kubeadm is locked to ${gate.enabledByDefault} in ${minor}`, fix: `remove ${name}` }];
    }
    const names = [...kubeadmGateNames()];
    const near = names.includes(name) ? undefined : nearestName(name, names);
    return [{
      ...at,
      message: `kubeadm ${minor} has no feature gate "${name}" and does not start with it`,
      accepted: names.filter((known) => kubeadmGateFact(known, minor)).join(', '),
      fix: near ? `did you mean ${near}?` : `remove ${name}; gates of Kubernetes go to its components`,
    }];
  });
}
