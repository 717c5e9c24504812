import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { ResourceRequirements } from '../../../../manifests/values/resource-requirements';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';
import { Toleration } from '../../../../manifests/values/taints';
import { KUBEVIRT_CSI_DRIVER } from '../../../../manifests/values/versions';
import { ControllerContainerOptions, TenantControllerPodOptions } from '../../../addons/controllers/tenant-controller-options';

/** Options of the driver on the nodes of the tenant. */
export interface KubevirtCsiNodeOptions {
  /**
   * Tolerations of the driver's pods. Pods on other nodes get no volumes.
   *
   * Rule: `TC-ADMIT-KUBERNETES-TOLERATION`.
   *
   * @default - all
   */
  readonly tolerations?: Toleration[];

  /**
   * Labels that a node must have. Pods on other nodes get no volumes.
   *
   * Rule: `TC-ADMIT-KUBERNETES-POD`.
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Name of the PriorityClass (`TC-ADMIT-KUBERNETES-POD`).
   *
   * @default system-node-critical
   */
  readonly priorityClassName?: string;

  /**
   * Further labels of the pods (`TC-ADMIT-FIELD-METADATA`, `TC-CONTROLLER-LABEL`).
   *
   * @default - the name of the driver
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pods (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Names of Secrets, in the tenant's namespace `kubevirt-csi-driver`, with the credentials of registries (`TC-CONTROLLER-OBJECT-NAME`).
   *
   * @default - those of the cluster's `companyNetwork`, else none
   */
  readonly imagePullSecrets?: string[];

  /**
   * CPU and memory of the driver on a node. What is given replaces the default as a whole. Mind that the driver makes and grows file
   * systems in its container: the larger they are, the more memory that takes.
   *
   * Rule: `TC-CONTROLLER-RESOURCES`.
   *
   * @default - 10m CPU and 50Mi memory are requested, without a limit (kubevirt/csi-driver deploy/tenant/base/deploy.yaml)
   */
  readonly resources?: ResourceRequirements;

  /**
   * Further flags of the driver on a node (`TC-CONTROLLER-ARGUMENT`).
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];
}

/** Options of KubeVirt's CSI driver. */
export interface KubevirtCsiDriverOptions extends TenantControllerPodOptions {
  /**
   * Image of the driver, for the management cluster and for the nodes.
   *
   * The project releases no version: it publishes `quay.io/kubevirt/kubevirt-csi-driver:latest` from its main branch. Name that with the
   * digest that you have tried, or an image that you have built and tagged as docs/guides/build-the-images.md shows. Volumes outlive a
   * restart of their machine with a driver of March 2025 or later, and are detached from a machine that is gone with one of June 2026 or
   * later (PR 184).
   *
   * Rules: `TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`, `TC-KUBEVIRT-CSI-IMAGE`. Source: kubevirt/csi-driver PR 130.
   *
   * @default - quay.io/kubevirt/kubevirt-csi-driver:latest, which is refused
   */
  readonly image?: string;

  /**
   * CPU and memory of the driver in the management cluster. What is given replaces the default as a whole.
   *
   * Rule: `TC-CONTROLLER-RESOURCES`.
   *
   * @default - 10m CPU, 50Mi memory, at most 512Mi
   */
  readonly resources?: ResourceRequirements;

  /**
   * Further flags of the driver in the management cluster, such as `v` for what it logs (`TC-CONTROLLER-ARGUMENT`).
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Sidecar that creates and deletes volumes (csi-provisioner).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly provisioner?: ControllerContainerOptions;

  /**
   * Sidecar that attaches volumes to machines (csi-attacher).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly attacher?: ControllerContainerOptions;

  /**
   * Sidecar that expands volumes (csi-resizer); only with a storage class that allows expansion (`TC-KUBEVIRT-CSI-IDLE`).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly resizer?: ControllerContainerOptions;

  /**
   * Sidecar that creates and deletes snapshots (csi-snapshotter); only with snapshot classes (`TC-KUBEVIRT-CSI-IDLE`).
   *
   * @default - the release of `versions` of the cluster, with 10m CPU, 80Mi memory, at most 256Mi
   */
  readonly snapshotter?: ControllerContainerOptions;

  /**
   * Sidecar that serves the driver's health check, in the management cluster and on the nodes (livenessprobe).
   *
   * @default - v2.19.0 with 5m CPU, 32Mi memory, at most 64Mi
   */
  readonly livenessProbe?: ControllerContainerOptions;

  /**
   * Sidecar that registers the driver with the kubelet (csi-node-driver-registrar).
   *
   * @default - v2.17.0 with 5m CPU, 32Mi memory, at most 64Mi
   */
  readonly nodeDriverRegistrar?: ControllerContainerOptions;

