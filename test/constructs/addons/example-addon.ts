import { Chart } from 'cdk8s';
import { TypedApiObject } from '../../../src/constructs/app/synth/typed-api-object';
import { Addon, AddonConfig } from '../../../src/constructs/contracts/addon';
import { HelmChart } from '../../../src/constructs/contracts/helm-chart';

/** Properties of an example addon. */
export interface ExampleAddonProps {
  readonly provides?: string[];
  readonly requires?: string[];
  readonly conflictsWith?: string[];
  readonly after?: Addon[];
  readonly charts?: HelmChart[];
  readonly chartsFirst?: boolean;
  /** Names of ConfigMaps in its manifests. */
  readonly configMaps?: string[];
}

/** A third party's addon, in a page. */
export class ExampleAddon extends Addon {
  public override readonly provides: string[];
  public override readonly requires: string[];
  public override readonly conflictsWith: string[];
  public override readonly after: Addon[];

  public constructor(public readonly name: string, private readonly props: ExampleAddonProps = {}) {
    super();
    this.provides = props.provides ?? [];
    this.requires = props.requires ?? [];
    this.conflictsWith = props.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  public bind(tenant: Chart): AddonConfig {
    this.props.configMaps?.forEach((name) => new TypedApiObject(tenant, name, { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name } }));
    return { charts: this.props.charts, chartsFirst: this.props.chartsFirst };
  }
}

/** A chart of that release name. */
export function exampleChart(releaseName: string, props: Partial<HelmChart> = {}): HelmChart {
  return { chart: releaseName, repository: 'https://charts.example.com', chartVersion: '1.0.0', releaseName, namespace: 'example', ...props };
}
