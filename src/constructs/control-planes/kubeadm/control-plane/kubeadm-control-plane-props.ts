import { Duration } from 'cdk8s';
import { KubeadmCoreDns } from './addons';
import { KubeadmEncryptionAlgorithm } from './certificates';
import { KubeadmComponent } from './components';
import { ControlPlaneEndpoint } from './endpoint';
import { KubeadmEtcd } from './etcd';
import { KubeadmRemediation, KubeadmRollout } from './rollout';
import { Taint } from '../../../../manifests/values/taints';
import { Machine } from '../../../contracts/machine';
import { FormerTemplates } from '../../../contracts/node-pool/former-templates';
import { HealthCheck } from '../../../contracts/node-pool/health-check';
import { KubeletOptions } from '../../../contracts/node-pool/kubelet';
import { ServiceAccountKeys } from '../../service-account-keys';
import { KubeadmBootstrapProps } from '../bootstrap/kubeadm-bootstrap-props';

/** Time that kubeadm waits on a control plane machine, beside `timeouts`; whole seconds, at least one (`TC-KUBEADM-TIMEOUT`). */
export interface KubeadmControlPlaneTimeouts {
  /**
   * For API server, controller manager and scheduler to be healthy.
   *
   * @default - 4 minutes (kubeadm.k8s.io/v1beta4)
   */
  readonly componentHealthCheck?: Duration;

  /**
   * For one request to etcd.
   *
   * @default - 2 minutes (kubeadm.k8s.io/v1beta4)
   */
  readonly etcdApiCall?: Duration;
}

/**
 * Options of a control plane on dedicated machines, besides the bootstrap options that pools also have.
 *
 * A change that reaches kubeadm or the machines replaces the machines, one by one. On a living cluster neither can `caCertificateValidity` change nor
 * `etcd` from one kind to the other, and Kubernetes is raised by one minor version at a time
 * (kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go).
 */
export interface KubeadmControlPlaneProps extends KubeadmBootstrapProps {
  /**
   * The machines: those of the cluster's infrastructure, with at least 2 CPUs and 1700 MiB.
   *
   * etcd is bound to the address of its machine. A machine that may come back with another one after a stop, such as a virtual machine on
   * the pod network, does not recover by itself: `RunStrategy.ONCE` together with `EvictionStrategy.NONE` has it replaced, after a drain
   * of its host too. With `EvictionStrategy.EXTERNAL` KubeVirt would start it anew, which a warning says where the disk is a container
   * disk.
   *
   * Rules: `TC-KUBEADM-CP-INFRASTRUCTURE`, `TC-KUBEADM-CP-MACHINE-SIZE`, `TC-KUBEVIRT-CONTROL-PLANE-RETURN`. Source: kubevirt/kubevirt
   * pkg/virt-controller/watch/vm/vm.go.
   */
  readonly machine: Machine;

  /**
   * The machine template that the machines were made from before there was a page, and the KubeadmControlPlane with their configuration. Both
   * are kept, and no machine is replaced, until the page changes.
   *
   * Rule: `TC-POOL-FORMER-TEMPLATES`.
   *
   * @default - the page's own
   */
  readonly formerTemplates?: FormerTemplates;

  /**
   * Number of machines: 1 or more, an odd number with etcd on them. A single one cannot be replaced when it fails.
   *
   * Rule: `TC-ADMIT-KCP-REPLICAS`.
   *
   * @default 3
   */
  readonly replicas?: number;

  /**
   * Maker of the address at which the API server is reached. It cannot change on a living cluster.
   *
   * @default ControlPlaneEndpoint.infrastructure()
   */
  readonly endpoint?: ControlPlaneEndpoint;

  /**
   * etcd of the cluster.
   *
   * @default KubeadmEtcd.stacked()
   */
  readonly etcd?: KubeadmEtcd;

  /**
   * Further names in the API server's certificate: IP addresses, DNS names, wildcard DNS names, without a port; at most 100. The endpoint
   * of the cluster is in it anyway.
   *
   * Rules: `TC-KUBEADM-CP-CERTIFICATE-NAME`, `TC-ADMIT-FIELD-VALUE`.
   *
   * @default - the name by which the management cluster reaches the API server, where the infrastructure has one
   */
  readonly certSans?: string[];

  /**
   * Flags, feature gates, volumes and environment of the API server.
   *
   * @default - see `KubeadmComponent`
   */
  readonly apiServer?: KubeadmComponent;

  /**
   * Flags, feature gates, volumes and environment of the controller manager.
   *
   * @default - see `KubeadmComponent`
   */
  readonly controllerManager?: KubeadmComponent;

  /**
   * Flags, feature gates, volumes and environment of the scheduler.
   *
   * @default - see `KubeadmComponent`
   */
  readonly scheduler?: KubeadmComponent;

