import { HostFile } from './hosts/host-file';
import { ComponentArgument } from '../kubernetes/component-arguments';
import { Taint } from '../kubernetes/taints';
import { KubeletOptions } from '../node-pool/kubelet';

/** A machine that is or becomes a node. It is there already, with containerd, kubeadm and the kubelet on it. */
export interface KubeadmNode {
  /**
   * Name of the node, a DNS name of at most 63 characters (`TC-KUBEADM-CLUSTER-NODE-NAME`). A cloud may demand one: Nifcloud finds a node by
   * the instance id of its machine. It cannot change later.
   */
  readonly name: string;

  /**
   * Address by which the other hosts reach it, e.g. that of a private network (`TC-KUBEADM-CLUSTER-NODE-ADDRESS`). The API server of a
   * control plane node is announced at it and, unless a cloud controller manager tells the addresses of nodes, the node itself
   * (`--node-ip`).
   */
  readonly address: string;

  /**
   * Where the machine is, as the platform calls it, e.g. `east-11`. It stands in the overview of hosts; the node's label comes from the cloud
   * controller manager.
   *
   * @default - not said
   */
  readonly zone?: string;

  /**
   * Labels that the kubelet sets when it registers (`TC-KUBEADM-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that the node registers with (`TC-KUBEADM-CLUSTER-TAINT`). An empty list lets any pod run on a node of the control plane.
   *
   * @default - none; `node-role.kubernetes.io/control-plane:NoSchedule` on the control plane (kubeadm)
   */
  readonly taints?: Taint[];

  /**
   * What differs from the cluster's kubelets, as a patch that kubeadm applies to their configuration: what is not said here stays as the
   * cluster has it, each threshold and each reservation by itself.
   *
   * @default - nothing
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Further arguments of the kubelet (`TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT`). Refused are those that somebody else sets: node name, labels,
   * taints, cloud provider, files of kubeadm, and fields that the kubelet options set.
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
