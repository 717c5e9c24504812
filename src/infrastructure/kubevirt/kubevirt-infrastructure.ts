import { Construct } from 'constructs';
import { KubevirtCluster, KubevirtClusterSpec } from '../../../imports/infrastructure.cluster.x-k8s.io';
import { ClusterContext } from '../../cluster-context';
import { keepOnPrune } from '../../delivery/marks';
import { checkAnnotations, checkLabels } from '../../kubernetes/labels';
import { checkCidr, Cidr } from '../../network/cidr';
import { Problems } from '../../validation/problems';
import { Infrastructure, InfrastructureCapabilities, InfrastructureConfig } from '../infrastructure';
import { addCloudControllerManager } from './cloud-controller-manager/add-cloud-controller-manager';
import { KubevirtCloudControllerManager } from './cloud-controller-manager/kubevirt-cloud-controller-manager';
import { checkNamespace, requireObjectName } from './data-volume';
import { PropertyReport } from './property-report';
import { KUBEVIRT_RULES } from './rules';

/** Kind of the infrastructure object. */
export const KUBEVIRT_CLUSTER_KIND = 'KubevirtCluster';

/** The Secret with the kubeconfig of another cluster that runs the machines. */
export interface InfraClusterSecretRef {
  /**
   * Name of the Secret. Its key `kubeconfig` holds the kubeconfig, its key `namespace` the namespace of the virtual machines
   * (else the namespace of the kubeconfig's context is used).
   */
  readonly name: string;

  /**
   * Namespace of the Secret in the management cluster.
   *
   * @default - the tenant cluster's namespace
   */
  readonly namespace?: string;
}

/** How the Service in front of control plane machines is published. */
export enum ControlPlaneServiceType {
  /** Inside the cluster that runs the machines only. */
  CLUSTER_IP = 'ClusterIP',

  /** Through that cluster's load balancers, which must give it an IP address: a host name alone leaves the endpoint empty. */
  LOAD_BALANCER = 'LoadBalancer',
}

/** The Service that the KubeVirt provider puts in front of control plane machines, when it makes the cluster. Later changes have no effect. */
export interface ControlPlaneServiceOptions {
  /**
   * How it is published.
   *
   * @default ControlPlaneServiceType.CLUSTER_IP
   */
  readonly type?: ControlPlaneServiceType;

  /**
   * Labels of the Service (`TC-KUBEVIRT-LABEL`).
   *
   * @default - the name of the cluster
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the Service (`TC-KUBEVIRT-ANNOTATION`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** Where and how the machines of a cluster run on KubeVirt. */
export interface KubevirtInfrastructureProps {
  /**
   * Pod, Service and node ranges of the cluster that runs the machines (`TC-KUBEVIRT-INFRA-CIDR`). The guests reach them through their
   * own network, so the tenant's ranges must be others.
   *
   * @default - not known, and not checked
   */
  readonly infraClusterCidrs?: string[];

  /**
   * The Secret with the kubeconfig of another cluster that runs the machines. It must exist for as long as the tenant cluster does:
   * without it machines wait for bootstrap data, as they put it, and the cluster cannot be deleted.
   *
   * @default - the management cluster runs the machines
   */
  readonly infraClusterSecretRef?: InfraClusterSecretRef;

  /**
   * The Service in front of control plane machines. Not with a control plane that manages the endpoint itself, such as Kamaji
   * (`TC-KUBEVIRT-CONTROL-PLANE-SERVICE`).
   *
   * @default - inside the cluster that runs the machines only
   */
  readonly controlPlaneService?: ControlPlaneServiceOptions;

  /**
   * Whether and how KubeVirt's cloud controller manager runs: it initializes the nodes and publishes Services of type LoadBalancer.
   *
   * @default KubevirtCloudControllerManager.of()
   */
  readonly cloudControllerManager?: KubevirtCloudControllerManager;
}

/** Machines on KubeVirt, made by the Cluster API provider for KubeVirt (`KubevirtCluster`, v1alpha1). */
export class KubevirtInfrastructure extends Infrastructure {
  /** What this infrastructure brings along and asks for. */
  public readonly capabilities: InfrastructureCapabilities;

