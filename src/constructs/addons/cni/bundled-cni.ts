import { Cni } from './cni';
import { Addon } from '../../contracts/addon';
import { BundledAddonProps } from '../bundled-addon-props';

/**
 * The base of the pod networks of the library.
 *
 * @internal a hidden base class: to jsii, they extend `Cni`
 */
export abstract class BundledCni extends Cni {
  /** Name of the addon. */
  public readonly name: string;

  /** Addons that this one is installed after. */
  public override readonly after: Addon[];

  protected constructor(usualName: string, props: BundledAddonProps) {
    super();
    this.name = props.name ?? usualName;
    this.after = props.after ?? [];
  }
}
