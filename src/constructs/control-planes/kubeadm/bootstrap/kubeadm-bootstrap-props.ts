import { BootstrapFormat } from './bootstrap-format';
import { BootstrapMount, DiskSetup } from './disk-setup';
import { JoinTimeouts } from './join-timeouts';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { BootstrapFile } from '../../../contracts/bootstrap-file';
import { BootstrapUser } from '../../../contracts/bootstrap-user';
import { BootstrapNtp, NodeHttpProxy, RegistryMirror, TrustedCa } from '../../../contracts/company-network/node-network';
import { NodeName } from '../../../contracts/node-name';

/**
 * Options of machines that join with kubeadm. Nothing is needed for a machine image that has containerd, the kubelet and kubeadm in it.
 *
 * A change of any of these makes new machines.
 *
 * A machine that starts for the first time does, in this order: `bootCommands`; all files; disks, mounts and users; the time
 * service; its address, where the infrastructure names one; `trustedCas`; `httpProxy`; `registryMirrors`; `preKubeadmCommands`; kubeadm;
 * `postKubeadmCommands`. A machine on which one of the four in the middle fails does not join, whereas commands of the user's own end the
 * sequence only with an `exit`.
 *
 * Texts go through cloud-init, which reads them as Jinja templates, those that end up in kubeadm's own configuration too, and all of them
 * together from one Secret of at most 1 MiB; lists have an upper length. Some infrastructures allow certain texts only in
 * `preKubeadmCommands` and `postKubeadmCommands`. These checks see the object as it is written, with patches; what comes from Secrets they
 * do not see. A patch to another `format` is refused.
 *
 * Rules: `TC-KUBEADM-JINJA`, `TC-KUBEADM-DATA-SIZE`, `TC-ADMIT-FIELD-VALUE`, `TC-KUBEADM-FORBIDDEN-TEXT`, `TC-KUBEADM-FORMAT`.
 */
export interface KubeadmBootstrapProps {
  /**
   * Format of what a machine reads at its first start, as its image needs it.
   *
   * With `IGNITION`, templates of instance data and options that Cluster API does not write for it are refused; commands before kubeadm stop at the
   * first that fails. An infrastructure whose nodes need instance data, such as an identifier for the kubelet, refuses it unless it states variables in its
   * place (`NodeSetup.ignition`), as those of OpenStack, Proxmox VE and vSphere do.
   *
   * Rules: `TC-KUBEADM-IGNITION`, `TC-ADMIT-KUBEADM-IGNITION-FIELD`, `TC-ADMIT-KUBEADM-IGNITION-GATE`. Source: kubernetes-sigs/cluster-api
   * bootstrap/kubeadm/pkg/ignition.
   *
   * @default BootstrapFormat.CLOUD_CONFIG
   */
  readonly format?: BootstrapFormat;

  /**
   * Source of the name of the node. Cloud controller managers find the machine of a node by this name: it is needed where a
   * cloud's name for the machine and the machine's own host name differ.
   *
   * Rule: `TC-KUBEADM-NODE-NAME`.
   *
   * @default - the machine's host name (kubeadm)
   */
  readonly nodeName?: NodeName;

  /**
   * Socket of the container runtime (`TC-KUBEADM-CRI-SOCKET`).
   *
   * @default unix:///var/run/containerd/containerd.sock
   */
  readonly criSocket?: string;

  /**
   * Further arguments of the kubelet, each once, at most 100 with those that the library sets, with values of at most 1024 characters
   * without white space; the kubelet must know them. Arguments that another option sets are rejected: labels, taints, node name, cloud
   * provider, files of kubeadm, and fields that the pool's kubelet options set.
   *
   * Most of the kubelet's flags are deprecated: prefer the pool's kubelet options where they have a field.
   *
   * Rules: `TC-ADMIT-KUBEADM-ARGUMENT`, `TC-ADMIT-FIELD-VALUE`, `TC-KUBEADM-KUBELET-ARGUMENT-TEXT`, `TC-TRAP-KUBEADM-ARGUMENT`,
   * `TC-KUBEADM-KUBELET-ARGUMENT`.
   *
   * @default - none
   */
  readonly kubeletExtraArgs?: ComponentArgument[];

  /**
   * Preflight checks of kubeadm whose failure is only a warning, e.g. `FileExisting-conntrack`; at most 50 (`TC-KUBEADM-JOIN-OPTION`).
   *
   * @default - none
   */
  readonly ignorePreflightErrors?: string[];

  /**
   * Phases of `kubeadm join` that are left out; at most 50 (`TC-KUBEADM-JOIN-OPTION`).
   *
   * @default - none
   */
  readonly skipPhases?: string[];

  /**
   * Time that `kubeadm join` waits.
   *
   * @default - kubeadm's own
   */
  readonly timeouts?: JoinTimeouts;

  /**
   * Log level of kubeadm, a whole number from 0 (`TC-ADMIT-FIELD-TYPE`, `TC-KUBEADM-VERBOSITY`).
   *
   * @default 0
   */
  readonly verbosity?: number;

  /**
   * Files to write; at most 200 with those that other properties need. Files in `/etc/kubernetes/patches` are patches that kubeadm
   * applies to the kubelet's configuration
   * (kubernetes.io/docs/setup/production-environment/tools/kubeadm/control-plane-flags).
   *
   * @default - none
   */
  readonly files?: BootstrapFile[];

  /**
   * Shell commands that run early at **every** start of the machine, before there are files and mounts (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default - none
   */
  readonly bootCommands?: string[];

  /**
   * Shell commands that run once, before kubeadm (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default - none
   */
  readonly preKubeadmCommands?: string[];

  /**
   * Shell commands that run once, after kubeadm, whether or not the machine has joined (`TC-ADMIT-FIELD-VALUE`).
   *
   * @default - none
   */
  readonly postKubeadmCommands?: string[];

  /**
   * Users of the operating system, at most 100. The image's default user is not made when there are any.
   *
   * @default - the image's
   */
  readonly users?: BootstrapUser[];

  /**
   * Time servers of the machine.
   *
   * @default - the servers of the cluster's `companyNetwork`, else the image's
   */
  readonly ntp?: BootstrapNtp;

  /**
   * Partitions and file systems of disks.
   *
   * @default - not at all
   */
  readonly diskSetup?: DiskSetup;

  /**
   * File systems to mount, at most 100.
   *
   * @default - the image's
   */
  readonly mounts?: BootstrapMount[];

  /**
   * Mirrors that containerd pulls images from.
   *
   * @default - those of the cluster's `companyNetwork`, else images come from their registries
   */
  readonly registryMirrors?: RegistryMirror[];

  /**
   * Proxy of containerd and the kubelet.
   *
   * @default - that of the cluster's `companyNetwork`, else none
   */
  readonly httpProxy?: NodeHttpProxy;

  /**
   * Certificate authorities that the machine trusts beside the image's.
   *
   * @default - those of the cluster's `companyNetwork`, else none
   */
  readonly trustedCas?: TrustedCa[];
}
