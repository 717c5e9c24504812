import { Manifest } from '../support/clusters';

/** A pod that an object describes. */
export interface Pod {
  /** Where in the object it stands. */
  readonly path: string;
  readonly spec: Manifest;
}

/** A container of such a pod. */
export interface Container {
  readonly path: string;
  readonly pod: Manifest;
  readonly container: Manifest;
}

/** The pods of an object of whatever kind: whatever has containers with images. */
export function podsIn(value: unknown, path = ''): Pod[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = isPod(value) ? [{ path, spec: value }] : [];
  return [...found, ...Object.entries(value).flatMap(([key, below]) => podsIn(below, path ? `${path}.${key}` : key))];
}

/** All containers of an object, those that start before the others among them. */
export function containersIn(object: Manifest): Container[] {
  return podsIn(object).flatMap(({ path, spec }) => ['initContainers', 'containers'].flatMap((list) => (
    (spec[list] ?? []).map((container: Manifest) => ({ path: `${path}.${list}[${container.name}]`, pod: spec, container })))));
}

function isPod(value: object): boolean {
  const { containers } = value as Manifest;
  return Array.isArray(containers) && containers.some((container) => typeof container?.image === 'string');
}
