import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CommandLineDelivery, InsideDelivery } from './addons/command-line-delivery';
import { installOrder } from './addons/install-order';
import { checkCloudProvider, checkCluster, checkLoadBalancerServices } from './cluster-checks';
import { addonContext } from './cluster-context';
import { clusterFiles } from './cluster-files';
import { hostsOf } from './cluster-hosts';
import { checkHosts, checkMachineTaken, placedHosts } from './host-checks';
import { KubeadmHost } from './hosts/host-bundle';
import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { apiServersOf, resolveCluster, ResolvedCluster } from './resolved-cluster';
import { KUBEADM_CLUSTER_RULES } from './rules';
import { checkTexts } from './text-checks';
import { Addon } from '../addons/addon';
import { ClusterContext } from '../cluster-context';
import { Delivery } from '../delivery/delivery';
import { ImagePass } from '../images/image-pass';
import { claimName } from '../naming/claims';
import { checkDnsLabel } from '../network/dns';
import { OutputFiles } from '../synth/output-files';
import { clusterPath, placeChart } from '../synth/output-place';
import { CLUSTER_RULES } from '../tenant-cluster/rules';
import { TenantDeliveries } from '../tenant-cluster/tenant-deliveries';
import { Problem, problemIf } from '../validation/problem';
import { Problems } from '../validation/problems';

/**
 * A highly available cluster that kubeadm sets up on machines that are there already, without Cluster API and without a management cluster.
 *
 * In a `GitOpsApp` (`TC-KUBEADM-CLUSTER-APP`) it becomes a folder of its name: a folder for each host, with its files below their paths, a
 * script that installs them, and the same as user data of cloud-init; a folder of addons, with the script that installs them by Helm and
 * kubectl; and `hosts.md` with the steps in their order. Secrets are in none of the files: they are made on the hosts, and in the cluster.
 *
 * A new version of the files reaches a host when somebody installs it there. kubeadm reads its configuration when a node starts or joins;
 * what is changed later is for `kubeadm upgrade` and for the documented ways to reconfigure a cluster
 * (kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-reconfigure).
 */
export class KubeadmCluster extends Construct {
  private readonly resolved: ResolvedCluster;
  private readonly deliveries: TenantDeliveries;
  private readonly commands: CommandLineDelivery;

  /**
   * @param scope the app, or a construct in it
   * @param id name of the cluster, unless `name` says otherwise
   * @param props what the cluster is like
   */
  public constructor(scope: Construct, id: string, props: KubeadmClusterProps) {
    super(scope, id);
    this.resolved = resolveCluster(props, props.name ?? id);
    ImagePass.of(this).use(props.images);
    const context = addonContext(this.resolved);
    this.commands = new CommandLineDelivery(props.delivery && this.inside(props.delivery, context));
    this.deliveries = new TenantDeliveries(this, context, this.commands, props.cni);
    this.check();
    (this.resolved.platform.addons ?? []).forEach((addon) => this.addAddon(addon));
    OutputFiles.of(this).add(() => clusterFiles(this.resolved, this.hosts, installOrder(this.commands.steps, this.addons)));
  }

  /** The hosts with all their files: load balancers of their own, the control plane, workers. */
  public get hosts(): KubeadmHost[] {
    return hostsOf(this.resolved);
  }

  /**
   * Installs something in the cluster. The order of calls does not matter; it ends with the first synthesis (`TC-CLUSTER-LATE`).
   *
   * @param addon what to install; an instance can be given to any number of clusters. Its charts come from a Helm repository or a registry,
   * not out of Git (`TC-KUBEADM-CLUSTER-HELM`).
   */
  public addAddon(addon: Addon): void {
    this.deliveries.add(addon);
  }

  /** What is installed in the cluster, the pod network and the platform's addons among it, in the order in which it was added. */
  public get addons(): Addon[] {
    return this.deliveries.all;
  }

  /**
   * A chart whose objects are applied to the cluster after all addons: the place for constructs of your own, of cdk8s-plus or any other
   * library. Objects that live in a namespace must name it.
   */
  public get workloads(): Chart {
    return this.deliveries.workloads;
  }

  /** What delivers inside the cluster has a chart of its own, which the app writes as it does every chart. */
  private inside(delivery: Delivery, { name, namespace }: ClusterContext): InsideDelivery {
    const scope = new Chart(this, 'delivery', { namespace, disableResourceNameHashes: true });
    placeChart(scope, { path: clusterPath({ namespace, name }), mainFile: 'cluster' });
    Problems._reportAs(scope, this);
    return { delivery, scope, target: { name, namespace } };
  }

  private check(): void {
    const cluster = this.resolved;
    const problems = Problems.of(this);
    const { platform, controlPlaneNodes, deliveryNamespace } = cluster.props;
    const texts = checkTexts(cluster.props);
    // The other checks read strings.
    const found = texts.length > 0 ? texts : [
      ...checkCluster(cluster),
      ...(deliveryNamespace === undefined ? [] : problemIf(CLUSTER_RULES.namespace, 'deliveryNamespace', checkDnsLabel(deliveryNamespace), 'choose such a namespace')),
      ...checkHosts(cluster, this.hosts),
      ...cluster.props.loadBalancer._design.check(apiServersOf(cluster)),
      ...(platform?.check({ controlPlaneNodes, workers: [...cluster.workers] }) ?? []),
      ...this.checkTaken(),
    ];
    found.forEach((problem) => problems.add(problem));
    problems._addCheck(() => [
      ...this.checkApp(), ...checkCloudProvider(cluster, this.addons), ...checkLoadBalancerServices(cluster, this.addons, this.commands.objects),
    ]);
  }

  /** Whatever another cluster of the app has already. */
  private checkTaken(): Problem[] {
    const { name, props } = this.resolved;
    const { claim } = props.loadBalancer._design;
    const named = claimName(this, 'KubeadmCluster', name);
    const routed = claim === undefined ? undefined : claimName(this, 'VirtualRouter', claim);
    return [
      ...problemIf(KUBEADM_CLUSTER_RULES.name, 'name', named && `"${name}" is the name of ${named} already`, 'rename one of the two'),
      ...problemIf(KUBEADM_CLUSTER_RULES.lbRouterId, 'loadBalancer.virtualRouterId', routed && `${routed} has the same one in the same subnet`, 'choose another number for one of the two'),
      ...placedHosts(this.resolved).flatMap((one) => {
        const owner = claimName(this, 'KubeadmHost', `${one.host.name} ${one.host.address}`);
        return checkMachineTaken(one, owner === this.node.path ? undefined : owner);
      }),
    ];
  }

  private checkApp(): Problem[] {
    return OutputFiles.of(this).written ? [] : [{
      rule: KUBEADM_CLUSTER_RULES.app,
      message: 'the app writes manifests alone, and the hosts would get no files',
      fix: 'make the app a GitOpsApp, and write it with synth()',
    }];
  }
}
