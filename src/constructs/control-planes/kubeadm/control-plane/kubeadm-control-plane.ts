import { Construct } from 'constructs';
import { bringsCoreDns, skippedAddonAnnotations } from './addons';
import { checkControlPlane } from './checks';
import { CONFIGURATION, controlPlaneSources, controlPlaneSpec, maxSurgeOf, ownProperty, PROPERTY, replicasOf } from './control-plane-spec';
import { API_SERVER_PORT, checkEndpoint, ControlPlaneEndpoint, ENDPOINT_TAKEN_RULE, endpointKey, endpointSetup } from './endpoint';
import { KubeadmControlPlaneProps } from './kubeadm-control-plane-props';
import { KubeadmControlPlane as KubeadmControlPlaneResource } from '../../../../../imports/controlplane.cluster.x-k8s.io';
import { keepOnPrune, noSubstitution } from '../../../../manifests/objects/prune-annotations';
import { nodeLabelRoute } from '../../../../manifests/values/labels';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { Problems, strategyScope } from '../../../app/problems/problems';
import { claimName } from '../../../app/synth/claims';
import { FieldSources } from '../../../app/synth/field-sources';
import { checkWritten } from '../../../app/synth/synthesis';
import { AddonCapability } from '../../../contracts/addon';
import { checkControlPlaneProvider } from '../../../contracts/capabilities/capability-checks';
import { ApiServerAddresses, ClusterContext, ClusterIdentity, Kubeconfigs } from '../../../contracts/cluster-context';
import { ControlPlane, ControlPlaneConfig } from '../../../contracts/control-plane';
import { ControlPlaneCapabilities } from '../../../contracts/control-plane-capabilities';
import { annotateCapacity, usableCapacity } from '../../../contracts/machine-capacity';
import { takeAddresses } from '../../../contracts/network/address-pool-use';
import { addControlPlaneHealthCheck } from '../../../contracts/node-pool/health-check';
import { placeControlPlane } from '../../../contracts/node-pool/host-placement';
import { kubeletConfigurationOf } from '../../../contracts/node-pool/kubelet';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { withNodeSetup } from '../../../contracts/node-pool/pool-node-setup';
import { mergeNodeSetups, NodeSetupPart } from '../../../contracts/node-setup';
import { addServiceAccountKeys } from '../../service-account-keys';
import { checkCloudConfig } from '../bootstrap/cloud-config-checks';
import { inCompanyNetwork } from '../bootstrap/company-network';
import { inFormat } from '../bootstrap/ignition-setup';
import { machineSetup } from '../bootstrap/kubeadm-config';
import { nodeSetupTexts } from '../bootstrap/node-setup-checks';

const NAME_TAKEN_RULE: Rule = {
  id: 'TC-KUBEADM-CP-NAME-TAKEN',
  title: 'A pool must not have the name of a control plane\'s machines in its namespace.',
};

/**
 * A control plane on machines of its own, which kubeadm sets up and Cluster API's `KubeadmControlPlane` (v1beta2) keeps: API server,
 * controller manager, scheduler and, unless it is external, etcd run there, and the machines are nodes of the tenant cluster.
 *
 * The infrastructure makes the endpoint in front of the machines, unless `endpoint` names another maker. What Cluster API or kubeadm would refuse later is refused at synthesis,
 * under ids that start with `TC-KUBEADM-CP-` and `TC-ADMIT-`, and under those of pools and their bootstrap for options that are the same there.
 * Patches of the object are checked for cloud-init (`TC-KUBEADM-FORMAT`, `TC-KUBEADM-JINJA`, `TC-KUBEADM-FORBIDDEN-TEXT`).
 *
 * @example
 * new KubeadmControlPlane({
 *   replicas: 3,
 *   machine: new KubevirtMachine({
 *     cpu: 2,
 *     memory: Size.gibibytes(8),
 *     rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   }),
 * });
 */
export class KubeadmControlPlane extends ControlPlane {
  /** Capabilities and requirements of this control plane. */
  public readonly capabilities: ControlPlaneCapabilities;

  private readonly props: KubeadmControlPlaneProps;

  public constructor(props: KubeadmControlPlaneProps) {
    super();
    this.props = props;
    this.capabilities = {
      apiServerPort: API_SERVER_PORT,
      kubeadm: true,
      addonCapabilities: bringsCoreDns(props) ? [AddonCapability.CLUSTER_DNS] : [],
      machineCount: replicasOf(props),
      appliedNodeSetup: Object.values(NodeSetupPart),
      infrastructureEndpoint: this.endpoint.address,
      viewableResources: ['kubeadmcontrolplanes.controlplane.cluster.x-k8s.io'],
    };
  }

  /**
   * The Secret of the kubeconfigs: the one of Cluster API, at the endpoint of the cluster.
   *
   * @param cluster the cluster
   */
  public kubeconfigs(cluster: ClusterIdentity): Kubeconfigs {
    const secret = { name: `${cluster.name}-kubeconfig`, key: 'value' };
    return { internal: secret, external: secret };
  }

