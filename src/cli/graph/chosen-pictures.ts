import { clusterPicture, managementPicture } from './cluster-picture';
import { Names, Picture } from './picture';
import { Cluster, Landscape } from '../../landscape/cluster-model';
import { nearestName } from '../../values/nearest-name';
import { CommandError } from '../command';

/** What is drawn: every cluster unless one is named. */
export interface Choice {
  readonly cluster?: string;

  /** Whether only the management cluster's own deliveries are drawn. */
  readonly management: boolean;
}

/** The pictures that are asked for, and what they show. */
export interface Chosen {
  readonly pictures: readonly Picture[];
  readonly landscape: Landscape;
}

/** Draws what is asked for. Throws a `CommandError` for a cluster that is not there. */
export function chosenPictures({ clusters, otherAddons }: Landscape, { cluster, management }: Choice): Chosen {
  const names = new Names();
  const drawn = management ? [] : chosenClusters(clusters, cluster);
  const others = cluster === undefined ? otherAddons : [];
  return {
    pictures: [
      ...drawn.map((one) => clusterPicture(one, names.of(one.id))),
      ...(others.length === 0 ? [] : [managementPicture(others, names.of('management cluster'))]),
    ],
    landscape: { clusters: drawn, otherAddons: others },
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
