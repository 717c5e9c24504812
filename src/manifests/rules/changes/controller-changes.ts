import { ManifestChange, TransitionRule } from './transition-rule';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { numberAt, stringAt } from '../../values/fields';
import { CLUSTER } from '../cluster-api/cluster-api-kinds';
import { isAsleep } from '../cluster-api/cluster-members';
import { documents } from '../example-text';
import { ManifestIndex } from '../manifest-index';
import { POD_KINDS } from '../pod-objects';
import { argumentOf, Program, runningPrograms } from '../programs';

const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: acme}
`;

/** A Deployment of a program in the examples of rules. */
export function controllerText(name: string, image: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: tenant-acme
spec:
  replicas: 1
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: ${name}
          image: ${image}
`;
}

/** True if a program is a cloud controller manager: by its name, or by its cloud. */
export function isCloudController(program: Program): boolean {
  if (/(?:^|-)(?:cloud-controller-manager|ccm)$|^cloud-provider-(?!.*(?:csi|webhook))/.test(program.name)) return true;
  return argumentOf(program, 'cloud-provider') !== undefined && !/^(?:kube|cluster-autoscaler)/.test(program.name);
}

/** True if an object runs a program. */
export function runs(object: ManifestObject | undefined, isProgram: (program: Program) => boolean): boolean {
  return object !== undefined && numberAt(object, 'spec', 'replicas') !== 0 && runningPrograms(object).some(isProgram);
}

/**
 * The object as it was, if it ran a program, and neither it nor another one of its place does now: of its namespace in a management cluster, of
 * the whole cluster in a tenant.
 */
export function stoppedRunning({ before, after, now }: ManifestChange, isProgram: (program: Program) => boolean): ManifestObject | undefined {
  if (!before || !runs(before, isProgram) || runs(after, isProgram)) return undefined;
  const isReplaced = POD_KINDS.flatMap((kind) => (now.target ? now.all(kind) : now.allIn(kind, namespaceOf(before))))
    .some((object) => runs(object, isProgram));
  return isReplaced ? undefined : before;
}

/** Clusters that are there before and after a change and are not asleep, in the namespace of an object, or as its target. */
export function stayingClusters(object: ManifestObject, old: ManifestIndex, now: ManifestIndex): ManifestObject[] {
  const { target } = now;
  const found = target ? [target.management.find(CLUSTER, target.namespace, target.name)].filter((one) => one !== undefined)
    : now.allIn(CLUSTER, namespaceOf(object)).filter((one) => old.find(CLUSTER, namespaceOf(one), nameOf(one)));
  return found.filter((cluster) => !isAsleep(cluster, target?.management ?? now));
}

const CONTROLLER_TEXT = controllerText('csi-controller', 'registry.k8s.io/sig-storage/csi-provisioner:v6.4.0');
const CLASS_TEXT = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: fast\nprovisioner: csi.example.com\n';
const CSI_KINDS = ['storage.k8s.io/StorageClass', 'storage.k8s.io/CSIDriver'];

const VOLUMES: TransitionRule = {
  id: 'TC-CHANGE-CSI-CONTROLLER-REMOVED',
  title: 'The controller of a CSI driver must stay as long as volumes are made by it: without it none is made, attached, expanded or deleted.',
  source: 'container-storage-interface/spec spec.md (Controller Service); kubernetes-csi/external-attacher README.md',
  kinds: POD_KINDS,
  trap: true,
  stranding: true,
  example: {
    before: documents(CLASS_TEXT, CONTROLLER_TEXT), failing: CLASS_TEXT, corrected: documents(CLASS_TEXT, CONTROLLER_TEXT.replace('v6.4.0', 'v6.3.0')),
  },
  check: (change) => {
    const stopped = stoppedRunning(change, ({ name }) => name === 'csi-provisioner');
    if (!stopped) return [];
    const classes = CSI_KINDS.flatMap((kind) => change.now.all(kind))
      .filter((object) => !stringAt(object, 'provisioner')?.startsWith('kubernetes.io/')).map((object) => `${String(object.kind)} ${nameOf(object) ?? ''}`);
    // Another driver of the same cluster may make the volumes of these classes.
    const isOnly = !POD_KINDS.flatMap((kind) => change.now.all(kind)).some((object) => runs(object, ({ name }) => name === 'csi-provisioner'));
    const clusters = stayingClusters(stopped, change.old, change.now);
    const users = isOnly && classes.length > 0 ? classes.slice(0, 3).join(', ') : clusters.map((one) => `Cluster ${nameOf(one) ?? ''}`).join(', ');
    return users === '' ? [] : [{
      path: change.after ? ['spec'] : [],
      message: `no csi-provisioner runs any more for ${users}: no volume is made, attached, expanded or deleted`,
      fix: 'put the controller back, or delete all volumes and their classes first',
    }];
  },
};

const POLICY = 'NetworkPolicy';
const POLICY_TEXT = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: acme-machines
  namespace: tenant-acme
spec:
  podSelector: {}
  policyTypes: [Ingress]
`;

const ISOLATION: TransitionRule = {
  id: 'TC-CHANGE-ISOLATION-REMOVED',
  title: 'The last network policy of a namespace with a Cluster must not be removed: machines and control planes of the tenant reach all others, and are reached.',
  source: 'kubernetes.io/docs/concepts/services-networking/network-policies (the two sorts of pod isolation)',
  kinds: [`networking.k8s.io/${POLICY}`],
  kindSuffix: POLICY,
  trap: true,
  stranding: true,
  example: {
    before: documents(CLUSTER_TEXT, POLICY_TEXT), failing: CLUSTER_TEXT, corrected: documents(CLUSTER_TEXT, POLICY_TEXT.replace('acme-machines', 'acme')),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after || now.target) return [];
    const policiesIn = (index: ManifestIndex) => index.kinds().filter((kind) => kind.endsWith(POLICY))
      .flatMap((kind) => index.allIn(kind, namespaceOf(before)));
    const [first] = policiesIn(old);
    if (policiesIn(now).length > 0 || groupKind(first) !== groupKind(before) || nameOf(first) !== nameOf(before)) return [];
    const [cluster] = stayingClusters(before, old, now);
    return cluster ? [{
      path: [],
      message: `no network policy is left in ${namespaceOf(before) ?? 'the namespace'}, and Cluster ${nameOf(cluster) ?? ''} stays: its machines reach the pods of all tenants, and are reached by them`,
      fix: 'keep the policies, or write the new ones in the same change',
    }] : [];
  },
};

/** Rules over what changes of controllers and policies leave behind. */
export const CONTROLLER_CHANGES: readonly TransitionRule[] = [VOLUMES, ISOLATION];
