// Assertions and snapshots for the user's own tests.

export { AccessRight, SubjectAssertions } from './subject-assertions';
export { ClusterAssertions, ExpectedAddon } from './cluster-assertions';
export { ExpectedMachine, ExpectedNodes, PoolAssertions } from './pool-assertions';
export { Snapshots } from './snapshots';
