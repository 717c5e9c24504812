import { Construct } from 'constructs';
import { addCloudControllerManager, CLOUD_CONTROLLER_MANAGER } from './cloud-controller-manager/add-cloud-controller-manager';
import { KubevirtCloudControllerManager, loadBalancersOf } from './cloud-controller-manager/kubevirt-cloud-controller-manager';
import { addCsiDriver } from './csi-driver/add-csi-driver';
import { CSI_NAMESPACE } from './csi-driver/csi-node-addon';
import { KubevirtCsiDriver } from './csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from './csi-driver/kubevirt-storage-class';
import { checkNamespace, requireObjectName } from './disk';
import { checkInfraCapabilities, INFRA_CAPABILITIES_RULE } from './infra-cluster/capability-checks';
import { checkVolumeRequirements } from './infra-cluster/storage-requirements';
import { addTrustedCas } from './root-disk';
import { KubevirtCluster, KubevirtClusterSpec } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { checkCidr, Cidr } from '../../../manifests/values/cidr';
import { checkAnnotations, checkLabels } from '../../../manifests/values/labels';
import { Rule } from '../../../manifests/values/problem';
import { SecretRef } from '../../../manifests/values/secret-ref';
import { checkPodCapabilities } from '../../addons/controllers/controller-checks';
import { Problems, PropertyReport } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { AddonCapability } from '../../contracts/addon';
import { registerConsumer } from '../../contracts/capabilities/consumers';
import { InfraClusterCapabilities } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ApiServerAddresses, ClusterContext, ClusterIdentity } from '../../contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../contracts/infrastructure';
import { InfrastructureCapabilities, MachinePodLabels } from '../../contracts/infrastructure-capabilities';

/** Kind of the infrastructure object. */
export const KUBEVIRT_CLUSTER_KIND = 'KubevirtCluster';

/** Port of the Service in front of control plane machines (kubernetes-sigs/cluster-api-provider-kubevirt pkg/loadbalancer/loadbalancer.go). */
const API_SERVER_PORT = 6443;

const PROVIDER_RESOURCES = ['kubevirtclusters', 'kubevirtmachines', 'kubevirtmachinetemplates'].map((name) => `${name}.infrastructure.cluster.x-k8s.io`);
const MACHINE_RESOURCES = ['virtualmachineinstances.kubevirt.io', 'virtualmachines.kubevirt.io'];

const MACHINE_PODS: MachinePodLabels = {
  // kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (AppLabel)
  machines: { 'kubevirt.io': 'virt-launcher' },
  // kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go
  controlPlane: { 'cluster.x-k8s.io/role': 'control-plane' },
  // kubevirt/containerized-data-importer pkg/common/common.go (CDILabelKey, CDILabelValue)
  importers: { app: 'containerized-data-importer' },
};

/** Type of the Service in front of control plane machines. */
export enum ControlPlaneServiceType {
  /** Inside the cluster that runs the machines only. */
  CLUSTER_IP = 'ClusterIP',

  /** Through that cluster's load balancers, which must give it an IP address: a host name alone leaves the endpoint empty. */
  LOAD_BALANCER = 'LoadBalancer',
}

/** The Service that the KubeVirt provider puts in front of control plane machines, when it makes the cluster. Later changes have no effect. */
export interface ControlPlaneServiceOptions {
  /**
   * Its type.
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

/** Options of the infrastructure of a cluster on KubeVirt. */
export interface KubevirtInfrastructureProps {
  /**
   * Pod, Service and node ranges of the cluster that runs the machines. The guests reach them through their own network, so the tenant's
   * ranges must be others.
   *
   * Rule: `TC-KUBEVIRT-INFRA-CIDR`.
   *
   * @default - those that the cluster's `managementCluster` or `infraCluster` states
   */
  readonly infraClusterCidrs?: string[];

  /**
   * The Secret with the kubeconfig of another cluster that runs the machines, in the tenant cluster's namespace by default. Its key
   * `kubeconfig` holds the kubeconfig, its key `namespace` the namespace of the virtual machines (default: that of the kubeconfig's context).
   * It must exist for as long as the tenant cluster does: without it machines wait for bootstrap data, as they put it, and the cluster
   * cannot be deleted.
   *
   * @default - the management cluster runs the machines
   */
  readonly infraClusterSecretRef?: SecretRef;

