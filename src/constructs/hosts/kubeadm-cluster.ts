import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { checkCloudProvider, checkCluster, checkLoadBalancerServices, NAME_RULE } from './cluster-checks';
import { checkHosts, checkMachineTaken, hostsOf, placedHosts } from './cluster-hosts';
import { addonFiles, ADDONS_FOLDER, CommandLineDelivery, installOrder, InstallStep } from './command-line-delivery';
import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { hostFiles, KubeadmHost } from './kubeadm-host';
import { ROUTER_ID_RULE } from './load-balancer/keepalived';
import { OVERVIEW, overview } from './overview';
import { addonContext, apiServersOf, resolveCluster, ResolvedCluster } from './resolved-cluster';
import { checkDnsLabel } from '../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { DeliveredAddon } from '../addons/addon-set';
import { closedList } from '../app/arguments/closed-list';
import { Problems, strategyScope } from '../app/problems/problems';
import { claimName } from '../app/synth/claims';
import { OutputFile, OutputFiles } from '../app/synth/output-files';
import { clusterPath, placeChart } from '../app/synth/output-place';
import { validateApp } from '../app/validation/attached-validation';
import { Addon } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { ImagePass } from '../images/image-pass';
import { CLUSTER_NAMESPACE_RULE } from '../tenant/cluster-checks';
import { TenantDeliveries } from '../tenant/tenant-deliveries';

/**
 * A highly available cluster that kubeadm sets up on existing machines, without Cluster API and without a management cluster.
 *
 * In a `GitOpsApp` it becomes a folder of its name: a folder for each host, with its files below their paths, a script that installs them,
 * and the same as user data of cloud-init; a folder of addons, with the script that installs them by Helm and kubectl; and `hosts.md` with
 * the steps in their order. Secrets are in none of the files: they are made on the hosts, and in the cluster.
 *
 * A new version of the files reaches a host when you install it there. kubeadm reads its configuration when a node starts or joins. For
 * later changes use `kubeadm upgrade` and the documented ways to reconfigure a cluster
 * (kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-reconfigure).
 *
 * Rule: `TC-KUBEADM-CLUSTER-APP`.
 *
 * @example
 * new hosts.KubeadmCluster(app, 'factory', {
 *   kubernetesVersion: '1.35.4',
 *   controlPlaneEndpoint: 'kubernetes.example.com:6443',
 *   loadBalancer: hosts.KubeadmLoadBalancer.kubeVip({
 *     vip: '192.168.10.10',
 *     subnet: '192.168.10.0/24',
 *     networkInterface: 'eth0',
 *     image: 'ghcr.io/kube-vip/kube-vip:v1.0.1',
 *   }),
 *   controlPlaneNodes: [
 *     { name: 'cp1', address: '192.168.10.11' },
 *     { name: 'cp2', address: '192.168.10.12' },
 *     { name: 'cp3', address: '192.168.10.13' },
 *   ],
 *   workers: [{ name: 'worker1', address: '192.168.10.21' }],
 *   cni: new Cilium(),
 * });
 */
export class KubeadmCluster extends Construct {
  private readonly resolved: ResolvedCluster;
  private readonly deliveries: TenantDeliveries;
  private readonly commands: CommandLineDelivery;

  public constructor(scope: Construct, id: string, props: KubeadmClusterProps) {
    super(scope, id);
    validateApp(this);
    this.resolved = resolveCluster(props, props.name ?? id);
    ImagePass.of(this).use(props.images);
    const context = addonContext(this.resolved);
    const { name, namespace } = context;
    this.commands = new CommandLineDelivery(props.delivery && { delivery: props.delivery, target: { name, namespace } });
    const deliveries = props.delivery ? this.deliveryChart(context) : strategyScope(this, 'Delivery');
    this.deliveries = new TenantDeliveries(this, context, { delivery: this.commands, scope: deliveries }, props.cni);
    this.check();
    (this.resolved.platform.addons ?? []).forEach((addon) => this.addAddon(addon));
    OutputFiles.of(this).add(() => clusterFiles(this.resolved, this.hosts, installOrder(this.commands.steps(this.deliveries.order), this.addons)));
  }

  /** The hosts with all their files: dedicated load balancers, the control plane, workers. */
  public get hosts(): KubeadmHost[] {
    return closedList(this, 'hosts', hostsOf(this.resolved), 'add to controlPlaneNodes, workers or the load balancer of the constructor');
  }