  /**
   * Options of the driver on the nodes.
   *
   * @default - on every node, before all other pods
   */
  readonly node?: KubevirtCsiNodeOptions;

  /**
   * Namespace of the virtual machines in another cluster that runs them; the same as in the key `namespace` of the infrastructure's
   * Secret. The driver does not find it out by itself (`TC-KUBEVIRT-CSI-INFRA-CLUSTER`).
   *
   * @default - that of the cloud controller manager; in the management cluster, the tenant cluster's
   */
  readonly infraNamespace?: string;

  /**
   * Kubeconfig for another cluster that runs the machines, in a Secret of the tenant cluster's namespace.
   *
   * In the namespace of the machines it must be allowed to create, delete and get `datavolumes` of cdi.kubevirt.io; to get and list
   * `virtualmachineinstances` and get `virtualmachines` of kubevirt.io; to update `virtualmachines/addvolume`,
   * `virtualmachines/removevolume` and `virtualmachineinstances/removevolume` of subresources.kubevirt.io; to get PersistentVolumeClaims.
   * For volumes that grow, also to patch PersistentVolumeClaims there and to get PersistentVolumes; for snapshots, to create, delete and
   * get `volumesnapshots` of snapshot.storage.k8s.io.
   *
   * Rule: `TC-KUBEVIRT-CSI-INFRA-CLUSTER`.
   *
   * @default - key `kubeconfig` of the infrastructure's Secret, if that is in the tenant cluster's namespace
   */
  readonly infraKubeconfig?: SecretKeyRef;
}

/**
 * KubeVirt's CSI driver for a cluster with storage classes: its options, or none.
 *
 * It runs in two halves. One is in the management cluster, beside the control plane: it makes a DataVolume for each volume of the tenant,
 * in the cluster's namespace, and plugs it into the machine. The other is on each node of the tenant and mounts what has been plugged in.
 * No credentials of the management cluster ever reach the tenant.
 *
 * The first half finds its volumes by two labels, with name and namespace of the cluster, and touches no others (CVE-2024-1725). Its
 * Role, however, holds for the namespace: give each cluster a namespace of its own.
 *
 * KubeVirt must let volumes be plugged in, by the feature gate `DeclarativeHotplugVolumes` (on from 1.9) or `HotplugVolumes`.
 *
 * @example
 * new KubevirtInfrastructure({
 *   storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
 *   csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt-csi-driver:2026-08-01' }),
 * });
 */
export class KubevirtCsiDriver {
  /**
   * Runs it.
   *
   * @param options its options
   */
  public static of(options: KubevirtCsiDriverOptions = {}): KubevirtCsiDriver {
    return new KubevirtCsiDriver(true, options);
  }

  /** Does not run it: the cluster has no storage classes of the infrastructure (`TC-KUBEVIRT-CSI-IDLE`). */
  public static none(): KubevirtCsiDriver {
    return new KubevirtCsiDriver(false, {});
  }

  private constructor(
    /** True if it runs. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: KubevirtCsiDriverOptions,
  ) {}
}

/** Upstream publishes no other: it is the same in all catalogs. */
const DEFAULT_IMAGE = `${KUBEVIRT_CSI_DRIVER.image}:${KUBEVIRT_CSI_DRIVER.version}`;

/** The image of the driver. */
export function driverImage({ image }: KubevirtCsiDriverOptions): string {
  return image ?? DEFAULT_IMAGE;
}

const DRIVER_IMAGE_RULE: Rule = {
  id: 'TC-KUBEVIRT-CSI-IMAGE',
  title: 'The image of the CSI driver, which has no released version, must be set, with a digest or a tag other than latest.',
  source: 'kubevirt/csi-driver (no tags; CI publishes latest)',
};

/** Refuses the default of an image that has no version: two nodes of one cluster could run two drivers. What the user names is checked as any image. */
export function checkDriverImage(property: string, { image }: KubevirtCsiDriverOptions): Problem[] {
  return image !== undefined ? [] : [{
    rule: DRIVER_IMAGE_RULE,
    property: `${property}.image`,
    message: `upstream releases no version of the driver, and "${DEFAULT_IMAGE}" is another one tomorrow`,
    accepted: 'an image with a digest, or with a tag other than latest',
    fix: `add csiDriver: KubevirtCsiDriver.of({ image: … }), with "${KUBEVIRT_CSI_DRIVER.image}@sha256:…" as you have tried it, or an image that you have built and tagged (docs/guides/build-the-images.md)`,
    _image: DEFAULT_IMAGE,
  }];
}
