import { apiValues, checkApi, NifcloudCredentials } from './credentials';
import { Problem, Rule } from '../../../manifests/values/problem';
import { BundledAddonProps } from '../../addons/bundled-addon';
import { CatalogueAddon } from '../../addons/catalog/catalogue-addon';
import { AddonCapability } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';
import { KUBEADM_CLUSTER_KIND } from '../resolved-cluster';

/** Options of Nifcloud's cloud controller manager. */
export interface NifcloudCloudControllerManagerProps extends BundledAddonProps {
  /** Region of the nodes, e.g. `jp-east-1` (`TC-NIFCLOUD-REGION`). */
  readonly region: string;

  /** Secret with the keys of Nifcloud's API, in the namespace of the addon. */
  readonly credentials: NifcloudCredentials;
}

const CHART = 'nifcloud-cloud-controller-manager';
const NODE_ROLE = 'node-role.kubernetes.io/control-plane';

/** The tolerations of the chart, and one more: it uses the network of its host, and need not wait for the pod network. */
const TOLERATIONS = [
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
  { key: NODE_ROLE, effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
];

/**
 * Nifcloud's cloud controller manager: it sets the addresses, zone and region of nodes, deletes nodes without a machine, and publishes
 * Services of type LoadBalancer (see `NifcloudLoadBalancer`). A node has the name of its machine at Nifcloud, its instance id.
 *
 * It runs on the control plane's nodes, where the cluster has such, and on all nodes otherwise; one of its pods leads. Kubelets have to
 * register with `--cloud-provider=external`. Its objects have the name of the chart, not of the release; the value `nameOverride` is
 * rejected.
 *
 * Version 1.2.0 is built from libraries of Kubernetes 1.28. Whether the permissions that Kubernetes gives to the ServiceAccounts of its
 * controllers suffice in every later release was not tried.
 *
 * Rules: `TC-NIFCLOUD-CLOUD-PROVIDER`, `TC-NIFCLOUD-NAME-OVERRIDE`. Source: nifcloud/nifcloud-cloud-controller-manager
 * charts/nifcloud-cloud-controller-manager 1.2.0.
 *
 * @example
 * new nifcloud.NifcloudCloudControllerManager({ region: 'jp-east-1', credentials: { secretName: 'nifcloud-api' } });
 */
export class NifcloudCloudControllerManager extends CatalogueAddon {
  public constructor(props: NifcloudCloudControllerManagerProps) {
    const { region, credentials, values = {} } = props;
    super({
      chart: CHART,
      name: CHART,
      namespace: 'kube-system',
      privileged: true,
      provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER, AddonCapability.DEFAULT_LOAD_BALANCER],
      tolerations: { tolerations: TOLERATIONS },
      check: (context) => [...checkApi(region, credentials), ...checkCloudProvider(context), ...checkNameOverride(values)],
      values: ({ controlPlane }) => ({
        ...apiValues(region, credentials),
        tolerations: TOLERATIONS,
        // A hosted control plane has no nodes, but the chart selects control plane nodes only.
        nodeSelector: controlPlane.machineCount === undefined ? { [NODE_ROLE]: null } : undefined,
      }),
    }, props);
  }
}

const CLOUD_PROVIDER_RULE: Rule = {
  id: 'TC-NIFCLOUD-CLOUD-PROVIDER',
  title: 'Kubelets of a cluster with Nifcloud\'s cloud controller manager must register with --cloud-provider=external.',
  source: 'nifcloud/nifcloud-cloud-controller-manager README.md',
};

function checkCloudProvider({ infrastructure }: ClusterContext): Problem[] {
  // KubeadmCluster checks this for any cloud controller manager.
  return infrastructure.externalCloudProvider || infrastructure.clusterKind === KUBEADM_CLUSTER_KIND ? [] : [{
    rule: CLOUD_PROVIDER_RULE,
    property: 'region',
    message: 'the kubelets of the cluster register without --cloud-provider=external, so that the cloud controller manager ignores their nodes',
    fix: 'give the cluster an infrastructure or platform with an external cloud provider, such as new NifcloudPlatform(…)',
  }];
}

const NAME_OVERRIDE_RULE: Rule = {
  id: 'TC-NIFCLOUD-NAME-OVERRIDE',
  title: 'The chart of the cloud controller manager must keep its name: its DaemonSet uses a fixed ServiceAccount.',
  source: 'nifcloud/nifcloud-cloud-controller-manager charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml',
};

function checkNameOverride({ nameOverride }: { readonly [key: string]: unknown }): Problem[] {
  return [undefined, null, '', CHART].includes(nameOverride as string) ? [] : [{
    rule: NAME_OVERRIDE_RULE,
    property: 'values.nameOverride',
    message: `the name of the ServiceAccount would be ${JSON.stringify(nameOverride)}, but the pods use "${CHART}"`,
    fix: 'remove it',
  }];
}