  /**
   * @param props where the machines run
   */
  public constructor(private readonly props: KubevirtInfrastructureProps = {}) {
    super();
    // Whoever compares ranges gets ranges only; bind() reports the others.
    const cidrs = props.infraClusterCidrs?.filter((text) => Cidr.parse(text) !== undefined);
    const { enabled, options } = this.cloudControllerManager;
    this.capabilities = {
      clusterKind: KUBEVIRT_CLUSTER_KIND,
      reservedCidrs: cidrs,
      inManagementCluster: props.infraClusterSecretRef === undefined,
      externalCloudProvider: enabled && (options.initializeNodes ?? true),
    };
  }

  /**
   * Makes the `KubevirtCluster` of one tenant cluster, and its cloud controller manager.
   *
   * @param scope where to put it
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    this.check(new PropertyReport(Problems.of(scope), 'infrastructure'), context);
    addCloudControllerManager(scope, context, this.cloudControllerManager, this.props.infraClusterSecretRef);
    const { endpointManager } = context.controlPlane;
    return {
      resource: new KubevirtCluster(scope, 'Resource', {
        metadata: {
          name: context.name,
          annotations: { ...keepOnPrune(), ...(endpointManager !== undefined && { 'cluster.x-k8s.io/managed-by': endpointManager }) },
        },
        spec: this.spec(context),
      }),
    };
  }

  private get cloudControllerManager(): KubevirtCloudControllerManager {
    return this.props.cloudControllerManager ?? KubevirtCloudControllerManager.of();
  }

  private spec({ namespace }: ClusterContext): KubevirtClusterSpec | undefined {
    const { infraClusterSecretRef: secret, controlPlaneService: service } = this.props;
    if (!secret && !service) return undefined;
    return {
      infraClusterSecretRef: secret && { name: secret.name, namespace: secret.namespace ?? namespace },
      controlPlaneServiceTemplate: service && {
        metadata: service.labels || service.annotations ? { labels: service.labels, annotations: service.annotations } : undefined,
        spec: { type: service.type ?? ControlPlaneServiceType.CLUSTER_IP },
      },
    };
  }

  private check(report: PropertyReport, context: ClusterContext): void {
    const { infraClusterCidrs = [], infraClusterSecretRef, controlPlaneService } = this.props;
    infraClusterCidrs.forEach((cidr, index) => {
      report.at('infraClusterCidrs').item(index).expect(KUBEVIRT_RULES.infraCidr, checkCidr(cidr), 'write a range such as "10.42.0.0/16"');
    });
    const secret = report.at('infraClusterSecretRef');
    if (infraClusterSecretRef) requireObjectName(secret.at('name'), infraClusterSecretRef.name);
    checkNamespace(secret.at('namespace'), infraClusterSecretRef?.namespace);
    if (controlPlaneService) this.checkService(report.at('controlPlaneService'), controlPlaneService, context);
  }

  private checkService(report: PropertyReport, service: ControlPlaneServiceOptions, { controlPlane }: ClusterContext): void {
    const { labels = {}, annotations = {} } = service;
    if (controlPlane.endpointManager !== undefined) {
      report.add(KUBEVIRT_RULES.controlPlaneService, {
        message: `the endpoint is managed by ${controlPlane.endpointManager}, and the KubeVirt provider makes no Service for such a cluster`,
        fix: 'leave it out, and configure the Service on the control plane',
      });
    }
    for (const { key, message } of checkLabels(labels)) {
      report.at('labels').entry(key).add(KUBEVIRT_RULES.label, { message, fix: 'correct the label' });
    }
    for (const { key, message } of checkAnnotations(annotations)) {
      report.at('annotations').entry(key).add(KUBEVIRT_RULES.annotation, { message, fix: 'correct the annotation' });
    }
  }
}
