import { clusterPicture, managementPicture } from './cluster-picture';
import { Names, Picture, PlannedChange } from './picture';
import { LandscapePlan } from './planned-landscape';
import { Cluster, Landscape } from '../../manifests/landscape/cluster-model';
import { nearestName } from '../../manifests/values/nearest-name';
import { CommandError } from '../command';

/** Choice of pictures: every cluster unless one is named. */
export interface Choice {
  readonly cluster?: string;

  /** True if only the management cluster's own deliveries are drawn. */
  readonly management: boolean;
}

/** A picture of a cluster, or of the management cluster. */
export interface DrawnPicture {
  readonly picture: Picture;

  /**
   * Its change by the plan.
   *
   * @default - no plan is drawn
   */
  readonly change?: PlannedChange;
}

/** A picture of a cluster. */
export interface DrawnCluster extends DrawnPicture {
  readonly cluster: Cluster;
}

/** The pictures that are asked for, and what they show. */
export interface Chosen {
  readonly clusters: readonly DrawnCluster[];

  /** Objects of no cluster; undefined if all belong to clusters. */
  readonly management?: DrawnPicture;
  readonly landscape: Landscape;
}

/** All pictures, in their order. */
export function picturesOf({ clusters, management }: Chosen): readonly DrawnPicture[] {
  return management ? [...clusters, management] : clusters;
}

/**
 * Draws what is asked for. Throws a `CommandError` for a cluster that is not there.
 *
 * @param plan what becomes of it, if a plan is drawn
 */
export function chosenPictures({ clusters, otherAddons }: Landscape, { cluster, management }: Choice, plan?: LandscapePlan): Chosen {
  const names = new Names();
  const drawn = management ? [] : chosenClusters(clusters, cluster);
  const others = cluster === undefined ? otherAddons : [];
  const changes = plan?.ofManagement();
  const hasManagement = cluster === undefined && (others.length > 0 || (changes && changes.change !== PlannedChange.UNCHANGED));
  return {
    clusters: drawn.map((one) => {
      const planned = plan?.of(one);
      return { cluster: one, picture: clusterPicture(one, names.of(one.id), planned), ...(planned && { change: planned.change }) };
    }),
    ...(hasManagement && {
      management: { picture: managementPicture(others, names.of('management cluster'), changes), ...(changes && { change: changes.change }) },
    }),
    landscape: { clusters: drawn, otherAddons: others, addressPools: [], loads: [] },
  };
}

function chosenClusters(clusters: readonly Cluster[], wanted: string | undefined): readonly Cluster[] {
  if (wanted === undefined) return clusters;
  const exact = clusters.filter(({ id }) => id === wanted);
  if (exact.length > 0) return exact;
  const called = clusters.filter(({ name }) => name === wanted);
  if (called.length === 1) return called;
  if (called.length > 1) throw new CommandError([`${called.length} clusters are called ${JSON.stringify(wanted)}`], `say which: ${called.map(({ id }) => id).join(', ')}`);
  const nearest = nearestName(wanted, clusters.flatMap(({ id, name }) => [id, name]));
  throw new CommandError(
    [`there is no cluster ${JSON.stringify(wanted)}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`],
    'npx cdk8s-cluster-api inventory --by cluster lists those that are there',
  );
}
