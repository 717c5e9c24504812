import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { appSource } from './app-source';
import { FluxDeliveryProps } from './flux-delivery-props';
import { contentHash } from '../../../manifests/values/content-hash';
import { shortenName } from '../../../manifests/values/object-name';
import { placePart, sharedChart } from '../../app/synth/output-place';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { DELIVERY_NAMESPACE } from '../delivery-namespace';

const HASH_DIGITS = 8;
const NAME_MAX_LENGTH = 63;

/**
 * The sources that the tenants of an app share: one for each version of a chart, since a new object is read at once, and the index of a known
 * repository only after its interval. Each is in a file of its own, so that clusters that change at a time change no common file.
 */
export class SharedSources {
  /**
   * Sources for a cluster; undefined where it needs sources of its own: no entry points apply shared ones, the mode of Flux forbids references
   * to another namespace, it changes in windows only, and would miss a source that no commit needs any more, or it is the management cluster,
   * whose sources are in one namespace anyway.
   */
  public static for(scope: Construct, { kubeconfigs, changeWindows }: DeliveryTarget, { mode }: FluxDeliveryProps): SharedSources | undefined {
    const source = appSource(scope);
    if (!source || !kubeconfigs || changeWindows || mode?.serviceAccountName !== undefined) return undefined;
    return new SharedSources(scope, source.namespace ?? DELIVERY_NAMESPACE, { name: source.name, path: source.path ?? '' });
  }

  private constructor(private readonly scope: Construct, public readonly namespace: string, private readonly output: object) {}

  /**
   * Returns the name of a source, which is made for the first delivery that asks for it.
   *
   * @param readable what people recognize it by
   * @param spec everything that it depends on
   * @param make makes the objects; they have the name of the source
   */
  public share(readable: string, spec: object, make: (scope: Construct, name: string) => void): string {
    // Two apps that one Flux applies do not delete the sources of each other.
    const hash = contentHash({ output: this.output, spec }, HASH_DIGITS);
    const name = `${sourceName(readable, NAME_MAX_LENGTH - HASH_DIGITS - 1)}-${hash}`;
    const chart = sharedChart(this.scope, 'sources', (app, id) => new Chart(app, id, { namespace: this.namespace, disableResourceNameHashes: true }));
    if (!chart.node.tryFindChild(name)) make(placePart(new Construct(chart, name), name), name);
    return name;
  }
}

/** A name that people recognize, of at most some characters. */
export function sourceName(readable: string, length: number): string {
  return shortenName(readable.toLowerCase().replace(/[^a-z0-9]+/g, '-'), length).replace(/^-+|-+$/g, '');
}
