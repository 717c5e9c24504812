import { ManifestIndex } from './manifest-index';
import { ManifestObject } from '../objects/manifest-object';
import { AddressRange } from '../values/address-ranges';
import { FieldPath } from '../values/fields';

/** A pool of addresses, as an object states it. */
export interface AddressPoolFacts {
  /** Kind of the pool, as `group/Kind`. */
  readonly kind: string;
  readonly name: string;

  /** Its namespace; undefined if it has none. */
  readonly namespace?: string;

  /** The field of the object with the addresses. */
  readonly path: FieldPath;

  /** Addresses that it gives away; undefined if they cannot be read. */
  readonly ranges?: readonly AddressRange[];

  /** Receivers of the addresses, if not machines: such as `Services`. */
  readonly receivers?: string;
}

/** A reference of a machine template to a pool of addresses. */
export interface AddressPoolUse {
  /** Kind of the pool, as `group/Kind`. */
  readonly kind: string;
  readonly name: string;

  /** The field of the template. */
  readonly path: FieldPath;

  /** Number of addresses that each machine takes. */
  readonly each: number;
}

/** The pools that an object is, or that a controller makes of it. */
export type AddressPoolsOf = (object: ManifestObject) => readonly AddressPoolFacts[];

/** The pools that each machine of a template takes addresses from. */
export type AddressUsesOf = (template: ManifestObject, index: ManifestIndex) => readonly AddressPoolUse[];
