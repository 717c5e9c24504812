import { Duration } from 'cdk8s';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';

/** Treatment of the custom resource definitions that a chart brings in its `crds/` folder. */
export enum HelmCrdPolicy {
  /** Created at the first install and replaced at every upgrade. */
  CREATE_REPLACE = 'CreateReplace',

  /** Created at the first install, left alone afterwards; what Helm itself does. */
  CREATE = 'Create',

  /** Never touched. */
  SKIP = 'Skip',
}

/** Reaction to a failed first installation of a release. */
export enum HelmInstallFailurePolicy {
  /**
   * The next try is an upgrade of the failed release: what runs keeps running. An upgrade skips hooks that run at installation only.
   */
  UPGRADE = 'Upgrade',

  /**
   * The failed release is uninstalled and installed again, hooks included; what the chart made is deleted in between. For charts that need
   * hooks which run at installation only (`helm.sh/hook: post-install` without `post-upgrade`), and that keep nothing in the first
   * minutes.
   *
   * With Flux no other remedy is complete: if the values change after the failure, or helm-controller restarts during the installation, it
   * goes on with an upgrade all the same. A state that must not be missing, such as a password, needs a check of its own.
   *
   * `HelmChartProxyDelivery` sets `atomic`: it waits for the objects even if `wait` is false, and rolls a failed upgrade back. Argo CD
   * does not distinguish the two policies: it runs hooks of installation with every sync.
   *
   * Source: fluxcd/helm-controller internal/reconcile/atomic_release.go, v1.6.3; argoproj/argo-cd docs/user-guide/helm.md.
   */
  REINSTALL = 'Reinstall',
}

/** A Helm chart of an exact version, with what it is to be installed as. How it reaches the tenant is the delivery's matter. */
export interface HelmChart {
  /** Name of the chart, e.g. `cert-manager`. For an OCI repository the last part of its address. */
  readonly chart: string;

  /**
   * Repository of the chart: the address of a Helm repository (`https://charts.jetstack.io`), or of an OCI repository without the chart's
   * name (`oci://registry.example.com/charts`); with `gitPath` of a Git repository (`https://github.com/clastix/kamaji`).
   */
  readonly repository: string;

  /** Exact version of the chart, as its repository spells it; of one in a Git repository, the tag. Ranges are refused. */
  readonly chartVersion: string;

  /**
   * Folder of the chart in a Git repository, for a chart that is not packaged, or only under a version that moves. Flux and Argo CD build
   * it, with the charts that it depends on; Cluster API's Helm add-on provider cannot (`TC-DELIVERY-CHART-UNSUPPORTED`).
   *
   * @default - the chart is packaged
   */
  readonly gitPath?: string;

  /** Name of the Helm release in the tenant: a DNS label of at most 53 characters. */
  readonly releaseName: string;

  /** Namespace of the release in the tenant. */
  readonly namespace: string;

  /**
   * Namespace of the tenant in which the record of the release is, for a release that another HelmRelease installed with another
   * `storageNamespace`, or with none: then it is the namespace of that HelmRelease. `FluxDelivery` alone finds it there
   * (`TC-DELIVERY-STORAGE-NAMESPACE`).
   *
   * @default - the namespace of the release
   */
  readonly storageNamespace?: string;

  /**
   * Labels of that namespace, e.g. for pod security. The namespace is then made as a manifest before the chart.
   *
   * @default - none; the delivery makes the namespace when it does not exist
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: { [key: string]: any };

  /**
   * Values that the output does not hold, such as passwords: Secrets and ConfigMaps that the delivery reads, in this order. `FluxDelivery` alone
   * can (`TC-DELIVERY-VALUES-FROM`).
   *
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];

  /**
   * The images that the chart runs; an empty list for none. With an image registry or required digests they must be known
   * (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - what the library knows of the chart in this version
   */
  readonly images?: HelmChartImage[];

  /**
   * Treatment of the chart's custom resource definitions.
   *
   * @default HelmCrdPolicy.CREATE_REPLACE
   */
  readonly crds?: HelmCrdPolicy;

  /**
   * Time that an install or upgrade may take before it counts as failed and is tried again.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * True if the release counts as installed only once its objects are ready.
   *
   * @default - true; with `FluxDelivery` its `wait`
   */
  readonly wait?: boolean;

  /**
   * True if the hooks of the chart run. Argo CD cannot leave them out.
   *
   * @default true
   */
  readonly hooks?: boolean;

  /**
   * Reaction to a failed first installation. A failed upgrade is always tried again as an upgrade.
   *
   * @default HelmInstallFailurePolicy.UPGRADE
   */
  readonly installFailurePolicy?: HelmInstallFailurePolicy;
}

/** Options of a source of values. */
export interface HelmValuesSourceOptions {
  /**
   * Key of the Secret or ConfigMap.
   *
   * @default values.yaml
   */
  readonly key?: string;

  /**
   * Path of the one value that the key holds, with dots between its parts, e.g. `grafana.adminPassword`; `\.` is a dot in the name of a part. The
   * value is taken as text, as it is (`literal`), and wins over `values`. This needs helm-controller 1.6, which Flux 2.9 brings.
   *
   * @default - the key holds a values file, over which `values` win
   */
  readonly targetPath?: string;

  /**
   * True if the chart is installed without these values if the Secret or ConfigMap, or its key, does not exist. Otherwise the chart waits
   * for it.
   *
   * @default false
   */
  readonly optional?: boolean;
}

/**
 * Values of a Helm chart that are not in the output: a Secret or a ConfigMap holds them, in the management cluster, in the namespace of
 * the cluster. A tool for secrets makes it, e.g. external-secrets or Sealed Secrets.
 *
 * `FluxDelivery` reads them. Argo CD, the Cluster API add-on provider for Helm and the Helm command line read values from nowhere but
 * their own objects: with these, name a Secret of the tenant in the values, for which most charts have a key such as `existingSecret`.
 *
 * Rule: `TC-DELIVERY-VALUES-FROM`.
 *
 * @example
 * new HelmAddon('grafana', {
 *   chart: 'grafana',
 *   repository: 'oci://ghcr.io/grafana/helm-charts',
 *   chartVersion: '10.1.4',
 *   namespace: 'grafana',
 *   valuesFrom: [HelmValuesSource.secret('acme-grafana', { key: 'password', targetPath: 'adminPassword' })],
 * });
 */
export class HelmValuesSource {
  /**
   * Values of a ConfigMap.
   *
   * @param name its name
   * @param options which of its keys holds what
   */
  public static configMap(name: string, options: HelmValuesSourceOptions = {}): HelmValuesSource {
    return new HelmValuesSource('ConfigMap', name, options);
  }

  /**
   * Values of a Secret.
   *
   * @param name its name
   * @param options which of its keys holds what
   */
  public static secret(name: string, options: HelmValuesSourceOptions = {}): HelmValuesSource {
    return new HelmValuesSource('Secret', name, options);
  }

  private constructor(
    /** Kind of the object: `ConfigMap` or `Secret`. */
    public readonly kind: string,

    /** Name of the Secret or ConfigMap. */
    public readonly name: string,

    /** Options, with the keys of the values. */
    public readonly options: HelmValuesSourceOptions,
  ) {}
}
