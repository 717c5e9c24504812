import { componentSteps, Surroundings, unknownComponents } from './component-steps';
import { kubernetesSteps, Move } from './kubernetes-steps';
import { raisedObjects } from './raised-objects';
import { LeftCluster, Route, RoutedCluster, RouteStep } from './route-model';
import { StepFindings } from './step-findings';
import { ClusterState } from '../landscape/cluster-model';
import { FoundCluster, knownClusters } from '../landscape/known-clusters';
import { managementClusters } from '../landscape/management-clusters';
import { ManifestState } from '../landscape/manifest-state';
import { compareTexts } from '../landscape/place';
import { ReadObject } from '../landscape/placed-objects';
import { byTarget } from '../landscape/targets';
import { ManifestObject } from '../objects/manifest-object';
import { planObjects } from '../plan/plan-objects';
import { ManifestIndex } from '../rules/manifest-index';
import { KUBERNETES_RELEASES } from '../values/kubernetes-releases';
import { parseSemanticVersion, SemanticVersion } from '../values/semantic-version';

/** The target of a route, and the clusters that it is for. */
export interface RouteOptions {
  /** A version, such as `1.36.3`, or a minor release, such as `1.36`. */
  readonly to: string;

  /**
   * Versions to take for their minor releases.
   *
   * @default - the newest that is known of each
   */
  readonly via?: readonly string[];

  /** True for the clusters that the route is for, by their names and the labels of their Cluster. */
  readonly isChosen?: (cluster: RoutedCluster, labels: ReadonlyMap<string, string>) => boolean;

  /**
   * The label with the ring of a Cluster, and the rings in their order. Clusters of other rings, or of none, come last.
   *
   * @default - all clusters go together
   */
  readonly rings?: { readonly label: string; readonly names: readonly string[] };

  /**
   * CustomResourceDefinitions of kinds, beside those among the objects.
   *
   * @default - none
   */
  readonly definitions?: readonly unknown[];
}

