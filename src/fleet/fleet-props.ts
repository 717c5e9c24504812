import { ClusterList } from './cluster-list';
import { IClusterProfile } from './cluster-profile';
import { FleetRing } from './fleet-ring';
import { FleetOverride } from './fleet-selector';

/** What a fleet is made of. */
export interface FleetProps {
  /** The clusters. */
  readonly clusters: ClusterList;

  /** How they are made, by the name that the list calls it (`TC-FLEET-PROFILE`). */
  readonly profiles: { [name: string]: IClusterProfile };

  /**
   * The rings, in the order in which they get changes: those that try first come first. A ring runs no newer Kubernetes than the one before
   * it (`TC-FLEET-RING-ORDER`), and is at most one minor release behind it (`TC-FLEET-RING-STEP`).
   *
   * @default - none: each cluster says its Kubernetes version itself (`TC-FLEET-VERSION`)
   */
  readonly rings?: FleetRing[];

  /**
   * What some clusters say differently, by name, profile, ring, region or label (`TC-FLEET-OVERRIDE`, `TC-FLEET-OVERRIDE-IDLE`). Of several
   * for one cluster, the last one holds.
   *
   * @default - none
   */
  readonly overrides?: FleetOverride[];

  /**
   * Key of a label with the region, for all objects of a cluster in the management cluster (`TC-FLEET-LABEL`), e.g. `example.com/region`.
   * `topology.kubernetes.io/region` says where a node or a volume is, and the objects of a cluster are neither
   * (kubernetes.io/docs/reference/labels-annotations-taints).
   *
   * @default - no such label
   */
  readonly regionLabel?: string;

  /**
   * Key of a label with the ring, for all objects of a cluster in the management cluster (`TC-FLEET-LABEL`), e.g. `example.com/ring`.
   *
   * @default - no such label
   */
  readonly ringLabel?: string;

  /**
   * Columns and keys of the list that are for people, such as the owner of a cluster: it is not warned that no profile reads them
   * (`TC-FLEET-UNUSED`).
   *
   * @default - none
   */
  readonly ignoredValues?: string[];

  /**
   * Whether the Services of a cluster are routed within its network, as its pods are. A mesh that translates Services of other clusters to
   * pods needs unique ranges of pods only (docs.cilium.io network/clustermesh).
   *
   * @default true
   */
  readonly servicesRouted?: boolean;
}
