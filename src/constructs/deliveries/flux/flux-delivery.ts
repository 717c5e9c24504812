import { Construct } from 'constructs';
import { appSource } from './app-source';
import { chartSource, gitRepository } from './chart-source';
import { grantAccess } from './flux-access';
import { checkFluxDelivery } from './flux-checks';
import { FluxDeliveryProps, FluxManifestCarrier, FluxManifestSource, FluxSourceKind } from './flux-delivery-props';
import { makeGate } from './gate';
import { makeHelmRelease } from './helm-release';
import { KUSTOMIZATION, makeKustomization } from './kustomization';
import { ClusterResourceSetSpecStrategy } from '../../../../imports/addons.cluster.x-k8s.io';
import { joinName } from '../../../manifests/values/object-name';
import { Problems } from '../../app/problems/problems';
import { checkChart, checkGitManifests } from '../../contracts/delivery/chart-check';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { enter } from '../../contracts/delivery/entry';
import { deliveredFolder, ManifestFolders, pathInSource, plainPath } from '../../contracts/delivery/manifest-folder';
import { carryWhenFilled } from '../../contracts/delivery/manifest-watch';
import { deliverByResourceSet } from '../cluster-resource-set/resource-set';

const RELEASE = 'HelmRelease';

/**
 * Charts and manifests reach the tenant by Flux in the management cluster (Flux 2.7 and later: HelmRelease v2, sources v1, Kustomization
 * v1).
 *
 * A chart becomes a `HelmRelease` named `<cluster>-<name>` in the cluster's namespace. With `FluxEntryPoints`, the tenants of the app share
 * its source, an `OCIRepository` or `HelmRepository` for each version in the namespace of the entry points; a source that needs a Secret is
 * in the namespace of the tenant. Manifests become a `Kustomization` where the source is known that the output of the app is in: by the
 * `FluxEntryPoints` of the app, or by `manifestSource`. Otherwise, or with `manifestCarrier`, a `ClusterResourceSet` carries them.
 *
 * None of it waits for the cluster to be available, which a cluster without pod network never is: as long as the Secret of the kubeconfig is
 * missing, releases are not ready and tried again, and then installed. A release of a tenant is ready when it is applied (`wait`).
 *
 * In the management cluster itself Flux needs no kubeconfig, and manifests need a known source. What a Kustomization applied there stays
 * when the Kustomization is deleted: every machine hangs on the definitions of KubeVirt.
 *
 * The order of `after` becomes `dependsOn` between HelmReleases, and between Kustomizations. Between one kind and the other Flux knows no
 * order: what comes too early fails, and is tried again after `retryInterval`. Of a Kustomization nothing but definitions, namespaces and
 * cluster roles is applied as long as the API server refuses one of its objects. A chart in the management cluster that must not come too
 * early (`waitFor`) takes empty values from a ConfigMap, which a Kustomization of its own applies when those that it waits for are ready.
 *
 * A Kustomization repairs: what is changed or deleted in the tenant comes back within `interval`. Kinds whose fields cannot change, such
 * as Job, fail when they do; the annotation `kustomize.toolkit.fluxcd.io/force: enabled` of the object has it replaced.
 *
 * A chart that is no longer delivered is uninstalled, without waiting for its objects to go. When a whole tenant is removed at once, its
 * releases are uninstalled for as long as the API server answers. After that Flux lets go of them by itself, once the Secret of the
 * kubeconfig is gone; of a Kustomization it does not. So remove a tenant in two commits, with `decommission`: a cluster that is taken down
 * has its releases and Kustomizations suspended, and suspended ones are dropped without touching the tenant. A Kustomization that is stuck
 * because its tenant is gone is let go by `spec.suspend: true`. The HelmChart that Flux made for a release from a Helm or Git repository
 * then stays in the namespace of the source.
 *
 * Rule: `TC-DELIVERY-OWN-CLUSTER`. Source: fluxcd/helm-controller docs/spec/v2/helmreleases.md, remote Cluster API clusters;
 * fluxcd/helm-controller internal/controller/helmrelease_controller.go; fluxcd/kustomize-controller
 * internal/controller/kustomization_controller.go.
 *
 * @example
 * new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } });
 */
export class FluxDelivery extends Delivery {
  public constructor(private readonly props: FluxDeliveryProps = {}) {
    super();
  }

  /**
   * Makes the HelmRelease of a chart, and the source that it needs.
   *
   * @param scope where to put the objects; what several charts share goes into the cdk8s chart around it
   * @param delivery the Helm chart
   * @param target the cluster it goes to
   */
  public deliverChart(scope: Construct, delivery: ChartDelivery, target: DeliveryTarget): void {
    this.meet(scope, target);
    checkChart(delivery, ['https', 'http', 'oci']).forEach((problem) => Problems.of(scope).add(problem));
    const name = joinName(target.name, delivery.name);
    const room = enter(scope, delivery, target, { kind: RELEASE, namespace: target.namespace, name });
    if (!room) return;
    const source = chartSource(room, name, delivery.chart, target, this.props);
    const gate = this.gate(scope, delivery, target);
    const release = { name, chart: delivery.chart, source, dependsOn: before(scope, delivery.name, RELEASE, target), gate };
    makeHelmRelease(room, release, target, this.propsFor(target));
  }

