/** A topology that the topology controller does not reconcile, and why. */
export class TopologyStop extends Error {}

/** A patch of a ClusterClass that does not apply. */
export class PatchStop extends TopologyStop {}

/** A topology whose objects cannot be computed from what is known, and why. */
export class TopologyUnknown extends Error {}
