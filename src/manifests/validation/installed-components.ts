import { groupKind, groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { Effect } from '../rules/changes/effects';
import { ComponentFacts, ComponentUpgrade, UpgradeEffect } from '../rules/components';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, imageFacts, ofProviders, providers } from '../systems/providers';
import { FieldPath, listAt, matchingPaths, objectsAt, stringAt } from '../values/fields';
import { parseImageReference } from '../values/image-reference';

/** A component of a management cluster that an object installs, in the version that it states. */
export interface InstalledComponent {
  readonly component: ComponentFacts;
  readonly version: string;

  /** The field that states the version. */
  readonly path: FieldPath;
}

/** A component whose version differs between two states, and the field that states the later one. */
export interface ChangedComponent extends ComponentUpgrade, Pick<InstalledComponent, 'component' | 'path'> {}

const PROVIDERS = 'operator.cluster.x-k8s.io';
const KUSTOMIZATION = 'kustomize.config.k8s.io/Kustomization';
const WORKLOADS: readonly string[] = ['apps/DaemonSet', 'apps/Deployment', 'apps/StatefulSet'];
const CONTAINERS = ['spec', 'template', 'spec', 'containers'] as const;

/** Kinds of objects that may install a component, as `group/Kind`. */
export function installingKinds(): string[] {
  return [
    ...providers().flatMap(({ kinds, deliveries = [] }) => [
      ...kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith(`${PROVIDERS}/`)),
      ...deliveries.filter(({ installsChart }) => installsChart).map(({ kind }) => kind),
    ]),
    ...components().flatMap(({ fields = {} }) => Object.keys(fields)),
    ...WORKLOADS, KUSTOMIZATION,
  ];
}

/** All known components. */
export const components = ofProviders((all): readonly ComponentFacts[] => all.flatMap((provider) => provider.components ?? []));

/** The components, and how the names of their images end. */
const WITH_IMAGES = ofProviders(() => components().map((component) => ({ component, ends: imagesOf(component) })));

/**
 * Returns the components that an object installs in the management cluster: as a provider of the Cluster API Operator, a chart, an address of a
 * release that kustomize fetches, or the image of a controller.
 *
 * @param object the object
 * @param index everything that is written, to look sources of charts up in
 */
export function componentsIn(object: ManifestObject, index: ManifestIndex): InstalledComponent[] {
  const kind = groupKind(object);
  if (groupOf(object) === PROVIDERS) return providerIn(object);
  if (kind === KUSTOMIZATION) return releasesIn(object);
  if (WORKLOADS.includes(kind)) return controllersIn(object);
  if (deliveryFacts(object)?.installsChart) return chartsIn(object, index);
  return components().flatMap((component) => {
    const path = component.fields?.[kind];
    const version = path && stringAt(object, ...path);
    return path === undefined || version === undefined ? [] : [{ component, version, path }];
  });
}

/** A provider that no system describes has its kind and name for a title. */
function providerIn(object: ManifestObject): InstalledComponent[] {
  const version = stringAt(object, 'spec', 'version');
  if (version === undefined) return [];
  const [kind, name] = [String(object.kind), nameOf(object) ?? ''];
  const component = components().find(({ providers: own = [] }) => own.some((provider) => provider.kind === kind && provider.name === name));
  return [{ component: component ?? { title: `${kind} ${name}`, effects: otherProviderEffect }, version, path: ['spec', 'version'] }];
}

function otherProviderEffect(): UpgradeEffect {
  return { effect: Effect.UNKNOWN, notes: ['what this provider does to machines in another release is not known'] };
}

function releasesIn(object: ManifestObject): InstalledComponent[] {
  return listAt(object, 'resources').flatMap((address, index) => {
    const path = ['resources', index];
    return components().flatMap((component) => releaseOf(component, address).map((version) => ({ component, version, path })));
  });
}

function releaseOf({ releases = [] }: ComponentFacts, address: unknown): string[] {
  return releases.filter((start) => typeof address === 'string' && address.startsWith(start))
    .map((start) => (address as string).slice(start.length).split('/')[0]).filter((version) => version !== '');
}

