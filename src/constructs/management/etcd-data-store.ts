import { Chart, Size } from 'cdk8s';
import { CERT_MANAGER_DELIVERY } from './cert-manager-installation';
import { checkLabelName, checkObjectName, checkReplicas, checkResources, NAME_RULE, REPLICAS_RULE } from './component-options';
import { EtcdBackup } from './etcd-backup';
import { memberLabels } from './etcd-client';
import { EtcdDefragmentation } from './etcd-defragmentation';
import { checkChartOptions, managementChart, ManagementChartOptions } from './management-chart';
import { addNamespace, ManagementPlan } from './management-plan';
import { Issuer } from '../../../imports/cert-manager.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { checkDnsSubdomain } from '../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { ResourceRequirements } from '../../manifests/values/resource-requirements';
import { ETCD, ETCD_CHART_KUBECTL, ETCD_WITH_SHELL, KAMAJI_ETCD_CHART } from '../../manifests/values/versions';
import { checkDataStoreLimit } from '../contracts/capabilities/data-store-limits';
import { IsolationPeer, IsolationPort } from '../contracts/capabilities/isolation-peer';
import { HelmChart, HelmInstallFailurePolicy } from '../contracts/helm-chart';
import { isWhole, mebibytes, sizeText } from '../infrastructures/kubevirt/disk';

/** Name of the delivery of the issuers of the etcds' certificates. */
export const ISSUERS_DELIVERY = 'kamaji-etcd-issuers';

/** Default of `maxTenants`: at 40 MiB a tenant, half of the default quota. */
export const MAX_TENANTS = 50;

const NAMESPACE = 'kamaji-etcd';
const SELF_SIGNED = 'kamaji-etcd-self-signed';
const REPLICAS = 3;
const CLIENT_PORT = 2379;
const SIZE = Size.gibibytes(10);
const RESOURCES: ResourceRequirements = { requests: { cpu: '200m', memory: '1Gi' } };

/** With the chart's period of 10 s, five minutes (etcd-io/etcd server/etcdserver/api/etcdhttp/health.go, serializable_read, v3.6.12). */
const LIVENESS_FAILURES = 30;

/** The recommended maximum of etcd (etcd.io/docs/v3.6/dev-guide/limit), and the default of the chart. */
const LARGEST_QUOTA = Size.gibibytes(8);

/** A defragmentation writes a second file beside the database, and the log and snapshots need room, too. */
const QUOTA_SHARE = 0.4;

/** An issuer of cert-manager. */
export interface ManagementIssuerRef {
  /** Name of the issuer (`TC-MANAGEMENT-NAME`). */
  readonly name: string;

  /**
   * True if it is a `ClusterIssuer`. An `Issuer` is in the namespace of the etcd.
   *
   * @default true
   */
  readonly clusterIssuer?: boolean;
}

/** Options of an etcd for a DataStore. */
export interface EtcdDataStoreOptions extends ManagementChartOptions {
  /**
   * Number of members, which must be odd. It cannot be changed later: the chart passes the list of members only at their first start.
   *
   * Rule: `TC-MANAGEMENT-REPLICAS`.
   *
   * @default 3
   */
  readonly replicas?: number;

  /**
   * Size of the volume of each member, in whole MiB. It cannot be changed in place later.
   *
   * Rule: `TC-MANAGEMENT-ETCD-SIZE`.
   *
   * @default Size.gibibytes(10)
   */
  readonly size?: Size;

  /**
   * Maximum size of the database, at most 8 GiB and less than the volume. At this size etcd rejects writes.
   *
   * Rule: `TC-MANAGEMENT-ETCD-SIZE`.
   *
   * @default - 40 % of the volume, at most 8 GiB: a defragmentation needs room for a second copy
   */
  readonly quota?: Size;

  /**
   * StorageClass of the volumes. Choose fast and, if possible, local storage: etcd replicates the data itself.
   *
   * Rule: `TC-MANAGEMENT-ETCD-STORAGE-CLASS`.
   *
   * @default - the cluster's default class
   */
  readonly storageClass?: string;

  /**
   * CPU and memory of each member (`TC-MANAGEMENT-RESOURCES`).
   *
   * @default - requests of 200m CPU and 1Gi memory; no limit, so that no member is killed while its database grows
   */
  readonly resources?: ResourceRequirements;

  /**
   * Issuer of the etcd's certificate authority.
   *
   * @default - a self-signed issuer in the namespace of the etcd
   */
  readonly issuer?: ManagementIssuerRef;

  /**
   * Name of the Helm release and of all its objects. A new name creates a new, empty etcd.
   *
   * Rule: `TC-MANAGEMENT-ETCD-TAKEN`.
   *
   * @default - `etcd-<name of the DataStore>`
   */
  readonly releaseName?: string;

