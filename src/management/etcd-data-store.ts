import { Chart, Size } from 'cdk8s';
import { CERT_MANAGER_DELIVERY } from './cert-manager-installation';
import { EtcdBackup } from './etcd-backup';
import { memberLabels } from './etcd-client';
import { checkChartOptions, ManagementChartOptions, managementChart } from './management-chart';
import { addNamespace, ManagementPlan } from './management-plan';
import { MANAGEMENT_RULES } from './rules';
import { checkLabelName, checkObjectName, checkReplicas, checkResources } from './workload-options';
import { Issuer } from '../../imports/cert-manager.io';
import { HelmChart, HelmInstallFailurePolicy } from '../addons/helm-chart';
import { keepOnPrune } from '../delivery/marks';
import { isWhole, mebibytes, sizeText } from '../infrastructure/kubevirt/size-text';
import { IsolationPeer, IsolationPort } from '../isolation/isolation-peer';
import { ResourceRequirements } from '../kubernetes/resource-requirements';
import { checkDnsSubdomain } from '../network/dns';
import { Problem, problemIf } from '../validation/problem';
import { ETCD, ETCD_CHART_KUBECTL, ETCD_WITH_SHELL, KAMAJI_ETCD_CHART } from '../versions';

/** Name of the delivery of the issuers that etcds have their certificates from. */
export const ISSUERS_DELIVERY = 'kamaji-etcd-issuers';

const NAMESPACE = 'kamaji-etcd';
const SELF_SIGNED = 'kamaji-etcd-self-signed';
const REPLICAS = 3;
const CLIENT_PORT = 2379;
const SIZE = Size.gibibytes(10);
const RESOURCES: ResourceRequirements = { requests: { cpu: '200m', memory: '1Gi' } };

/** The most that etcd is meant for (etcd.io/docs/v3.6/dev-guide/limit), and what the chart has. */
const LARGEST_QUOTA = Size.gibibytes(8);
const QUOTA_SHARE = 0.8;

/** An issuer of cert-manager. */
export interface ManagementIssuerRef {
  /** Name of the issuer (`TC-MANAGEMENT-NAME`). */
  readonly name: string;

  /**
   * Whether it is a `ClusterIssuer`. An `Issuer` is in the namespace of the etcd.
   *
   * @default true
   */
  readonly clusterIssuer?: boolean;
}

/** How an etcd for a DataStore runs. */
export interface EtcdDataStoreOptions extends ManagementChartOptions {
  /**
   * Members: an odd number (`TC-MANAGEMENT-REPLICAS`). It cannot be changed later: the chart tells members of each other when they start
   * for the first time.
   *
   * @default 3
   */
  readonly replicas?: number;

  /**
   * Volume of each member: whole MiB (`TC-MANAGEMENT-ETCD-SIZE`). It cannot be changed in place later.
   *
   * @default Size.gibibytes(10)
   */
  readonly size?: Size;

  /**
   * How large the database may grow before it takes no more writes, at most 8 GiB and less than the volume (`TC-MANAGEMENT-ETCD-SIZE`).
   *
   * @default - 80 % of the volume, at most 8 GiB
   */
  readonly quota?: Size;

  /**
   * StorageClass of the volumes: fast, and local where it can be, since etcd replicates by itself (`TC-MANAGEMENT-ETCD-STORAGE-CLASS`).
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
   * @default - one that signs itself, made in the namespace of the etcd
   */
  readonly issuer?: ManagementIssuerRef;

  /**
   * Name of the Helm release, of the StatefulSet and of everything else that the chart makes. Changing it makes a new, empty etcd
   * (`TC-MANAGEMENT-ETCD-TAKEN`).
   *
   * @default - `etcd-<name of the DataStore>`
   */
  readonly releaseName?: string;

  /**
   * Where snapshots of the etcd are stored. They are taken of it as a whole; `docs/restore-data-store.md` tells how to go back to one.
   *
   * @default - there are no backups
   */
  readonly backup?: EtcdBackup;

  /**
   * DNS domain of the management cluster (`TC-MANAGEMENT-NAME`).
   *
   * @default cluster.local
   */
  readonly clusterDomain?: string;
}

