/** A topology that the topology controller does not reconcile, and why. */
export class TopologyStop extends Error {}

/** A topology whose objects cannot be computed from what is known, and why. */
export class TopologyUnknown extends Error {}
