import { CatalogueAddon, checkGiven, checkSecretVariables, SecretVariable, secretVariables } from './catalogue-addon';
import { BundledAddonProps } from '../bundled-addon';

/** Options of Fluent Bit. */
export interface FluentBitProps extends BundledAddonProps {
  /**
   * Targets of the logs: the `[OUTPUT]` sections of Fluent Bit's classic configuration, as text. Credentials are referred to as `${NAME}`,
   * see
   * `credentials`. The chart reads Helm's templates in it (`TC-ADDON-REQUIRED`).
   */
  readonly outputs: string;

  /**
   * Processing of the logs: the `[FILTER]` sections, as text.
   *
   * @default - the chart's: name, labels and annotations of the pod are added
   */
  readonly filters?: string;

  /**
   * Environment variables that hold credentials for the outputs. They come from Secrets that are in the tenant by other means.
   *
   * @default - none
   */
  readonly credentials?: SecretVariable[];
}

/**
 * Fluent Bit on every node, which sends the logs of containers to remote storage. It tolerates all taints. Source: fluent/helm-charts
 * charts/fluent-bit 0.58.1.
 *
 * @example
 * acme.addAddon(new FluentBit({
 *   outputs: '[OUTPUT]\n    Name loki\n    Match *\n    Host loki.example.com\n',
 * }));
 */
export class FluentBit extends CatalogueAddon {
  public constructor(props: FluentBitProps) {
    const { outputs, filters, credentials } = props;
    super({
      chart: 'fluent-bit',
      name: 'fluent-bit',
      namespace: 'logging',
      privileged: true,
      tolerations: {},
      check: () => [
        ...checkGiven('outputs', outputs.trim(), 'give at least one [OUTPUT] section'),
        ...checkSecretVariables(credentials),
      ],
      values: () => ({
        kind: 'DaemonSet',
        tolerations: [{ operator: 'Exists' }],
        config: { outputs, filters },
        env: secretVariables(credentials),
      }),
    }, props);
  }
}
