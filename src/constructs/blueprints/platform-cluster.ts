import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { BlueprintBackup, checkBackup, VELERO_SNAPSHOTS, veleroOf } from './blueprint-backup';
import { addParts, checkRequired, checkUnused, given } from './blueprint-options';
import {
  checkKubevirtOptions, KubevirtBlueprintOptions, KubevirtBlueprintPool, kubevirtCluster, kubevirtPool, snapshotAddons,
} from './kubevirt-parts';
import { CertManager } from '../addons/catalog/cert-manager';
import { ExternalSecrets } from '../addons/catalog/external-secrets';
import { FluentBit } from '../addons/catalog/fluent-bit';
import { KubePrometheusStack } from '../addons/catalog/kube-prometheus-stack';
import { Kyverno } from '../addons/catalog/kyverno';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { Traefik } from '../addons/catalog/traefik';
import { RemoteWrite, VictoriaMetricsAgent } from '../addons/catalog/victoria-metrics-agent';
import { Addon } from '../contracts/addon';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** Options of `PlatformCluster`. */
export interface PlatformClusterOptions extends KubevirtBlueprintOptions {
  /**
   * Targets of the logs of containers: the `[OUTPUT]` sections of Fluent Bit's classic configuration, as text. Not used where `fluent-bit`
   * is left out or replaced (`TC-BLUEPRINT-REQUIRED`).
   */
  readonly logOutputs: string;

  /** Backups of the tenant's objects and volumes into a bucket, by Velero. Not used where `velero` is left out or replaced. */
  readonly backup: BlueprintBackup;

  /**
   * Targets of the metrics. With it the VictoriaMetrics agent (`victoria-metrics-agent`) takes the place of Prometheus, Alertmanager and
   * Grafana (`kube-prometheus-stack`), and no metrics are kept in the tenant.
   *
   * @default - nowhere: Prometheus keeps them in the tenant
   */
  readonly remoteWrite?: RemoteWrite[];

  /**
   * Size of the volume of Prometheus, which keeps metrics for ten days. Not with `remoteWrite` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default Size.gibibytes(50)
   */
  readonly metricsStorage?: Size;

  /**
   * The pool `general`, which scales with the load.
   *
   * @default - 8 CPUs, 32 GiB and a disk of 60 GiB of `infraStorageClass`, 2 to 10 machines
   */
  readonly general?: KubevirtBlueprintPool;

  /**
   * The pool `ingress`, where Traefik runs. Its nodes have the role `ingress`.
   *
   * @default - 2 CPUs, 4 GiB and a disk of 20 GiB of `infraStorageClass`, 2 machines
   */
  readonly ingress?: KubevirtBlueprintPool;
}

/** Properties of `PlatformCluster`. */
export interface PlatformClusterProps extends TenantClusterIdentity, PlatformClusterOptions {}

/**
 * A tenant cluster that a platform team hands out with everything that applications expect: metrics and alerts (kube-prometheus-stack, or the
 * VictoriaMetrics agent), logs (Fluent Bit), policies (Kyverno), backups (Velero), secrets from a store (External Secrets Operator), Ingress
 * (Traefik) and certificates (cert-manager).
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.PlatformCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   managementCluster: hall,
 *   logOutputs: '[OUTPUT]\\n    Name forward\\n    Match *\\n    Host logs.example.com\\n',
 *   backup: { bucket: 'tenant-acme', config: { region: 'hall-1', s3Url: 'https://s3.example.com' }, credentialsSecret: 'velero' },
 *   nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
 *   infraStorageClass: 'replicated',
 *   csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
 * });
 */
export class PlatformCluster extends TenantCluster {
  /**
   * The options of the cluster without its pools and addons, e.g. for `props` of a fleet's profile.
   *
   * @param options the differences from the blueprint
   */
  public static options(options: PlatformClusterOptions): TenantClusterOptions {
    return clusterOptions(options);
  }

  /**
   * Adds the pools and addons to a cluster that has been made with `options`, e.g. for `populate` of a fleet's profile.
   *
   * @param cluster the cluster
   * @param options the same options
   */
  public static populate(cluster: TenantCluster, options: PlatformClusterOptions): void {
    populate(cluster, options);
  }

  public constructor(scope: Construct, id: string, props: PlatformClusterProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    super(scope, id, { ...clusterOptions(options), namespace, kubernetesVersion, name });
    populate(this, options);
  }
}

const REPLICAS = 2;
const INGRESS_ROLE = { 'node-role.kubernetes.io/ingress': '' };

function clusterOptions(props: PlatformClusterOptions): TenantClusterOptions {
  const { logOutputs: _logs, backup: _backup, remoteWrite: _write, metricsStorage: _storage, ...rest } = props;
  const { general: _general, ingress: _ingress, ...options } = rest;
  return kubevirtCluster(options, { replicas: REPLICAS }, VELERO_SNAPSHOTS);
}

function populate(cluster: TenantCluster, options: PlatformClusterOptions): void {
  const { logOutputs, backup, remoteWrite, metricsStorage, general, ingress, leaveOut = [], addons = [] } = options;
  const isOwn = (name: string) => !leaveOut.includes(name) && !addons.some((addon) => addon.name === name);
  checkKubevirtOptions(cluster, options, { general, ingress });
  checkUnused(cluster, remoteWrite && 'remoteWrite', { metricsStorage });
  if (isOwn('fluent-bit')) checkRequired(cluster, { logOutputs: { value: logOutputs, fix: 'give at least one [OUTPUT] section' } });
  if (isOwn('velero')) checkBackup(cluster, backup);
  addParts(cluster, options, {
    pools: {
      general: kubevirtPool(options, general, {
        cpu: 8, memory: Size.gibibytes(32), disk: Size.gibibytes(60), size: PoolSize.between(2, 10),
      }),
      ingress: kubevirtPool(options, ingress, {
        cpu: 2, memory: Size.gibibytes(4), disk: Size.gibibytes(20), size: PoolSize.fixed(2), labels: INGRESS_ROLE,
      }),
    },
    addons: [
      new MetricsServer(),
      new CertManager({ replicas: REPLICAS }),
      new ExternalSecrets(),
      new Kyverno({ replicas: 3 }),
      new Traefik({ replicas: REPLICAS, values: leaveOut.includes('ingress') ? undefined : { nodeSelector: INGRESS_ROLE } }),
      metricsAddon(options),
      new FluentBit({ outputs: given(logOutputs) ?? '[OUTPUT]' }),
      veleroOf(backup, options),
      ...snapshotAddons(options),
    ],
  });
}

function metricsAddon({ remoteWrite, metricsStorage = Size.gibibytes(50) }: PlatformClusterOptions): Addon {
  return remoteWrite ? new VictoriaMetricsAgent({ remoteWrite, buffer: Size.gibibytes(5) }) : new KubePrometheusStack({ storage: metricsStorage });
}
