import { Size } from 'cdk8s';
import { CatalogueAddon, checkGiven, checkSecretVariables, checkUrl, SecretVariable, secretVariables } from './catalogue-addon';
import { Problem } from '../../../manifests/values/problem';
import { BundledAddonProps } from '../bundled-addon';

/** Targets of the metrics. */
export interface RemoteWrite {
  /** Address that takes the Prometheus remote write protocol, e.g. `https://metrics.example.com/api/v1/write` (`TC-ADDON-URL`). */
  readonly url: string;

  /**
   * Header lines that are sent along, e.g. `X-Scope-OrgID: acme`. No credentials: they would stand in the repository.
   *
   * @default - none
   */
  readonly headers?: string[];
}

/** Options of the VictoriaMetrics agent. */
export interface VictoriaMetricsAgentProps extends BundledAddonProps {
  /** Targets of the metrics, to each of these places (`TC-ADDON-REQUIRED`). */
  readonly remoteWrite: RemoteWrite[];

  /**
   * Labels of every metric.
   *
   * @default - `cluster` and `tenant`: name and namespace of the cluster
   */
  readonly externalLabels?: { [key: string]: string };

  /**
   * Size of a volume for metrics that cannot be sent at the moment.
   *
   * @default - none: they are lost when the agent restarts
   */
  readonly buffer?: Size;

  /**
   * StorageClass of that volume.
   *
   * @default - the tenant's default class
   */
  readonly bufferStorageClass?: string;

  /**
   * Environment variables that hold credentials. The agent reads its flags from variables, too: `VM_remoteWrite_bearerToken` is
   * `-remoteWrite.bearerToken`. They come from Secrets that are in the tenant by other means.
   *
   * @default - none
   */
  readonly credentials?: SecretVariable[];
}

/**
 * The VictoriaMetrics agent, which scrapes nodes, pods and Services and sends the metrics to remote storage. Source:
 * VictoriaMetrics/helm-charts charts/victoria-metrics-agent 0.46.0.
 *
 * @example
 * acme.addAddon(new VictoriaMetricsAgent({
 *   remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write' }],
 *   externalLabels: { cluster: 'acme' },
 * }));
 */
export class VictoriaMetricsAgent extends CatalogueAddon {
  public constructor(props: VictoriaMetricsAgentProps) {
    const { remoteWrite, externalLabels, buffer, bufferStorageClass, credentials } = props;
    super({
      chart: 'victoria-metrics-agent',
      name: 'victoria-metrics-agent',
      namespace: 'monitoring',
      tolerations: { tolerations: [] },
      check: (): Problem[] => [
        ...checkGiven('remoteWrite', remoteWrite, 'give at least one address'),
        ...remoteWrite.flatMap(({ url }, index) => checkUrl(`remoteWrite[${index}].url`, url)),
        ...checkSecretVariables(credentials),
      ],
      values: ({ name, namespace, network }) => ({
        // A StatefulSet keeps its volume through a rollout, where two pods of a Deployment would want it at once.
        mode: buffer ? 'statefulSet' : 'deployment',
        remoteWrite: remoteWrite.map(({ url, headers }) => ({ url, ...(headers && { headers: headers.join('^^') }) })),
        config: { global: { external_labels: externalLabels ?? { cluster: name, tenant: namespace } } },
        persistentVolume: buffer && { enabled: true, size: `${buffer.toMebibytes()}Mi`, storageClassName: bufferStorageClass },
        env: secretVariables(credentials),
        global: { cluster: { dnsDomain: `${network.serviceDomain}.` } },
      }),
    }, props);
  }
}