  /**
   * Addresses of the API server: that of `endpoint`; none where the infrastructure decides it.
   *
   * @param _cluster the cluster
   */
  public apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    const { address } = this.endpoint;
    return address ? { published: address } : {};
  }

  /**
   * Makes the KubeadmControlPlane, the template of its machines, and their health check.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const props: KubeadmControlPlaneProps = { ...this.props, ...inCompanyNetwork(this.props, context.companyNetwork) };
    const machines = this.resolve(context);
    const reported = this.check(scope, machines, props);
    const machineScope = strategyScope(scope, 'Machine', 'controlPlane');
    const { template, remediationTemplate } = this.props.machine.bind(machineScope, machines);
    annotateCapacity(template, this.props.machine.capacityIn(context));
    takeAddresses(machineScope, this.props.machine, machines, { template, machines: replicasOf(this.props), surge: maxSurgeOf(this.props) });
    const resource = new KubeadmControlPlaneResource(scope, 'Resource', {
      metadata: {
        name: context.name,
        annotations: { ...keepOnPrune(), ...noSubstitution(), ...skippedAddonAnnotations(this.props, context.kubeProxyReplaced) },
      },
      spec: controlPlaneSpec(props, machines, template),
    });
    FieldSources._record(resource, scope, () => controlPlaneSources(props, machines));
    Problems.of(scope)._addCheck(() => checkWritten(resource, (manifest) => checkWrittenControlPlane(manifest, props, machines, reported)));
    const machineHealthCheck = addControlPlaneHealthCheck(scope, machines, { ...this.props, replicas: replicasOf(this.props), remediationTemplate });
    if (this.props.serviceAccountKeys) addServiceAccountKeys(scope, keySecret(context), this.props.serviceAccountKeys);
    const kept = { formerTemplates: this.props.formerTemplates, configurationField: CONFIGURATION };
    return { resource, machines: { machineTemplate: template, machineHealthCheck, remediationTemplate, ...kept } };
  }

  private get endpoint(): ControlPlaneEndpoint {
    return this.props.endpoint ?? ControlPlaneEndpoint.infrastructure();
  }

  /** The machines as their strategy sees them, with what the endpoint needs on them. */
  private resolve(cluster: ClusterContext): PoolContext {
    const { labels = {}, taints = [], kubelet = {}, machine } = this.props;
    const machines = withNodeSetup({
      cluster,
      name: `${cluster.name}-control-plane`,
      controlPlane: true,
      ...placeControlPlane(machine, replicasOf(this.props), cluster),
      kubernetesVersion: cluster.kubernetesVersion,
      nodeLabels: Object.fromEntries(Object.entries(labels).filter(([key]) => nodeLabelRoute(key) === 'kubelet')),
      taints,
      kubeletConfiguration: kubeletConfigurationOf(kubelet, usableCapacity(machine.capacityIn(cluster)), cluster.network.podsPerNode),
    }, machine);
    return inFormat(this.props, { ...machines, nodeSetup: mergeNodeSetups(machines.nodeSetup ?? {}, endpointSetup(this.endpoint)) });
  }

  private check(scope: Construct, machines: PoolContext, props: KubeadmControlPlaneProps): Problem[] {
    const problems = Problems.of(scope);
    const found = [
      ...checkControlPlaneProvider(machines.cluster.management, 'kubeadm', 'kubeadmControlPlane'),
      ...checkControlPlane(props, machines),
      ...checkEndpoint(this.endpoint, `${PROPERTY}.endpoint`, machines.nodeSetup?.address !== undefined),
      ...this.checkEndpointTaken(scope),
    ];
    found.forEach((problem) => problems.add(problem));
    // A pool of that name would make a health check, and may make a machine template, of the same name.
    const owner = claimName(scope, 'MachineDeployment', `${machines.cluster.namespace}/${machines.name}`);
    if (owner === undefined) return found;
    problems.add({
      rule: NAME_TAKEN_RULE,
      property: 'name',
      message: `"${machines.name}" in namespace "${machines.cluster.namespace}" is the name of ${owner} already`,
      fix: 'rename the pool or one of the clusters, or give each cluster a namespace of its own',
    });
    return found;
  }

  private checkEndpointTaken(scope: Construct): Problem[] {
    const key = endpointKey(this.endpoint);
    const owner = key === undefined ? undefined : claimName(scope, 'ControlPlaneEndpoint', key);
    return owner === undefined ? [] : [{
      rule: ENDPOINT_TAKEN_RULE, property: `${PROPERTY}.endpoint`, message: `${key} is the endpoint of ${owner} already`, fix: 'give each cluster an endpoint of its own',
    }];
  }
}

/** The Secret that Cluster API looks for before it makes a key (kubernetes-sigs/cluster-api util/secret/certificates.go, AsSecret, v1.14.2). */
function keySecret({ name }: ClusterContext) {
  return {
    secretName: `${name}-sa`,
    publicKeys: 'tls.crt',
    privateKey: 'tls.key',
    type: 'cluster.x-k8s.io/secret',
    metadata: { labels: { 'cluster.x-k8s.io/cluster-name': name } },
  };
}

/** The checked part of `spec`. */
interface WrittenSpec {
  readonly kubeadmConfigSpec?: object;
}

/**
 * Checks the KubeadmControlPlane as it is written, with all patches.
 *
 * @param manifest the object
 * @param props what the user said
 * @param machines the machines
 * @param reported what is reported already
 */
function checkWrittenControlPlane(
  manifest: { readonly spec?: WrittenSpec }, props: KubeadmControlPlaneProps, machines: PoolContext, reported: readonly Problem[],
): Problem[] {
  const files = machineSetup(props, machines, PROPERTY).files.map(({ file, property }) => ({ file, property: ownProperty(property) }));
  return [
    ...checkCloudConfig(manifest.spec?.kubeadmConfigSpec ?? {}, {
      options: { ...props, etcd: { ...props.etcd?._stacked, ...props.etcd?._external }, coreDns: { ...props.coreDns?._options } },
      owner: PROPERTY,
      files,
      texts: nodeSetupTexts(machines).map(({ property, text }) => ({ property: ownProperty(property), text })),
      path: 'spec.kubeadmConfigSpec',
      forbidden: machines.cluster.infrastructure.forbiddenUserData,
      reported,
    }),
  ];
}