  /**
   * Storage of the snapshots of the whole etcd. `docs/restore-data-store.md` describes how to restore one.
   *
   * Rule: `TC-MANAGEMENT-ETCD-BACKUP-MISSING`.
   *
   * @default - no backups, with a warning
   */
  readonly backup?: EtcdBackup;

  /**
   * Largest number of tenant clusters of the DataStore, a whole number from 1. They share its quota, its speed, its backup and its members:
   * what one of them fills or slows down stops all.
   *
   * Rules: `TC-MANAGEMENT-DATA-STORE-LIMIT`, `TC-MANAGEMENT-DATA-STORE-FULL`.
   *
   * @default 50
   */
  readonly maxTenants?: number;

  /**
   * Defragmentation of the members.
   *
   * @default EtcdDefragmentation.cronJob()
   */
  readonly defragmentation?: EtcdDefragmentation;

  /**
   * DNS domain of the management cluster (`TC-MANAGEMENT-NAME`).
   *
   * @default cluster.local
   */
  readonly clusterDomain?: string;
}

/** The chart of an etcd. */
export function etcdChart(dataStore: string, options: EtcdDataStoreOptions): HelmChart {
  const { replicas = REPLICAS, size = SIZE, storageClass, resources, issuer, clusterDomain = 'cluster.local' } = options;
  const releaseName = options.releaseName ?? `etcd-${dataStore}`;
  const makesCertificates = options.values?.certManager?.enabled === false;
  const pinned = (options.chartVersion ?? KAMAJI_ETCD_CHART.version) === KAMAJI_ETCD_CHART.version;
  return managementChart({
    chart: 'kamaji-etcd',
    pin: KAMAJI_ETCD_CHART,
    releaseName,
    namespace: NAMESPACE,
    // The hooks enable authentication, but only after an installation; here a Job does that, which can be retried. The chart's own
    // certificates need the hooks, and an upgrade would not repair those of a failed installation.
    hooks: makesCertificates,
    installFailurePolicy: makesCertificates ? HelmInstallFailurePolicy.REINSTALL : undefined,
    tolerations: { 'tolerations': [], 'jobs.tolerations': [] },
    values: {
      replicas,
      fullnameOverride: releaseName,
      clusterDomain,
      // The DataStore comes later, when authentication is on: control planes use it as soon as it exists.
      datastore: { enabled: false, name: dataStore },
      // The chart's own certificates come from hooks: Argo CD would run them with every sync, and replace the authority of running tenants.
      selfSignedCertificates: { enabled: false },
      certManager: {
        enabled: true,
        issuerRef: {
          group: 'cert-manager.io', kind: issuer && (issuer.clusterIssuer ?? true) ? 'ClusterIssuer' : 'Issuer', name: issuer?.name ?? SELF_SIGNED,
        },
      },
      persistentVolumeClaim: { size: sizeText(size), storageClassName: storageClass, retentionPolicyWhenDeleted: 'Retain' },
      // A string, as in the chart: Helm would write a number of this size in scientific notation.
      quotaBackendBytes: `${Math.floor(mebibytes(quotaOf(options))) * 1024 * 1024}`,
      resources: resources ?? RESOURCES,
      // `/livez` reads from the database, which a defragmentation blocks: the chart's 3 failures would end it.
      livenessProbe: { failureThreshold: LIVENESS_FAILURES },
      // Members on one host would be lost together. Their volumes keep them on their first host.
      topologySpreadConstraints: [{
        labelSelector: { matchLabels: memberLabels(releaseName, options.values) },
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
      }],
      // The images of this version of the chart.
      ...(pinned && {
        image: { tag: ETCD.version }, jobs: { etcd: { tag: ETCD_WITH_SHELL.version }, kubectl: { tag: ETCD_CHART_KUBECTL.version } },
      }),
    },
  }, options);
}

/**
 * The pods of an etcd, and the port that they listen on for clients (clastix/kamaji-etcd charts/kamaji-etcd/templates/_helpers.tpl and
 * etcd_sts.yaml).
 */
export function etcdPeer({ releaseName, namespace, values }: HelmChart): IsolationPeer {
  return IsolationPeer.pods({
    namespace, podLabels: { 'app.kubernetes.io/instance': releaseName }, ports: [IsolationPort.tcp(Number(values?.clientPort ?? CLIENT_PORT))],
  });
}

/** Plans the issuers of etcds without `issuer`, and their namespaces. */
export function planIssuers(plan: ManagementPlan, etcds: readonly { readonly chart: HelmChart; readonly options: EtcdDataStoreOptions }[]): void {
  const namespaces = [...new Set(etcds.filter(({ options }) => !options.issuer).map(({ chart }) => chart.namespace))].sort();
  if (namespaces.length === 0) return;
  const manifests = plan.addManifests(ISSUERS_DELIVERY, [CERT_MANAGER_DELIVERY]);
  namespaces.forEach((namespace) => addIssuer(manifests, namespace));
}

