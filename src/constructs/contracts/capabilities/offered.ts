import { Finding } from '../../../manifests/values/finding';
import { nearestName } from '../../../manifests/values/nearest-name';

const MOST_LISTED = 12;

/** A list of what a cluster offers. */
export interface Offer {
  /** The cluster that offers it, e.g. `the management cluster`. */
  readonly place: string;
  /** What is offered, in the singular, e.g. `StorageClass`. */
  readonly kind: string;
  /** Property of the capabilities that holds the list. */
  readonly list: string;
  /** The names; undefined where they were not stated. */
  readonly names: readonly string[] | undefined;
}

/** Reports a name that is not among those that a cluster offers; nothing if these are not stated. */
export function checkOffered(name: string | undefined, { place, kind, list, names }: Offer): Finding[] {
  if (name === undefined || names === undefined || names.includes(name)) return [];
  const near = nearestName(name, names);
  return [{
    path: [],
    message: `${place} has no ${kind} "${name}"`,
    accepted: listText(names),
    fix: `${near === undefined ? '' : `write "${near}" if you mean that, or `}${names.length > 0 && near === undefined ? 'choose one of these, or ' : ''}`
      + `add "${name}" to ${list} of the capabilities if it is there`,
  }];
}

/** Names in one line, the first of them where there are many. */
export function listText(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return names.length === 0 ? 'none' : `${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