  /**
   * Installs something in the cluster. The order of calls does not matter.
   *
   * @param addon the addon; clusters can share an instance. Its charts must come from a Helm repository or a registry, not from Git
   * (`TC-KUBEADM-CLUSTER-HELM`).
   * @returns the objects that were made for it
   */
  public addAddon(addon: Addon): DeliveredAddon {
    return this.deliveries.add(addon);
  }

  /** The addons of the cluster in the order in which they were added, including the pod network and the platform's addons. */
  public get addons(): Addon[] {
    return closedList(this, 'addons', this.deliveries.all, 'call addAddon(addon)');
  }

  /**
   * A chart whose objects are applied to the cluster after all addons: the place for constructs of your own, of cdk8s-plus or any other
   * library. Objects that live in a namespace must name it. CustomResourceDefinitions and Namespaces get annotations by which GitOps tools
   * never prune them, unless their own decide about it (`kustomize.toolkit.fluxcd.io/prune: enabled`).
   */
  public get workloads(): Chart {
    return this.deliveries.workloads;
  }

  /** The chart of the delivery inside the cluster, which the app writes as it does every chart. */
  private deliveryChart({ name, namespace }: ClusterContext): Chart {
    const scope = new Chart(this, 'delivery', { namespace, disableResourceNameHashes: true });
    placeChart(scope, { path: clusterPath({ namespace, name }), mainFile: 'cluster' });
    Problems._reportAs(scope, this);
    return scope;
  }

  private check(): void {
    const cluster = this.resolved;
    const problems = Problems.of(this);
    const { platform, controlPlaneNodes, deliveryNamespace } = cluster.props;
    [
      ...checkCluster(cluster),
      ...(deliveryNamespace === undefined ? [] : problemIf(CLUSTER_NAMESPACE_RULE, 'deliveryNamespace', checkDnsLabel(deliveryNamespace), 'choose such a namespace')),
      ...checkHosts(cluster, this.hosts),
      ...cluster.props.loadBalancer._design.check(apiServersOf(cluster)),
      ...(platform?.check({ controlPlaneNodes, workers: [...cluster.workers] }) ?? []),
      ...this.checkTaken(),
    ].forEach((problem) => problems.add(problem));
    problems._addCheck(() => [
      ...checkApp(this), ...checkCloudProvider(cluster, this.addons), ...checkLoadBalancerServices(cluster, this.addons, this.commands.objects),
    ]);
  }

  /** Checks for names, machines and addresses that another cluster of the app uses. */
  private checkTaken(): Problem[] {
    const { name, props } = this.resolved;
    const { claim } = props.loadBalancer._design;
    const named = claimName(this, 'KubeadmCluster', name);
    const routed = claim === undefined ? undefined : claimName(this, 'VirtualRouter', claim);
    return [
      ...problemIf(NAME_RULE, 'name', named && `"${name}" is the name of ${named} already`, 'rename one of the two'),
      ...problemIf(ROUTER_ID_RULE, 'loadBalancer.virtualRouterId', routed && `${routed} has the same one in the same subnet`, 'choose another number for one of the two'),
      ...placedHosts(this.resolved).flatMap((one) => {
        const owner = claimName(this, 'KubeadmHost', `${one.host.name} ${one.host.address}`);
        return checkMachineTaken(one, owner === this.node.path ? undefined : owner);
      }),
    ];
  }
}

const APP_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-APP',
  title: 'The app must be a GitOpsApp, which writes the files of hosts.',
};

function checkApp(cluster: Construct): Problem[] {
  return OutputFiles.of(cluster).written ? [] : [{
    rule: APP_RULE,
    message: 'the app only writes manifests, and no files for hosts',
    fix: 'make the app a GitOpsApp, and write it with synth()',
  }];
}

/** All files of a cluster, in a folder of its name: a folder for each host, a folder for addons, and the overview. */
function clusterFiles(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], install: readonly InstallStep[]): OutputFile[] {
  const files = [
    { path: OVERVIEW, content: overview(cluster, hosts, install) },
    ...hosts.flatMap((host) => below(host.name, hostFiles(host))),
    ...below(ADDONS_FOLDER, addonFiles(install, cluster.platform.secrets ?? [])),
  ];
  return below(cluster.name, files);
}

function below(folder: string, files: readonly OutputFile[]): OutputFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}