/** True if kustomize fetches an address that is a release of a known component. */
export function isComponentRelease(address: unknown): boolean {
  // Lists of kustomize are long, and name files.
  return typeof address === 'string' && address.includes('//') && components().some((component) => releaseOf(component, address).length > 0);
}

function controllersIn(object: ManifestObject): InstalledComponent[] {
  return objectsAt(object, ...CONTAINERS).flatMap(([container, index]) => {
    const { name, tag } = parseImageReference(stringAt(container, 'image') ?? '') ?? {};
    if (name === undefined || tag === undefined) return [];
    return WITH_IMAGES().filter(({ ends }) => ends.some((end) => name === end || name.endsWith(`/${end}`)))
      .map(({ component }) => ({ component, version: tag, path: [...CONTAINERS, index, 'image'] }));
  });
}

/** Images of the controllers of a component; those of providers without the registry's host, which a mirror replaces. */
function imagesOf({ images = [], providers: own = [] }: ComponentFacts): string[] {
  return [...images, ...own.map(({ image }) => image.slice(image.indexOf('/') + 1))];
}

/** A chart that an object installs in the management cluster. */
interface InstalledChart {
  readonly name: string;
  readonly version?: string;

  /** The fields that hold its values. */
  readonly values: readonly FieldPath[];
}

/** The chart that an object installs in the management cluster; undefined if it installs none, or in a tenant. */
export function chartInstalledBy(object: ManifestObject, index: ManifestIndex): InstalledChart | undefined {
  const facts = deliveryFacts(object);
  if (!facts?.installsChart || !facts.read || facts.isForTenant(object)) return undefined;
  const { chart, path: folder, version } = facts.read(object, index);
  // A chart of a Git repository is a folder.
  const name = (chart ?? folder)?.split('/').at(-1);
  const values = imageFacts(object).flatMap(({ chartValues = [] }) => chartValues).flatMap((pattern) => matchingPaths(object, pattern));
  return name === undefined ? undefined : { name, version, values };
}

function chartsIn(object: ManifestObject, index: ManifestIndex): InstalledComponent[] {
  const installed = chartInstalledBy(object, index);
  if (!installed) return [];
  const { name, version, values } = installed;
  return components().filter(({ charts = {} }) => Object.hasOwn(charts, name)).flatMap((component) => {
    const override = component.charts![name];
    const set = override ? values.map((path) => [...path, ...override]).find((path) => stringAt(object, ...path) !== undefined) : undefined;
    const stated = set ? stringAt(object, ...set) : version;
    return stated === undefined ? [] : [{ component, version: stated, path: set ?? ['spec'] }];
  });
}

const INSTALLED = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly string[]>>();

/** Versions of each component that is installed, by title. */
export function installedVersions(index: ManifestIndex): ReadonlyMap<string, readonly string[]> {
  const known = INSTALLED.get(index);
  if (known) return known;
  const found = new Map<string, string[]>();
  for (const object of installingKinds().flatMap((kind) => index.all(kind))) {
    for (const { component: { title }, version } of componentsIn(object, index)) {
      const versions = found.get(title) ?? [];
      if (!versions.includes(version)) found.set(title, [...versions, version]);
    }
  }
  INSTALLED.set(index, found);
  return found;
}

/**
 * Returns the components of an object whose version differs. The former version is that of the object before, else the only one that was
 * installed: what was fetched from an address may be a file now.
 *
 * @param before the object before, if it was there
 * @param after the object now
 * @param old everything that was written before
 * @param now everything that is written now
 */
export function changedComponents(
  before: ManifestObject | undefined, after: ManifestObject, old: ManifestIndex, now: ManifestIndex,
): ChangedComponent[] {
  const installed = componentsIn(after, now);
  if (installed.length === 0) return [];
  const former = before ? componentsIn(before, old) : [];
  return installed.flatMap(({ component, version, path }) => {
    const all = installedVersions(old).get(component.title) ?? [];
    const from = former.find((one) => one.component.title === component.title)?.version ?? (all.length === 1 ? all[0] : undefined);
    return from === undefined || from === version ? [] : [{ component, from, to: version, path }];
  });
}