  /**
   * Makes the Kustomization of manifests, or the ClusterResourceSet that carries them.
   *
   * @param scope where to put the objects
   * @param delivery the manifests (`TC-DELIVERY-SECRET`, `TC-DELIVERY-MANIFEST`, `TC-DELIVERY-MANIFEST-NAMESPACE`)
   * @param target the cluster they go to
   */
  public deliverManifests(scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget): void {
    this.meet(scope, target);
    const source = this.sourceFor(scope, target);
    if (!source) {
      deliverByResourceSet(scope, delivery, target, ClusterResourceSetSpecStrategy.RECONCILE);
      return;
    }
    const name = joinName(target.name, delivery.name);
    const room = enter(scope, delivery, target, { kind: KUSTOMIZATION, namespace: target.namespace, name });
    if (!room) return;
    const folder = deliveredFolder(scope, delivery.name);
    ManifestFolders.of(scope).assign(folder, delivery.manifests);
    const path = pathInSource(source.path ?? '', folder);
    const dependsOn = before(scope, delivery.name, KUSTOMIZATION, target);
    carryWhenFilled(scope, makeKustomization(room, { name, source, folder: path, dependsOn }, target, this.propsFor(target)), delivery, target);
  }

  /**
   * Makes the Kustomization of manifests of a Git repository, and the GitRepository that it reads. It applies them on the server's side, and
   * leaves them in the tenant when it goes.
   *
   * @param scope where to put the objects
   * @param delivery the manifests
   * @param target the cluster they go to
   */
  public override deliverGitManifests(scope: Construct, delivery: GitManifestsDelivery, target: DeliveryTarget): void {
    this.meet(scope, target);
    checkGitManifests(delivery).forEach((problem) => Problems.of(scope).add(problem));
    const { repository, tag, path, timeout } = delivery.manifests;
    const name = joinName(target.name, delivery.name);
    const room = enter(scope, delivery, target, { kind: KUSTOMIZATION, namespace: target.namespace, name });
    if (!room) return;
    const folder = plainPath(path);
    const source = { ...gitRepository(room, name, { repository, version: tag, folders: [folder] }, target, this.props), timeout, wait: true };
    const dependsOn = before(scope, delivery.name, KUSTOMIZATION, target);
    makeKustomization(room, { name, source, folder, keep: true, dependsOn }, target, this.propsFor(target));
  }

  /** Source from which Flux reads manifests; undefined where a ClusterResourceSet carries them. */
  private sourceFor(scope: Construct, { changeWindows }: DeliveryTarget): FluxManifestSource | undefined {
    const { manifestSource, manifestCarrier } = this.props;
    return manifestCarrier === FluxManifestCarrier.CLUSTER_RESOURCE_SET ? undefined : manifestSource ?? appSource(scope, changeWindows);
  }

  /** The name of the ConfigMap that a release needs, and that Flux applies once the manifests that it waits for are ready. */
  private gate(scope: Construct, { name, waitFor = [] }: ChartDelivery, target: DeliveryTarget): string | undefined {
    if (waitFor.length === 0 || target.kubeconfigs) return undefined;
    const gate = `${name}-gate`;
    const { manifests, configMap } = makeGate(scope, gate, target);
    this.deliverManifests(scope, { name: gate, manifests, after: { names: waitFor } }, target);
    return configMap;
  }

  /**
   * A suspended object is let go at once when its tenant is taken down; a Kustomization would otherwise wait for a kubeconfig that never
   * comes back. In a tenant that sleeps, nothing would get ready.
   */
  private propsFor({ decommission, hibernation }: DeliveryTarget): FluxDeliveryProps {
    return decommission || hibernation ? { ...this.props, suspend: true } : this.props;
  }

  /** Checks the properties, and prepares the cluster, once for each cluster. */
  private meet(scope: Construct, target: DeliveryTarget): void {
    if (!ClusterDeliveries.of(scope, target).meets(this)) return;
    const problems = checkFluxDelivery(this.props, appSource(scope) !== undefined, this.sourceFor(scope, target), target.namespace);
    problems.forEach((problem) => Problems.of(scope).add(problem));
    const { serviceAccountName } = this.props.mode ?? {};
    if (serviceAccountName !== undefined && target.kubeconfigs) grantAccess(scope, serviceAccountName, target);
    const { kind = FluxSourceKind.GIT_REPOSITORY, path = '' } = this.props.manifestSource ?? {};
    if (!this.props.manifestSource || kind !== FluxSourceKind.GIT_REPOSITORY) return;
    Problems.of(scope)._addCheck(() => ManifestFolders.of(scope).checkOutputPath?.('delivery.manifestSource.path', path) ?? []);
  }
}

/** Names of the objects of a kind that come before a delivery; complete at synthesis. */
function before(scope: Construct, name: string, kind: string, target: DeliveryTarget): () => string[] {
  return () => ClusterDeliveries.of(scope, target).before(name, kind).map((other) => joinName(target.name, other));
}