  /**
   * Feature gates of kubeadm itself (`TC-KUBEADM-CP-KUBEADM-FEATURE-GATE`).
   *
   * @default - kubeadm's defaults
   */
  readonly kubeadmFeatureGates?: { [name: string]: boolean };

  /**
   * Registry, with a path if there is one, that the images of the control plane, of etcd, CoreDNS and kube-proxy are pulled from
   * (`TC-KUBEADM-CP-IMAGE`).
   *
   * @default - registry.k8s.io (kubeadm)
   */
  readonly imageRepository?: string;

  /**
   * The cluster's DNS server.
   *
   * @default KubeadmCoreDns.managed()
   */
  readonly coreDns?: KubeadmCoreDns;

  /**
   * True if kubeadm installs kube-proxy, which leads Services to their pods; a pod network may do it instead, and one of them has to
   * (`TC-KUBEADM-CP-KUBE-PROXY`).
   *
   * @default - true, unless the cluster's `cni` replaces it
   */
  readonly kubeProxy?: boolean;

  /**
   * Validity of certificates, in whole days from 1 to 1095 and no longer than their authority. They are made anew with every
   * machine, see `rollout`.
   *
   * Rule: `TC-ADMIT-KCP-CERTIFICATE`.
   *
   * @default Duration.days(365)
   */
  readonly certificateValidity?: Duration;

  /**
   * Validity of the certificates of authorities, in whole days from 1 to 36500. It cannot change later.
   *
   * Rule: `TC-ADMIT-FIELD-VALUE`.
   *
   * @default - 3650 days (Cluster API's own)
   */
  readonly caCertificateValidity?: Duration;

  /**
   * Algorithm of the keys that certificates are made for. Authorities that exist keep theirs.
   *
   * Rule: `TC-KUBEADM-CP-ENCRYPTION-ALGORITHM`.
   *
   * @default - RSA-2048 (Cluster API's own)
   */
  readonly encryptionAlgorithm?: KubeadmEncryptionAlgorithm;

  /**
   * Keys for tokens of ServiceAccounts, so that they can be exchanged step by step. Machines get them when they are made: after each change of the keys or of
   * their order, `rollout.after` replaces the machines.
   *
   * Source: kubernetes-sigs/cluster-api docs/book/src/tasks/certs/using-custom-certificates.md.
   *
   * @default - Cluster API makes a key when the cluster is created, and keeps it
   */
  readonly serviceAccountKeys?: ServiceAccountKeys;

  /**
   * Phases of `kubeadm init` that are left out, at most 48, beside those of addons that are not wanted. `skipPhases` is for `kubeadm
   * join`, with which all machines but the first one start.
   *
   * Rule: `TC-KUBEADM-JOIN-OPTION`.
   *
   * @default - none
   */
  readonly initSkipPhases?: string[];

  /**
   * Time that kubeadm waits for the control plane.
   *
   * @default - kubeadm's own
   */
  readonly controlPlaneTimeouts?: KubeadmControlPlaneTimeouts;

  /**
   * Labels of the nodes. Those of `node-role.kubernetes.io`, `node-restriction.kubernetes.io` and `node.cluster.x-k8s.io` reach living
   * nodes, a change of others replaces the machines.
   *
   * Rule: `TC-POOL-LABEL`.
   *
   * @default - none beyond those that kubeadm and the infrastructure give
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that nodes register with. An empty list lets any pod run on the control plane's machines.
   *
   * Rule: `TC-POOL-TAINT`.
   *
   * @default - `node-role.kubernetes.io/control-plane:NoSchedule` (kubeadm)
   */
  readonly taints?: Taint[];

  /**
   * Reservations and configuration of the kubelets.
   *
   * @default - reservations and eviction thresholds computed from the machine's size
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Replacement of unhealthy machines. Cluster API does it one at a time, and only while etcd keeps its majority
   * (`TC-KUBEADM-CP-IN-FLIGHT`).
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;

  /**
   * Limits for the replacement of unhealthy machines.
   *
   * @default - without limit
   */
  readonly remediation?: KubeadmRemediation;

  /**
   * Replacement of machines.
   *
   * @default - when something changes and 30 days before certificates expire, one by one, the new one first
   */
  readonly rollout?: KubeadmRollout;

  /**
   * Time that a node may take to give up its pods before its machine is deleted all the same. `Duration.seconds(0)` waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeDrainTimeout?: Duration;

  /**
   * Time that a node's volumes may take to be detached before its machine is deleted all the same. `Duration.seconds(0)` waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeVolumeDetachTimeout?: Duration;

  /**
   * Time that Cluster API tries to delete the `Node` of a machine that is gone. `Duration.seconds(0)` tries for ever.
   *
   * @default Duration.minutes(5)
   */
  readonly nodeDeletionTimeout?: Duration;
}
