import { Place } from './listed-cluster';

const MOST_NAMED = 10;

/** The part of a cluster that a message needs to name it. */
export interface NamedCluster {
  readonly name: string;
  readonly _place: Place;
}

/** Name and place of a cluster, for a message. */
export function nameText({ name, _place: place }: NamedCluster): string {
  return `"${name}" (${place()})`;
}

/** Lists the first clusters for a message, and counts the rest. */
export function namesText(clusters: readonly NamedCluster[]): string {
  return cutText(clusters, nameText);
}

/** Lists the first items for a message, and counts the rest. */
export function cutText<T>(things: readonly T[], textOf: (thing: T) => string): string {
  const named = things.slice(0, MOST_NAMED).map(textOf);
  const more = things.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return [...named.slice(0, -2), named.slice(-2).join(' and ')].join(', ');
}