  /**
   * Capabilities of that other cluster; only with `infraClusterSecretRef`, since the management cluster's offer is in the
   * cluster's `managementCluster`. Give one object to all infrastructures there.
   *
   * Rule: `TC-KUBEVIRT-INFRA-CLUSTER`.
   *
   * @default - with `infraClusterSecretRef` not known, and not checked
   */
  readonly infraCluster?: InfraClusterCapabilities;

  /**
   * The Service in front of control plane machines. Not with a control plane that manages the endpoint itself, such as Kamaji; of type
   * LoadBalancer where a control plane runs on machines in another cluster, which Cluster API would not reach otherwise.
   *
   * Rules: `TC-TRAP-KUBEVIRT-MANAGED-FIELDS`, `TC-TRAP-KUBEVIRT-SERVICE-TYPE`.
   *
   * @default - inside the cluster that runs the machines only
   */
  readonly controlPlaneService?: ControlPlaneServiceOptions;

  /**
   * KubeVirt's cloud controller manager: it initializes the nodes and publishes Services of type LoadBalancer.
   *
   * @default KubevirtCloudControllerManager.of()
   */
  readonly cloudControllerManager?: KubevirtCloudControllerManager;

  /**
   * Storage classes of the tenant, backed by those of the cluster that runs the machines. They bring KubeVirt's CSI driver along, in the
   * management cluster and, as the addons `kubevirt-csi-driver` and `kubevirt-csi-snapshot-classes`, in the tenant: the cluster needs a
   * delivery, and the driver an image that you name.
   *
   * Rules: `TC-CLUSTER-DELIVERY`, `TC-KUBEVIRT-CSI-IMAGE`.
   *
   * @default - none, and no CSI driver
   */
  readonly storageClasses?: KubevirtStorageClass[];

  /**
   * Options of KubeVirt's CSI driver; only with `storageClasses` (`TC-KUBEVIRT-CSI-IDLE`).
   *
   * @default KubevirtCsiDriver.of() with storage classes, none without
   */
  readonly csiDriver?: KubevirtCsiDriver;
}

const INFRA_CIDR_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-CIDR',
  title: 'The ranges of the cluster that runs the machines must be CIDR blocks.',
};

export const LABEL_RULE: Rule = {
  id: 'TC-KUBEVIRT-LABEL',
  title: 'Labels must have valid keys and values.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
};

export const ANNOTATION_RULE: Rule = {
  id: 'TC-KUBEVIRT-ANNOTATION',
  title: 'Annotations must have valid keys, and must not be too large.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/annotations',
};

/**
 * Machines on KubeVirt, made by the Cluster API provider for KubeVirt (`KubevirtCluster`, v1alpha1).
 *
 * @example
 * new KubevirtInfrastructure({
 *   storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
 *   csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
 * });
 */
