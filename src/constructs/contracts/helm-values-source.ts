
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
    /** What holds the values: `ConfigMap` or `Secret`. */
    public readonly kind: string,

    /** Name of the Secret or ConfigMap. */
    public readonly name: string,

    /** Which of its keys holds what. */
    public readonly options: HelmValuesSourceOptions,
  ) {}
}
