import { ComponentStep } from './route-model';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { versionField } from '../rules/cluster-api/version-field';
import { ComponentFacts, TenantKubernetes } from '../rules/components';
import { ManifestIndex } from '../rules/manifest-index';
import { partOf } from '../rules/references/object-references';
import { firstReleaseFor, isUnreadRelease, newestMinor, tenantMinors } from '../rules/tenant-kubernetes';
import { components, installedVersions } from '../validation/installed-components';
import { stringAt } from '../values/fields';
import { parseSemanticVersion } from '../values/semantic-version';

type Limiting = ComponentFacts & { readonly tenants: TenantKubernetes };

const MOST_NAMED = 3;

/** A management cluster before a step, and the clusters that take it. */
export class Surroundings {
  public readonly index: ManifestIndex;

  /** The components that limit the Kubernetes of these clusters. */
  public readonly limiting: readonly Limiting[];

  /**
   * @param management the objects of the management cluster
   * @param moving the clusters that take the step: their Cluster, or the control plane that is one
   * @param all all clusters
   */
  public constructor(
    management: readonly ManifestObject[], private readonly moving: readonly ManifestObject[], private readonly all: readonly ManifestObject[],
  ) {
    this.index = new ManifestIndex(management);
    this.limiting = components().filter((component): component is Limiting => (
      component.tenants !== undefined && this.concernedBy(component.tenants).length > 0));
  }

  /** The clusters among those that take the step, whose Kubernetes a component limits. */
  public concernedBy({ kinds }: TenantKubernetes): readonly ManifestObject[] {
    return this.moving.filter((cluster) => this.partsOf(cluster).some((part) => kinds.includes(groupKind(part))));
  }

  /** Names of clusters with a minor release before another. */
  public olderThan(minor: number): readonly string[] {
    return this.all.filter((cluster) => this.partsOf(cluster).some((part) => (
      (parseSemanticVersion(stringAt(part, ...versionField(part)) ?? '')?.minor ?? Infinity) < minor)))
      .map((cluster) => [namespaceOf(cluster), nameOf(cluster)].filter((name) => name !== undefined).join('/'));
  }

  private partsOf(cluster: ManifestObject): ManifestObject[] {
    const plane = partOf(cluster, 'controlPlaneRef', this.index);
    return plane ? [cluster, plane] : [cluster];
  }
}

/** Upgrades of components before a step. */
interface ComponentSteps {
  readonly steps: readonly ComponentStep[];

  /** Clusters that cannot take the step, and why. */
  readonly blocked: ReadonlyMap<ManifestObject, string>;
}

/**
 * The components that go to another release before clusters get a minor release of Kubernetes.
 *
 * @param releases releases that former steps have brought, by component
 */
export function componentSteps(around: Surroundings, minor: number, releases: ReadonlyMap<string, string>): ComponentSteps {
  const steps: ComponentStep[] = [];
  const blocked = new Map<ManifestObject, string>();
  for (const component of around.limiting) {
    const from = releaseOf(component, around.index, releases);
    const newest = from === undefined ? undefined : newestMinor(component.tenants, from);
    if (from === undefined || newest === undefined || minor <= newest) continue;
    const to = firstReleaseFor(component.tenants, minor);
    if (to === undefined) {
      const why = `no release of ${component.title} up to ${component.tenants.lastRead} works with Kubernetes 1.${minor}`;
      around.concernedBy(component.tenants).forEach((cluster) => blocked.set(cluster, why));
    } else {
      steps.push(componentStep(component, { from, to }, minor, around));
    }
  }
  return { steps, blocked };
}

function releaseOf({ title }: ComponentFacts, index: ManifestIndex, releases: ReadonlyMap<string, string>): string | undefined {
  const installed = installedVersions(index).get(title) ?? [];
  return releases.get(title) ?? (installed.length === 1 ? installed[0] : undefined);
}

function componentStep(
  { title, tenants, upgrades, effects }: Limiting, upgrade: { readonly from: string; readonly to: string }, minor: number, around: Surroundings,
): ComponentStep {
  const fault = upgrades?.faultOf(upgrade);
  const oldest = tenantMinors(tenants, upgrade.to)?.oldest;
  const behind = oldest === undefined ? [] : around.olderThan(oldest);
  const effect = effects?.(upgrade, around.index);
  return {
    step: 'component',
    title,
    ...upgrade,
    neededFor: `1.${minor}`,
    ...(effect && { effect }),
    first: [
      ...(fault ? [`${fault.message}: ${fault.fix}`] : []),
      ...(behind.length > 0 ? [`it works with Kubernetes from 1.${oldest} on: raise ${named(behind)} first`] : []),
    ],
  };
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Sentences about components whose release is not among the manifests, or not known, and that a minor release of Kubernetes may need another one of,
 * by what they are about: of a later step, one takes the place of that of an earlier one.
 */
export function unknownComponents(around: Surroundings, minor: number): (readonly [about: string, sentence: string])[] {
  return around.limiting.flatMap(({ title, tenants }) => {
    const installed = installedVersions(around.index).get(title) ?? [];
    if (installed.length === 1 && (newestMinor(tenants, installed[0]) !== undefined || isUnreadRelease(tenants, installed[0]))) return [];
    const [oldest] = tenants.releases.slice(-1);
    if (minor <= oldest.newest) return [];
    const first = firstReleaseFor(tenants, minor);
    const known = installed.length === 0 ? `the release of ${title} is not among the manifests` : `${title} is installed as ${installed.join(' and ')}`;
    return [first === undefined ? [`limit of ${title}`, `${known}, and no release up to ${tenants.lastRead} works with Kubernetes 1.${minor}`]
      : [`release of ${title}`, `${known}: Kubernetes 1.${minor} needs ${first} or newer`]];
  });
}
