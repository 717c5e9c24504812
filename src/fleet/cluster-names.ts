import { Place } from './listed-cluster';

const MOST_NAMED = 10;

/** A cluster, as far as a message names it. */
export interface NamedCluster {
  readonly name: string;
  readonly _place: Place;
}

/** A cluster and where it stands, for a message. */
export function nameText({ name, _place: place }: NamedCluster): string {
  return `"${name}" (${place()})`;
}

/** Clusters for a message: the first ones, and how many more there are. */
export function namesText(clusters: readonly NamedCluster[]): string {
  return cutText(clusters, nameText);
}

/** Things for a message: the first ones, and how many more there are. */
export function cutText<T>(things: readonly T[], textOf: (thing: T) => string): string {
  const named = things.slice(0, MOST_NAMED).map(textOf);
  const more = things.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return [...named.slice(0, -2), named.slice(-2).join(' and ')].join(', ');
}
