import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { strategyScope } from '../app/problems/problems';
import { FieldSources } from '../app/synth/field-sources';
import { API_SERVER_PORT, ApiServerAddress } from '../contracts/api-server-address';
import { ApiServerAddresses, ClusterContext, ClusterIdentity, Kubeconfigs } from '../contracts/cluster-context';
import { ControlPlane, ControlPlaneConfig, ControlPlaneMachines } from '../contracts/control-plane';
import { ControlPlaneCapabilities } from '../contracts/control-plane-capabilities';
import { Machine } from '../contracts/machine';
import { annotateCapacity } from '../contracts/machine-capacity';
import { makePart, ManifestPartProps } from '../contracts/manifest-part';
import { FormerTemplates } from '../contracts/node-pool/former-templates';
import { placeControlPlane } from '../contracts/node-pool/host-placement';
import { withNodeSetup } from '../contracts/node-pool/pool-node-setup';
import { NodeSetupPart } from '../contracts/node-setup';

/** Properties of a control plane of any kind. */
export interface ManifestControlPlaneProps extends ManifestPartProps {
  /**
   * The machines that it runs on. A reference in `spec` to their kind of template gets the name of the template that is made; its own `name` is
   * free.
   *
   * @default - none
   */
  readonly machine?: Machine;

  /**
   * The machine template that the machines were made from before there was a page. It is kept, and no machine is replaced, until the page changes.
   *
   * Rule: `TC-POOL-FORMER-TEMPLATES`.
   *
   * @default - the page's own
   */
  readonly formerTemplates?: FormerTemplates;

  /**
   * Number of machines, or of pods: `spec.replicas`.
   *
   * @default - the field is left out
   */
  readonly replicas?: number;

  /**
   * Version in `spec.version`, where the distribution has releases of its own for a version of Kubernetes, e.g. `v1.35.4+rke2r1`.
   *
   * @default - the Kubernetes version of the cluster
   */
  readonly distributionVersion?: string;

  /**
   * Address of the API server that the control plane brings, such as that of kube-vip or of a load balancer that exists. The infrastructure
   * object states it.
   *
   * @default - the infrastructure makes it
   */
  readonly endpoint?: ApiServerAddress;

  /**
   * True if `spec` has what infrastructure and machines ask of each node, such as arguments of the kubelet. A cluster whose `machine` asks for
   * something is refused otherwise.
   *
   * Rule: `TC-NODE-SETUP-APPLIED`.
   *
   * @default false
   */
  readonly appliesNodeSetup?: boolean;

  /**
   * Port that the API server is reached at.
   *
   * @default - that of `endpoint`, or 6443
   */
  readonly apiServerPort?: number;
}

/**
 * A control plane of any provider, as its manifest: for providers that the library has no class for. `spec.version` is the Kubernetes version of
 * the cluster. Its unhealthy machines are not replaced, unless a `MachineHealthCheck` of yours does that.
 *
 * @example
 * const controlPlane = new ManifestControlPlane({
 *   apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
 *   kind: 'K0smotronControlPlane',
 *   replicas: 3,
 *   spec: { persistence: { type: 'pvc' }, service: { type: 'LoadBalancer', apiPort: 6443, konnectivityPort: 8132 } },
 * });
 */
export class ManifestControlPlane extends ControlPlane {
  /** Capabilities and requirements of this control plane. */
  public readonly capabilities: ControlPlaneCapabilities;

  public constructor(private readonly props: ManifestControlPlaneProps) {
    super();
    this.capabilities = {
      apiServerPort: props.apiServerPort ?? props.endpoint?.port ?? API_SERVER_PORT,
      infrastructureEndpoint: props.endpoint,
      machineCount: props.machine && props.replicas,
      ...(props.appliesNodeSetup && { appliedNodeSetup: Object.values(NodeSetupPart) }),
    };
  }

  /**
   * The Secret of the kubeconfigs: the one of Cluster API.
   *
   * @param cluster the cluster
   */
  public kubeconfigs(cluster: ClusterIdentity): Kubeconfigs {
    const secret = { name: `${cluster.name}-kubeconfig`, key: 'value' };
    return { internal: secret, external: secret };
  }

  /**
   * Addresses of the API server: that of `endpoint`.
   *
   * @param _cluster the cluster
   */
  public apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    const { endpoint } = this.props;
    return endpoint ? { published: endpoint } : {};
  }

  /**
   * Makes the object, and the template of its machines.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const { machine, replicas, distributionVersion, formerTemplates, spec, apiVersion, kind } = this.props;
    const machines = machine && makeMachines(strategyScope(scope, 'Machine', 'controlPlane'), machine, replicas ?? 1, context);
    const refers = machines ? withReference(spec, machines.machineTemplate) as typeof spec : spec;
    const resource = makePart(scope, context.name, { apiVersion, kind, spec: refers }, {
      version: distributionVersion ?? context.kubernetesVersion.toString(), replicas,
    });
    FieldSources.record(resource, scope, { 'spec.replicas': 'controlPlane.replicas' });
    return { resource, machines: machines && { ...machines, formerTemplates } };
  }
}

function makeMachines(scope: Construct, machine: Machine, replicas: number, context: ClusterContext): ControlPlaneMachines {
  const machines = withNodeSetup({
    cluster: context,
    name: `${context.name}-control-plane`,
    controlPlane: true,
    ...placeControlPlane(machine, replicas, context),
    kubernetesVersion: context.kubernetesVersion,
    nodeLabels: {},
    taints: [],
    kubeletConfiguration: {},
  }, machine);
  const { template: machineTemplate, remediationTemplate } = machine.bind(scope, machines);
  annotateCapacity(machineTemplate, machine.capacityIn(context));
  return { machineTemplate, remediationTemplate, nodeSetup: machines.nodeSetup };
}

/** A value in which references to a kind of template have the name of one template. */
function withReference(value: unknown, template: ApiObject): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withReference(item, template));
  const fields = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withReference(field, template)]));
  return fields.kind === template.kind && typeof fields.name === 'string' ? { ...fields, name: template.name } : fields;
}
