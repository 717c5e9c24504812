import { HostFile } from './files/host-file';
import { ComponentArgument } from '../../manifests/values/component-arguments';
import { Taint } from '../../manifests/values/taints';
import { KubeletOptions } from '../contracts/node-pool/kubelet';

/** A machine that is or becomes a node. It must exist, with containerd, kubeadm and the kubelet installed. */
export interface KubeadmNode {
  /**
   * Name of the node, a DNS name of at most 63 characters. A cloud may demand one: Nifcloud finds a node by the instance id of its
   * machine. It cannot change later.
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-NAME`.
   */
  readonly name: string;

  /**
   * Address at which the other hosts reach it, e.g. in a private network. The API server of a control plane node advertises it. Unless a
   * cloud controller manager sets the addresses of nodes, it is also the node's address (`--node-ip`).
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-ADDRESS`.
   */
  readonly address: string;

  /**
   * Zone of the machine, named by the platform, e.g. `east-11`. It appears in the overview of hosts; the cloud controller manager sets the
   * node's label.
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-ZONE`.
   *
   * @default - none
   */
  readonly zone?: string;

  /**
   * Labels that the kubelet sets when it registers (`TC-KUBEADM-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that the node registers with. An empty list lets any pod run on a node of the control plane.
   *
   * Rule: `TC-KUBEADM-CLUSTER-TAINT`.
   *
   * @default - none; `node-role.kubernetes.io/control-plane:NoSchedule` on the control plane (kubeadm)
   */
  readonly taints?: Taint[];

  /**
   * Kubelet options of this node, as a patch that kubeadm applies to the cluster's configuration. Each unset threshold and reservation
   * keeps the value of the cluster.
   *
   * @default - nothing
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Further arguments of the kubelet. Arguments that kubeadm or another option sets are rejected: node name, labels, taints, cloud
   * provider, files of kubeadm, and fields of the kubelet options.
   *
   * Rule: `TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT`.
   *
   * @default - none
   */
  readonly kubeletExtraArgs?: ComponentArgument[];

  /**
   * Further files.
   *
   * @default - none
   */
  readonly files?: HostFile[];
}
