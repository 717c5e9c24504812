import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { KamajiCoreDns } from './addons';
import { auditFiles } from './audit';
import { authenticationFile } from './authentication';
import { checkControlPlane, silences } from './checks';
import { controlPlaneSources, controlPlaneSpec, replicasOf } from './control-plane-spec';
import { connectedDataStores } from './data-store';
import { POD_LABEL } from './deployment';
import { encryptionFile } from './encryption';
import { KamajiExposure } from './exposure';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { KamajiKonnectivity, konnectivityPort } from './konnectivity';
import { checkSharedNames } from './shared-names';
import { ApiServerFile } from './volumes';
import { kamajiWebhook } from './webhook';
import { KamajiControlPlane as KamajiControlPlaneResource } from '../../../../imports/controlplane.cluster.x-k8s.io';
import { keepOnPrune, noSubstitution } from '../../../manifests/objects/prune-annotations';
import { READY_KINDS } from '../../../manifests/systems/kamaji/rules/provider-gates';
import { Problems } from '../../app/problems/problems';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { silenceBelow } from '../../app/validation/validate-constructs';
import { AddonCapability } from '../../contracts/addon';
import { ApiServerAddresses, ClusterContext, ClusterIdentity, Kubeconfigs } from '../../contracts/cluster-context';
import { ControlPlane, ControlPlaneConfig } from '../../contracts/control-plane';
import { ControlPlaneCapabilities } from '../../contracts/control-plane-capabilities';
import { MOST_NODES } from '../../contracts/node-pool/most-nodes';
import { addServiceAccountKeys } from '../service-account-keys';

/**
 * A control plane that Kamaji hosts: API server, controller manager and scheduler run as pods of the management cluster, and the tenant
 * cluster has no control plane machines.
 *
 * Everything that Kamaji, its provider or the API server would refuse later is refused at synthesis.
 *
 * @example
 * new KamajiControlPlane({
 *   replicas: 3,
 *   dataStore: 'default',
 *   exposure: KamajiExposure.loadBalancer({ address: '192.168.100.20' }),
 * });
 */
export class KamajiControlPlane extends ControlPlane {
  /** Capabilities and requirements of this control plane. */
  public readonly capabilities: ControlPlaneCapabilities;

  private readonly props: KamajiControlPlaneProps;

  public constructor(props: KamajiControlPlaneProps = {}) {
    super();
    this.props = props;
    const exposure = props.exposure ?? KamajiExposure.loadBalancer();
    this.capabilities = {
      apiServerPort: exposure.apiServerPort,
      tunnelPort: konnectivityPort(props.konnectivity ?? KamajiKonnectivity.managed(), exposure),
      addonCapabilities: (props.coreDns ?? KamajiCoreDns.managed())._image ? [AddonCapability.CLUSTER_DNS] : [],
      endpointManager: 'kamaji',
      managedInfrastructureKinds: [...READY_KINDS],
      // clastix/kamaji internal/resources/k8s_deployment_resource.go (VersionSleeping)
      stopsAtZeroReplicas: true,
      // clastix/kamaji internal/builders/controlplane/deployment.go
      podLabel: 'kamaji.clastix.io/name',
      viewableResources: ['kamajicontrolplanes.controlplane.cluster.x-k8s.io', 'tenantcontrolplanes.kamaji.clastix.io'],
      dataStores: connectedDataStores(props),
      webhookPeers: [kamajiWebhook()],
    };
  }

  /**
   * The Secrets of the kubeconfigs: inside the management cluster Kamaji's own, whose `super-admin.svc` works from the
   * first moment on, elsewhere the Secret of Cluster API.
   *
   * @param cluster the cluster
   */
  public kubeconfigs(cluster: ClusterIdentity): Kubeconfigs {
    return {
      internal: { name: `${cluster.name}-admin-kubeconfig`, key: 'super-admin.svc' },
      external: { name: `${cluster.name}-kubeconfig`, key: 'value' },
    };
  }

  /**
   * Addresses of the API server: the fixed address or host name of its exposure, if it has one, and its Service.
   *
   * @param cluster the cluster
   */
  public apiServerAddresses(cluster: ClusterIdentity): ApiServerAddresses {
    return {
      published: (this.props.exposure ?? KamajiExposure.loadBalancer())._published(),
      internal: { host: `${cluster.name}.${cluster.namespace}.svc`, port: this.capabilities.apiServerPort },
    };
  }

  /**
   * Makes the KamajiControlPlane, its PodDisruptionBudget and the ConfigMaps that the API server reads from.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const problems = Problems.of(scope);
    [
      ...checkControlPlane(this.props, context),
      ...checkSharedNames(scope, this.props, context, this.capabilities.tunnelPort),
    ].forEach((problem) => problems.add(problem));
    const stated = silences(this.props, context);
    if (stated.length > 0) silenceBelow(Chart.of(scope), stated);
    const resource = this.addResource(scope, context, this.addFiles(scope, context));
    this.addDisruptionBudget(scope, context);
    const { serviceAccountKeys } = this.props;
    if (serviceAccountKeys) {
      addServiceAccountKeys(scope, { secretName: `${context.name}-sa-certificate`, publicKeys: 'sa.pub', privateKey: 'sa.key' }, serviceAccountKeys);
    }
    return { resource };
  }

  private addFiles(scope: Construct, context: ClusterContext): ApiServerFile[] {
    const { authentication, audit, encryption } = this.props;
    return [
      ...(authentication ? [authenticationFile(scope, context.name, authentication, context.kubernetesVersion)] : []),
      ...(audit ? auditFiles(scope, context.name, audit) : []),
      ...(encryption ? [encryptionFile(scope, encryption)] : []),
    ];
  }

  private addResource(scope: Construct, context: ClusterContext, files: readonly ApiServerFile[]): ApiObject {
    const { kubeconfigSecretKey, labels, annotations } = this.props;
    const spec = controlPlaneSpec(this.props, context, files, () => MOST_NODES.nearest(scope)?.() ?? 0);
    const resource = new KamajiControlPlaneResource(scope, 'Resource', {
      metadata: {
        name: context.name,
        labels,
        annotations: {
          ...keepOnPrune(),
          ...noSubstitution(),
          ...(kubeconfigSecretKey && { 'kamaji.clastix.io/kubeconfig-secret-key': kubeconfigSecretKey }),
          ...annotations,
        },
      },
      spec,
    });
    FieldSources.record(resource, scope, controlPlaneSources(this.props, spec));
    return resource;
  }

  private addDisruptionBudget(scope: Construct, context: ClusterContext): void {
    if (replicasOf(this.props) < 2) {
      return;
    }
    new TypedApiObject(scope, 'PodDisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, {
      metadata: { name: context.name },
      spec: {
        maxUnavailable: 1,
        selector: { matchLabels: { [POD_LABEL]: context.name } },
        // A control plane that does not get ready must not keep its node from being drained.
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    });
  }
}