const STORAGE_CLASS_RULE: Rule = {
  id: 'TC-MANAGEMENT-ETCD-STORAGE-CLASS',
  title: 'The StorageClass of an etcd must exist in the management cluster.',
};

/** Checks the options of an etcd. */
export function checkEtcd(property: string, options: EtcdDataStoreOptions, storageClasses: readonly string[] | undefined): Problem[] {
  const { replicas = REPLICAS, storageClass, clusterDomain } = options;
  return [
    ...checkReplicas(`${property}.replicas`, replicas),
    ...(Number.isInteger(replicas) && replicas >= 1 && replicas % 2 === 0 ? [{
      rule: REPLICAS_RULE,
      property: `${property}.replicas`,
      message: `${replicas} members tolerate no more failures than ${replicas - 1} members`,
      accepted: '1, 3, 5, 7',
      fix: `write ${replicas - 1} or ${replicas + 1}`,
    }] : []),
    ...checkSizes(property, options),
    ...checkResources(`${property}.resources`, options.resources),
    ...checkDataStoreLimit(`${property}.maxTenants`, options.maxTenants),
    ...checkObjectName(`${property}.issuer.name`, options.issuer?.name),
    ...problemIf(NAME_RULE, `${property}.clusterDomain`, clusterDomain === undefined ? undefined : checkDnsSubdomain(clusterDomain), 'write the domain'),
    ...checkLabelName(`${property}.namespace`, options.namespace),
    ...checkChartOptions(property, options),
    ...checkBackup(`${property}.backup`, options.backup),
    ...(storageClass === undefined || storageClasses === undefined || storageClasses.includes(storageClass) ? [] : [{
      rule: STORAGE_CLASS_RULE,
      property: `${property}.storageClass`,
      message: `the management cluster has no StorageClass "${storageClass}"`,
      accepted: storageClasses.join(', ') || 'none',
      fix: 'choose one of these, or add the class to storageClasses of the capabilities',
    }]),
  ];
}

const SIZE_RULE: Rule = {
  id: 'TC-MANAGEMENT-ETCD-SIZE',
  title: 'The volume of an etcd member must be larger than the quota of the database: it also stores the log and snapshots.',
  source: 'etcd.io/docs/v3.6/op-guide/maintenance (space quota), clastix/kamaji-etcd charts/kamaji-etcd/values.yaml',
};

function checkSizes(property: string, options: EtcdDataStoreOptions): Problem[] {
  const { size = SIZE } = options;
  const quota = quotaOf(options);
  const rule = SIZE_RULE;
  if (!isWhole(size)) {
    return [{ rule, property: `${property}.size`, message: `${size.asString()} is not a whole number of MiB above 0`, fix: 'give a size such as Size.gibibytes(10)' }];
  }
  if (mebibytes(quota) >= 1 && mebibytes(quota) <= mebibytes(LARGEST_QUOTA) && mebibytes(quota) < mebibytes(size)) return [];
  return [{
    rule,
    property: `${property}.quota`,
    message: `a database of ${quota.asString()} does not fit into a volume of ${size.asString()}`,
    accepted: 'from 1 MiB to 8 GiB, and less than the volume',
    fix: 'make the quota smaller or the volume larger',
  }];
}

function quotaOf({ size = SIZE, quota }: EtcdDataStoreOptions): Size {
  return quota ?? Size.mebibytes(Math.min(mebibytes(LARGEST_QUOTA), Math.floor(mebibytes(size) * QUOTA_SHARE)));
}

function addIssuer(manifests: Chart, namespace: string): void {
  addNamespace(manifests, namespace);
  new Issuer(manifests, `Issuer ${namespace}`, { metadata: { name: SELF_SIGNED, namespace, annotations: keepOnPrune() }, spec: { selfSigned: {} } });
}

const BACKUP_MISSING_RULE: Rule = {
  id: 'TC-MANAGEMENT-ETCD-BACKUP-MISSING',
  title: 'An etcd should have a backup: it holds all objects of all tenants that use it.',
  source: 'etcd.io/docs/v3.6/op-guide/recovery',
  warning: true,
};

function checkBackup(property: string, backup: EtcdBackup | undefined): Problem[] {
  return backup?._check(property) ?? [{
    rule: BACKUP_MISSING_RULE,
    property,
    message: 'no snapshots are made: if the members are lost, so are all tenants of the DataStore',
    accepted: 'EtcdBackup.s3, EtcdBackup.persistentVolumeClaim',
    fix: 'set it, or EtcdBackup.none() if snapshots are made by other means',
  }];
}