/** The chart of an etcd, which makes the DataStore too. */
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
    // They enable authentication, after an installation only; here a Job does that, which can be tried again. Certificates that the chart makes
    // itself need them, and an upgrade would not make up for those of a failed installation.
    hooks: makesCertificates,
    installFailurePolicy: makesCertificates ? HelmInstallFailurePolicy.REINSTALL : undefined,
    tolerations: { 'tolerations': [], 'jobs.tolerations': [] },
    values: {
      replicas,
      fullnameOverride: releaseName,
      clusterDomain,
      datastore: { enabled: true, name: dataStore },
      // The chart's own certificates come from hooks: Argo CD would run them with every sync, and replace the authority under living tenants.
      selfSignedCertificates: { enabled: false },
      certManager: {
        enabled: true,
        issuerRef: {
          group: 'cert-manager.io', kind: issuer && (issuer.clusterIssuer ?? true) ? 'ClusterIssuer' : 'Issuer', name: issuer?.name ?? SELF_SIGNED,
        },
      },
      persistentVolumeClaim: { size: sizeText(size), storageClassName: storageClass, retentionPolicyWhenDeleted: 'Retain' },
      // Text, as in the chart: a number of this size would be written as a fraction.
      quotaBackendBytes: `${Math.floor(mebibytes(quotaOf(options))) * 1024 * 1024}`,
      resources: resources ?? RESOURCES,
      // On one host, they would be lost together. Their volumes keep them where they first were.
      topologySpreadConstraints: [{
        labelSelector: { matchLabels: memberLabels(releaseName, options.values) },
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
      }],
      // Those of this version of the chart, so that the images are known.
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

/** Plans the issuers of etcds that bring none, and their namespaces. */
export function planIssuers(plan: ManagementPlan, etcds: readonly { readonly chart: HelmChart; readonly options: EtcdDataStoreOptions }[]): void {
  const namespaces = [...new Set(etcds.filter(({ options }) => !options.issuer).map(({ chart }) => chart.namespace))].sort();
  if (namespaces.length === 0) return;
  const manifests = plan.addManifests(ISSUERS_DELIVERY, [CERT_MANAGER_DELIVERY]);
  namespaces.forEach((namespace) => addIssuer(manifests, namespace));
}

/** Checks how an etcd is to run. */
export function checkEtcd(property: string, options: EtcdDataStoreOptions, storageClasses: readonly string[] | undefined): Problem[] {
  const { replicas = REPLICAS, storageClass, clusterDomain } = options;
  return [
    ...checkReplicas(`${property}.replicas`, replicas),
    ...(Number.isInteger(replicas) && replicas >= 1 && replicas % 2 === 0 ? [{
      rule: MANAGEMENT_RULES.replicas,
      property: `${property}.replicas`,
      message: `${replicas} members survive the loss of no more of them than ${replicas - 1} do`,
      accepted: '1, 3, 5, 7',
      fix: `write ${replicas - 1} or ${replicas + 1}`,
    }] : []),
    ...checkSizes(property, options),
    ...checkResources(`${property}.resources`, options.resources),
    ...checkObjectName(`${property}.issuer.name`, options.issuer?.name),
    ...problemIf(MANAGEMENT_RULES.name, `${property}.clusterDomain`, clusterDomain === undefined ? undefined : checkDnsSubdomain(clusterDomain), 'write the domain'),
    ...checkLabelName(`${property}.namespace`, options.namespace),
    ...checkChartOptions(property, options),
    ...checkBackup(`${property}.backup`, options.backup),
    ...(storageClass === undefined || storageClasses === undefined || storageClasses.includes(storageClass) ? [] : [{
      rule: MANAGEMENT_RULES.etcdStorageClass,
      property: `${property}.storageClass`,
      message: `the management cluster has no StorageClass "${storageClass}"`,
      accepted: storageClasses.join(', ') || 'none',
      fix: 'choose one of these, or add the class to storageClasses of the capabilities',
    }]),
  ];
}

function checkSizes(property: string, options: EtcdDataStoreOptions): Problem[] {
  const { size = SIZE } = options;
  const quota = quotaOf(options);
  const rule = MANAGEMENT_RULES.etcdSize;
  if (!isWhole(size)) {
    return [{ rule, property: `${property}.size`, message: `${size.asString()} is not a whole number of MiB above 0`, fix: 'give a size such as Size.gibibytes(10)' }];
  }
  if (mebibytes(quota) >= 1 && mebibytes(quota) <= mebibytes(LARGEST_QUOTA) && mebibytes(quota) < mebibytes(size)) return [];
  return [{
    rule,
    property: `${property}.quota`,
    message: `a database of ${quota.asString()} is not possible in a volume of ${size.asString()}`,
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

function checkBackup(property: string, backup: EtcdBackup | undefined): Problem[] {
  if (backup === undefined) return [];
  if (backup instanceof EtcdBackup) return backup._check(property);
  return [{
    rule: MANAGEMENT_RULES.etcdBackup,
    property,
    message: `${JSON.stringify(backup)} does not say where snapshots are stored`,
    fix: 'write EtcdBackup.s3({ … }) or EtcdBackup.persistentVolumeClaim({ … })',
  }];
}
