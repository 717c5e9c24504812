import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { valuesTemplate } from './values-template';
import {
  ClusterResourceSetSpecStrategy, HelmChartProxy, HelmChartProxySpec, HelmChartProxySpecReconcileStrategy,
} from '../../../../imports/addons.cluster.x-k8s.io';
import { imagesAnnotation } from '../../../manifests/images/images-annotation';
import { noSubstitution } from '../../../manifests/objects/prune-annotations';
import { goDuration } from '../../../manifests/values/go-duration';
import { joinName } from '../../../manifests/values/object-name';
import { Problem } from '../../../manifests/values/problem';
import { isOci, plainAddress } from '../../../manifests/values/repository-address';
import { Problems } from '../../app/problems/problems';
import { apiFields, resolveFields, sortedFields } from '../../app/synth/api-fields';
import { checkChart, refuseStorageNamespace, refuseValuesFrom } from '../../contracts/delivery/chart-check';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { CHART_UNSUPPORTED_RULE, ChartDelivery, Delivery, ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { DEFAULT_TIMEOUT } from '../../contracts/delivery/durations';
import { enter } from '../../contracts/delivery/entry';
import { ownCluster } from '../../contracts/delivery/own-cluster';
import { accessTo, checkRepositoryAccess, REPOSITORY_ACCESS_RULE } from '../../contracts/delivery/repository-access';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from '../../contracts/helm-chart';
import { deliverByResourceSet } from '../cluster-resource-set/resource-set';

const KIND = 'HelmChartProxy';
const READER = 'the Cluster API add-on provider for Helm';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
// The http scheme: kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_webhook.go.
const SCHEMES = ['https', 'oci'];
// kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_types.go (Credentials), internal/helm_client.go.
const OCI_ONLY = 'a HelmChartProxy can log in to OCI registries only';
const CREDENTIALS_KEY = 'config.json';
const MAX_HISTORY = 10;

/**
 * Credentials and authority of a repository of charts. The Secrets are in the namespace of each tenant cluster that uses the repository.
 */
export interface HelmChartProxyRepositoryAccess {
  /** Address of the repository, as the charts spell it; a slash at the end makes no difference (`TC-DELIVERY-REPOSITORY-ACCESS`). */
  readonly repository: string;

  /**
   * Name of the Secret with the credentials of an OCI registry: a Docker configuration. The provider cannot log in to an https repository
   * (`TC-DELIVERY-REPOSITORY-ACCESS`).
   *
   * @default - no credentials
   */
  readonly secretName?: string;

  /**
   * Key of that Secret.
   *
   * @default config.json
   */
  readonly secretKey?: string;

  /**
   * Name of the Secret with the certificate authority under `ca.crt`.
   *
   * @default - authorities that the provider knows
   */
  readonly caSecretName?: string;
}

/** Options of `HelmChartProxyDelivery`. */
export interface HelmChartProxyDeliveryProps {
  /**
   * Credentials and authorities of the repositories of charts that need them.
   *
   * @default - those of the cluster's `companyNetwork`; all others are public
   */
  readonly repositories?: HelmChartProxyRepositoryAccess[];
}

/**
 * Charts reach the tenant by the Cluster API add-on provider for Helm (`HelmChartProxy`, addons.cluster.x-k8s.io/v1alpha1), manifests by a
 * ClusterResourceSet of Cluster API, with the limits of `ClusterResourceSetDelivery`.
 *
 * A chart becomes a `HelmChartProxy` named `<cluster>-<name>` in the cluster's namespace. It selects the `Cluster` by its label
 * `cluster.x-k8s.io/cluster-name`, which `TenantCluster` sets; Cluster API does not. It is installed when the control plane is
 * initialized, through the Secret `<cluster>-kubeconfig`, which every control plane provider writes. What the provider cannot do:
 *
 * - What comes `after` is not ordered: a chart that comes too early fails, and is upgraded until it works, at growing intervals.
 * - Changes of timeout, `wait`, `crds` and access reach a release only together with another version or other values.
 * - Changes of chart, repository, release name and namespace uninstall the release and install it anew; think of the pod network.
 * - Definitions of custom resources are created at the first install and not touched again, as Helm does: `CREATE_REPLACE` works like
 *   `CREATE`.
 * - The namespace is always made when it does not exist: the field that would switch it off is lost on the way through the API.
 * - Changes that are made in the tenant stay until version or values change.
 * - It cannot be suspended: in a cluster that sleeps, changes fail and are tried again, at growing intervals, until it is awake.
 *
 * Charts of a Git repository, and the management cluster itself, are beyond it (`TC-DELIVERY-CHART-UNSUPPORTED`,
 * `TC-DELIVERY-OWN-CLUSTER`). Releases are uninstalled with their `HelmChartProxy`; when the `Cluster` is gone already, they are forgotten. Values are written so that
 * braces in them are no template.
 *
 * Source: kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy, internal/helm_client.go.
 *
 * @example
 * new HelmChartProxyDelivery();
 */
export class HelmChartProxyDelivery extends Delivery {
  public constructor(private readonly props: HelmChartProxyDeliveryProps = {}) {
    super();
  }

  /**
   * Makes the HelmChartProxy of a chart.
   *
   * @param scope where to put it
   * @param delivery the Helm chart, from an https or oci repository (`TC-DELIVERY-REPOSITORY`)
   * @param target the cluster it goes to
   */
  public deliverChart(scope: Construct, delivery: ChartDelivery, target: DeliveryTarget): void {
    this.check(scope, target);
    const refused = this.refusal(delivery, target);
    if (refused) {
      Problems.of(scope).add(refused);
      ClusterDeliveries.of(scope, target).refuse(delivery.name);
      return;
    }
    [...checkChart(delivery, SCHEMES), ...refuseValuesFrom(delivery, READER), ...refuseStorageNamespace(delivery, READER)]
      .forEach((problem) => Problems.of(scope).add(problem));
    const name = joinName(target.name, delivery.name);
    const room = enter(scope, delivery, target, { kind: KIND, namespace: target.namespace, name });
    if (!room) return;
    const proxy: HelmChartProxy = new HelmChartProxy(room, KIND, {
      metadata: { name, annotations: { ...noSubstitution(), ...imagesAnnotation(delivery.chart) } },
      spec: {
        ...this.spec(delivery.chart, target),
        // Written like every other field, so that tokens resolve and keys are sorted.
        valuesTemplate: Lazy.any({ produce: () => templateOf(sortedFields(resolveFields(apiFields(delivery.chart.values), proxy))) }),
      },
    });
  }

  /**
   * Makes the ClusterResourceSet that carries manifests.
   *
   * @param scope where to put the objects
   * @param delivery the manifests (`TC-DELIVERY-SECRET`, `TC-DELIVERY-MANIFEST`, `TC-DELIVERY-MANIFEST-NAMESPACE`)
   * @param target the cluster they go to
   */
  public deliverManifests(scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget): void {
    deliverByResourceSet(scope, delivery, target, ClusterResourceSetSpecStrategy.RECONCILE);
  }

  private spec(chart: HelmChart, target: DeliveryTarget): HelmChartProxySpec {
    const { name, namespace } = target;
    const access = this.ownAccess(chart) ?? networkAccess(chart, target);
    return {
      // An OCI registry, too, is given without the chart's name; the provider puts the two together.
      chartName: chart.chart,
      clusterSelector: { matchLabels: { [CLUSTER_LABEL]: name } },
      ...(access?.secretName !== undefined && {
        credentials: { secret: { name: access.secretName, namespace }, key: access.secretKey ?? CREDENTIALS_KEY },
      }),
      namespace: chart.namespace,
      options: {
        ...(chart.installFailurePolicy === HelmInstallFailurePolicy.REINSTALL && { atomic: true }),
        ...(chart.hooks === false && { disableHooks: true }),
        enableClientCache: false,
        install: { createNamespace: true },
        ...(chart.crds === HelmCrdPolicy.SKIP && { skipCrDs: true }),
        timeout: goDuration(chart.timeout ?? DEFAULT_TIMEOUT),
        upgrade: { maxHistory: MAX_HISTORY },
        // A false one would get lost in the provider's webhook, and come back with every apply.
        ...((chart.wait ?? true) && { wait: true }),
      },
      reconcileStrategy: HelmChartProxySpecReconcileStrategy.CONTINUOUS,
      releaseName: chart.releaseName,
      repoUrl: plainAddress(chart.repository),
      ...(access?.caSecretName !== undefined && { tlsConfig: { caSecret: { name: access.caSecretName, namespace } } }),
      version: chart.chartVersion,
    };
  }

  private ownAccess({ repository }: HelmChart): HelmChartProxyRepositoryAccess | undefined {
    return accessTo(repository, this.props.repositories);
  }

  private refusal({ name, chart }: ChartDelivery, target: DeliveryTarget): Problem | undefined {
    const property = `charts["${name}"]`;
    if (!target.kubeconfigs) return ownCluster(property, 'a HelmChartProxy', 'a FluxDelivery or ArgoCdDelivery');
    if (chart.gitPath !== undefined) {
      return {
        rule: CHART_UNSUPPORTED_RULE,
        property,
        message: `the Helm chart "${chart.chart}" is in a Git repository, and a HelmChartProxy installs packaged charts`,
        fix: 'package the chart into a repository or registry and name that, or deliver with FluxDelivery or ArgoCdDelivery',
      };
    }
    const secretName = this.ownAccess(chart) ? undefined : networkAccess(chart, target)?.secretName;
    return secretName === undefined || isOci(chart.repository) ? undefined : {
      rule: CHART_UNSUPPORTED_RULE,
      property,
      message: `the Helm chart "${chart.chart}" comes from an https repository, for which companyNetwork.chartRepositories has the Secret `
        + `"${secretName}", and ${OCI_ONLY}`,
      fix: 'name an OCI registry that has the chart, or deliver with FluxDelivery',
    };
  }

  private check(scope: Construct, target: DeliveryTarget): void {
    if (!ClusterDeliveries.of(scope, target).meets(this)) return;
    const repositories = this.props.repositories ?? [];
    const accesses = repositories.map(({ repository, secretName, caSecretName }) => ({ repository, secrets: { secretName, caSecretName } }));
    const problems = [
      ...checkRepositoryAccess(accesses, 'delivery.repositories', SCHEMES),
      ...repositories.flatMap(({ repository, secretName }, index) => (secretName === undefined || !repository.startsWith('https://') ? [] : [{
        rule: REPOSITORY_ACCESS_RULE,
        property: `delivery.repositories[${index}].secretName`,
        message: `"${secretName}" has no effect for an https repository: ${OCI_ONLY}`,
        fix: 'name an OCI registry that has the charts, or deliver with FluxDelivery',
      }])),
    ];
    problems.forEach((problem) => Problems.of(scope).add(problem));
  }
}

function networkAccess({ repository }: HelmChart, { companyNetwork }: DeliveryTarget): HelmChartProxyRepositoryAccess | undefined {
  const access = companyNetwork?.chartRepositoryOf(repository);
  return access && { repository, secretName: access.secretName, caSecretName: access.certSecretName };
}

function templateOf(values: unknown): string | undefined {
  return typeof values === 'object' && values !== null && Object.keys(values).length > 0 ? valuesTemplate(values) : undefined;
}
