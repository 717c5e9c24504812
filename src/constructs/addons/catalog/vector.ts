import { CatalogueAddon, checkGiven, checkSecretVariables, SecretVariable, secretVariables } from './catalogue-addon';
import { BundledAddonProps } from '../bundled-addon';

/** Options of Vector. */
export interface VectorProps extends BundledAddonProps {
  /**
   * Targets of the logs: Vector's sinks by name, in the notation of its configuration. The chart reads Helm's templates in it: write
   * Vector's own `{{ field }}` as `{{ print "{{ field }}" }}`.
   *
   * Rule: `TC-ADDON-REQUIRED`.
   */
  readonly sinks: { [name: string]: any };

  /**
   * Processing of the logs: Vector's transforms by name.
   *
   * @default - nothing
   */
  readonly transforms?: { [name: string]: any };

  /**
   * Sources of the logs: Vector's sources by name.
   *
   * @default - `kubernetes_logs`, the logs of all containers
   */
  readonly sources?: { [name: string]: any };

  /**
   * Environment variables that hold credentials for the sinks, which refer to them as `${NAME}`. They come from Secrets that are in the
   * tenant by other means.
   *
   * @default - none
   */
  readonly credentials?: SecretVariable[];
}

/**
 * Vector on every node, which sends the logs of containers to remote storage. It tolerates all taints. Source: vectordotdev/helm-charts
 * charts/vector 0.56.0.
 *
 * @example
 * acme.addAddon(new Vector({
 *   sinks: {
 *     loki: {
 *       type: 'loki',
 *       inputs: ['kubernetes_logs'],
 *       endpoint: 'https://loki.example.com',
 *       encoding: { codec: 'json' },
 *       labels: { cluster: 'acme' },
 *     },
 *   },
 * }));
 */
export class Vector extends CatalogueAddon {
  public constructor(props: VectorProps) {
    const { sinks, transforms, sources, credentials } = props;
    super({
      chart: 'vector',
      name: 'vector',
      namespace: 'logging',
      privileged: true,
      tolerations: {},
      check: () => [
        ...checkGiven('sinks', Object.keys(sinks), 'give at least one sink'),
        ...checkSecretVariables(credentials),
      ],
      values: () => ({
        role: 'Agent',
        tolerations: [{ operator: 'Exists' }],
        // It takes the place of the chart's whole configuration.
        customConfig: { data_dir: '/vector-data-dir', sources: sources ?? { kubernetes_logs: { type: 'kubernetes_logs' } }, transforms, sinks },
        // Nothing listens.
        service: { enabled: false },
        serviceHeadless: { enabled: false },
        env: secretVariables(credentials),
      }),
    }, props);
  }
}