/** Minor release of `1.36` and `1.36.3`, with or without `v`; undefined for other texts. */
export function minorIn(text: string): number | undefined {
  const [, minor] = /^v?1\.(0|[1-9]\d?)(?:\.\d+)?$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/**
 * The commits that bring clusters to a version of Kubernetes, minor by minor: releases of components that must come first, and for each step what
 * rules find in the manifests then, and what happens to machines.
 *
 * @param state all manifests
 */
export function routeTo(state: ManifestState, options: RouteOptions): Route {
  const parts = managementClusters([state]).map(({ name, states: [own] }) => new ManagementRoute(own, name, options).route());
  return {
    target: options.to.replace(/^v/, ''),
    steps: parts.flatMap(({ steps }) => steps),
    arrived: parts.flatMap(({ arrived }) => arrived),
    left: parts.flatMap(({ left }) => left),
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
  };
}

/** A cluster that is on the route. */
interface Traveller {
  found: FoundCluster;
  readonly named: RoutedCluster;
  readonly labels: ReadonlyMap<string, string>;
  version: SemanticVersion;
}

/** The route of the clusters of one management cluster. Of each step, the manifests are those that the former ones have left. */
class ManagementRoute {
  private readonly steps: RouteStep[] = [];
  private readonly arrived: RoutedCluster[] = [];
  private readonly left: LeftCluster[] = [];
  private readonly notes = new Map<string, string>();
  private readonly releases = new Map<string, string>();
  private readonly findings: StepFindings;
  private readonly management: Pick<RoutedCluster, 'managementCluster'>;
  private objects: readonly ReadObject[];

  public constructor(state: ManifestState, managementCluster: string | undefined, private readonly options: RouteOptions) {
    this.management = managementCluster === undefined ? {} : { managementCluster };
    this.objects = state.objects;
    this.findings = new StepFindings(options.definitions);
  }

  public route(): Omit<Route, 'target'> {
    const target = minorIn(this.options.to)!;
    const travellers = this.travellers(target);
    const first = Math.min(...travellers.map(({ version }) => version.minor), target);
    for (let minor = first; minor <= target; minor++) {
      const moving = travellers.filter((one) => !this.isLeft(one) && this.goes(one, minor, target));
      if (moving.length > 0) this.raise(moving, minor);
    }
    return { steps: this.steps, arrived: this.arrived, left: this.left, notes: [...this.notes.values()] };
  }

  /** The chosen clusters that can go, in the order of their names. */
  private travellers(target: number): Traveller[] {
    const found = [...this.known().values()].filter(({ facts }) => facts)
      .sort((one, other) => compareTexts(one.namespace ?? '', other.namespace ?? '') || compareTexts(one.name, other.name));
    return found.flatMap((cluster) => {
      const named = { ...this.management, namespace: cluster.namespace, name: cluster.name };
      const { version: text, labels, state } = cluster.facts!;
      if (this.options.isChosen?.(named, labels) === false) return [];
      const version = text === undefined ? undefined : parseSemanticVersion(text);
      const why = version ? reasonToStay(state, version, target) : unreadableWords(text);
      if (why !== undefined) {
        this.left.push({ ...named, ...(text !== undefined && { version: text }), why });
        return [];
      }
      if (this.isThere(version!, target)) {
        this.arrived.push(named);
        return [];
      }
      return [{ found: cluster, named, labels, version: version! }];
    });
  }

  private isThere({ minor, patch }: SemanticVersion, target: number): boolean {
    const wanted = parseSemanticVersion(this.options.to);
    return minor === target && (wanted === undefined || patch >= wanted.patch);
  }

  private goes({ version }: Traveller, minor: number, target: number): boolean {
    return version.minor === minor - 1 || (minor === target && version.minor === minor && !this.isThere(version, target));
  }

  private isLeft({ named }: Traveller): boolean {
    return this.left.some((one) => one.namespace === named.namespace && one.name === named.name);
  }

  private versionFor(minor: number): string | undefined {
    const { to, via = [] } = this.options;
    const exact = [to, ...via].find((text) => parseSemanticVersion(text) && minorIn(text) === minor);
    return (exact ?? KUBERNETES_RELEASES.find((release) => minorIn(release) === minor))?.replace(/^v/, '');
  }

  private managementObjects(): ManifestObject[] {
    return (byTarget(this.objects).get(undefined) ?? []).map(({ object }) => object);
  }

  private known(): Map<string, FoundCluster> {
    const objects = this.managementObjects();
    return knownClusters(objects, new ManifestIndex(objects));
  }

  private raise(moving: readonly Traveller[], minor: number): void {
    const version = this.versionFor(minor);
    const leave = (clusters: readonly Traveller[], why: string) => clusters.forEach(({ named, version: { major, minor: own, patch } }) => {
      this.left.push({ ...named, version: `v${major}.${own}.${patch}`, why });
    });
    if (version === undefined) {
      leave(moving, `no release of Kubernetes 1.${minor} is known: name it with --via`);
      return;
    }
    const around = this.surroundings(moving);
    const { steps, blocked } = componentSteps(around, minor, this.releases);
    unknownComponents(around, minor).forEach(([about, note]) => this.notes.set(about, note));
    const going = moving.filter(({ found }) => !blocked.has(found.object!));
    for (const one of moving) {
      const why = blocked.get(one.found.object!);
      if (why !== undefined) leave([one], why);
    }
    if (going.length === 0) return;
    this.steps.push(...steps.map((step) => ({ ...step, ...this.management })));
    steps.forEach(({ title, to }) => this.releases.set(title, to));
    const raised = raisedObjects(this.objects, new Map(going.map(({ found }) => [found.object!, version])), around.index);
    const findings = this.findings.next(this.objects, raised, around.limiting.map(({ tenants }) => tenants.rule.id));
    const changes = planObjects({ objects: this.objects }, { objects: raised }, undefined, this.options.definitions);
    const moves = going.map(({ named, labels, version: former }): Move => ({ named, labels, from: `${former.major}.${former.minor}.${former.patch}` }));
    this.steps.push(...kubernetesSteps(moves, { version, findings, changes, rings: this.options.rings }));
    this.objects = raised;
    this.update(going, version);
  }

  /** The clusters as they are after a step: their objects are others. */
  private update(clusters: readonly Traveller[], version: string): void {
    const known = [...this.known().values()];
    for (const one of clusters) {
      const now = known.find(({ namespace, name }) => namespace === one.found.namespace && name === one.found.name);
      one.version = parseSemanticVersion(version)!;
      one.found = now ?? one.found;
    }
  }

  private surroundings(moving: readonly Traveller[]): Surroundings {
    const all = [...this.known().values()].flatMap(({ object }) => (object ? [object] : []));
    return new Surroundings(this.managementObjects(), moving.map(({ found }) => found.object!), all);
  }
}

function unreadableWords(version: string | undefined): string {
  return version === undefined ? 'its version is not in these manifests' : `its version ${JSON.stringify(version)} is no release of Kubernetes`;
}

function reasonToStay(state: ClusterState, { major, minor, suffix }: SemanticVersion, target: number): string | undefined {
  if (state === ClusterState.PAUSED) return 'it is paused, and takes no step until it is resumed';
  if (state === ClusterState.DELETING) return 'it is being deleted';
  if (major !== 1 || suffix !== '') return 'its version is no release of Kubernetes 1';
  return minor > target ? 'it is newer, and control planes do not go back' : undefined;
}