export class KubevirtInfrastructure extends Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(private readonly props: KubevirtInfrastructureProps = {}) {
    super();
    // Comparisons get valid CIDRs only; bind() reports the others.
    const cidrs = props.infraClusterCidrs?.filter((text) => Cidr.parse(text) !== undefined);
    const inManagementCluster = props.infraClusterSecretRef === undefined;
    const { enabled, options, _isExternal: isExternal } = this.cloudControllerManager;
    const { _mode: mode, _machineCidrs: machineCidrs } = loadBalancersOf(options);
    const loadBalancers = enabled && mode.enabled !== false;
    this.capabilities = {
      clusterKind: KUBEVIRT_CLUSTER_KIND,
      provider: 'kubevirt',
      reservedCidrs: cidrs,
      inManagementCluster,
      inOtherCluster: !inManagementCluster,
      machinePods: inManagementCluster ? MACHINE_PODS : undefined,
      viewableResources: [...PROVIDER_RESOURCES, ...(inManagementCluster ? MACHINE_RESOURCES : [])],
      restartResources: inManagementCluster ? ['virtualmachines/restart.subresources.kubevirt.io'] : undefined,
      infraCluster: props.infraCluster,
      externalCloudProvider: isExternal || (enabled && (options.initializeNodes ?? true)),
      servicePublisher: loadBalancers ? CLOUD_CONTROLLER_MANAGER : undefined,
      publishedEndpointCidrs: loadBalancers && mode.enableEPSController ? machineCidrs : undefined,
      recoveryNamespaces: [CSI_NAMESPACE],
      addonCapabilities: loadBalancers || isExternal ? [AddonCapability.DEFAULT_LOAD_BALANCER] : undefined,
    };
  }

  /**
   * The address of the API server of a control plane on virtual machines: the Service that the KubeVirt provider creates, by its name if
   * it is in the management cluster.
   *
   * @param cluster the cluster
   */
  public override apiServerAddresses(cluster: ClusterIdentity): ApiServerAddresses {
    if (!this.capabilities.inManagementCluster) return {};
    return { internal: { host: `${cluster.name}-lb.${cluster.namespace}.svc`, port: API_SERVER_PORT } };
  }

  /**
   * Makes the `KubevirtCluster` of one tenant cluster, its cloud controller manager and its CSI driver.
   *
   * @param scope the parent construct
   * @param context the cluster it belongs to
   */
  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    this.check(new PropertyReport(Problems.of(scope), 'infrastructure'));
    this.checkOffer(scope, context);
    const { infraClusterSecretRef: infraCluster, csiDriver, storageClasses = [] } = this.props;
    const cloudControllerManager = addCloudControllerManager(scope, context, this.cloudControllerManager, infraCluster);
    const { infraNamespace } = this.cloudControllerManager.options;
    const csiDriverParts = addCsiDriver(scope, context, csiDriver, storageClasses, { infraCluster, infraNamespace });
    addTrustedCas(scope, context);
    const { endpointManager } = context.controlPlane;
    const resource = new KubevirtCluster(scope, 'Resource', {
      metadata: {
        name: context.name,
        annotations: { ...keepOnPrune(), ...(endpointManager !== undefined && { 'cluster.x-k8s.io/managed-by': endpointManager }) },
      },
      spec: this.spec(context),
    });
    FieldSources.record(resource, scope, {
      'spec.controlPlaneServiceTemplate': 'infrastructure.controlPlaneService',
      'spec.controlPlaneServiceTemplate.spec.type': 'infrastructure.controlPlaneService.type',
    });
    return { ...csiDriverParts, cloudControllerManager, resource };
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

  private check(report: PropertyReport): void {
    const { infraClusterCidrs = [], infraClusterSecretRef, controlPlaneService } = this.props;
    infraClusterCidrs.forEach((cidr, index) => {
      report.at('infraClusterCidrs').item(index).expect(INFRA_CIDR_RULE, checkCidr(cidr), 'write a range such as "10.42.0.0/16"');
    });
    const secret = report.at('infraClusterSecretRef');
    if (infraClusterSecretRef) requireObjectName(secret.at('name'), infraClusterSecretRef.name);
    checkNamespace(secret.at('namespace'), infraClusterSecretRef?.namespace);
    if (controlPlaneService) this.checkService(report.at('controlPlaneService'), controlPlaneService);
  }

  private checkOffer(scope: Construct, context: ClusterContext): void {
    const { infraCluster, infraClusterSecretRef, storageClasses = [], csiDriver } = this.props;
    const problems = Problems.of(scope);
    const report = new PropertyReport(problems, 'infrastructure');
    if (infraCluster && !infraClusterSecretRef) {
      report.at('infraCluster').add(INFRA_CAPABILITIES_RULE, {
        message: 'the management cluster runs the machines, and this would not be looked at',
        fix: 'state it in managementCluster of the cluster, or name the other cluster in infraClusterSecretRef',
      });
    }
    [
      // The capabilities of several clusters may be one object, which is reported once.
      ...(infraCluster && registerConsumer(scope, infraCluster, context).length === 1 ? checkInfraCapabilities('infrastructure.infraCluster', infraCluster) : []),
      ...checkPodCapabilities('infrastructure.cloudControllerManager', this.cloudControllerManager.options, context),
      ...checkPodCapabilities('infrastructure.csiDriver', csiDriver?.options ?? {}, context),
    ].forEach((problem) => problems.add(problem));
    checkVolumeRequirements(report.at('storageClasses'), storageClasses, context.infraCluster);
  }

  private checkService(report: PropertyReport, { labels = {}, annotations = {} }: ControlPlaneServiceOptions): void {
    report.at('labels').addAll(LABEL_RULE, checkLabels(labels));
    report.at('annotations').addAll(ANNOTATION_RULE, checkAnnotations(annotations));
  }
}
