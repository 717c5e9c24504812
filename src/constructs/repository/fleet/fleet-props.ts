import { ClusterList } from './cluster-list';
import { IClusterProfile } from './cluster-profile';
import { FleetRing } from './fleet-ring';
import { FleetOverride } from './fleet-selector';
import { Versions } from '../../contracts/versions';

/** Properties of a fleet. */
export interface FleetProps {
  /** The clusters. */
  readonly clusters: ClusterList;

  /** The profiles, by the name that the list uses (`TC-FLEET-PROFILE`). */
  readonly profiles: { [name: string]: IClusterProfile };

  /**
   * The rings, in the order in which they get changes. A ring must not run a newer Kubernetes version than the ring before it, and must be
   * at most one minor release behind that ring.
   *
   * Rules: `TC-FLEET-RING-ORDER`, `TC-FLEET-RING-STEP`.
   *
   * @default - none: each cluster sets its own Kubernetes version (`TC-FLEET-VERSION`)
   */
  readonly rings?: FleetRing[];

  /**
   * The versions of charts, images and controllers that clusters get where neither their entry nor the profile nor the ring says others
   * (`TC-CLUSTER-CATALOG`).
   *
   * @default - the newest catalog of the package, so that a newer package moves them
   */
  readonly versions?: Versions;

  /**
   * Values for selected clusters, by name, profile, ring, region or label. The last override for a cluster wins.
   *
   * Rules: `TC-FLEET-OVERRIDE`, `TC-FLEET-OVERRIDE-IDLE`.
   *
   * @default - none
   */
  readonly overrides?: FleetOverride[];

  /**
   * Key of the label with the region, on all objects of a cluster in the management cluster, e.g. `example.com/region`.
   * `topology.kubernetes.io/region` does not fit: it is for nodes and volumes (kubernetes.io/docs/reference/labels-annotations-taints).
   *
   * Rule: `TC-FLEET-LABEL`.
   *
   * @default - no such label
   */
  readonly regionLabel?: string;

  /**
   * Key of the label with the ring, on all objects of a cluster in the management cluster, e.g. `example.com/ring`.
   *
   * Rule: `TC-FLEET-LABEL`.
   *
   * @default - no such label
   */
  readonly ringLabel?: string;

  /**
   * Columns and keys of the list that are for people, such as the owner of a cluster. An unread value under these keys causes no warning
   * (`TC-FLEET-UNUSED`).
   *
   * @default - none
   */
  readonly ignoredValues?: string[];

  /**
   * True if the network of a cluster routes its Services, as it routes its pods. A mesh that translates Services of other clusters to pods
   * only needs unique pod ranges (docs.cilium.io network/clustermesh).
   *
   * @default true
   */
  readonly servicesRouted?: boolean;
}
