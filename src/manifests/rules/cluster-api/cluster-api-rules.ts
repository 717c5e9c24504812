import { CLUSTER_CLASS_PATCHES } from './cluster-class-patches';
import { CLUSTER_CLASS_SELECTOR } from './cluster-class-selectors';
import { CLUSTER_CLASS_SHAPE } from './cluster-class-shape';
import { CLUSTER_IDENTITY } from './cluster-identity';
import { CLUSTER_NETWORK } from './cluster-network';
import { HEALTH_CHECK_CONDITIONS } from './health-check-conditions';
import { HEALTH_CHECK_LIMITS } from './health-check-limits';
import { HEALTH_CHECK_TRAPS } from './health-check-traps';
import { HEALTH_CHECKS } from './health-checks';
import { IP_ADDRESSES } from './ip-addresses';
import { MACHINE_BOOTSTRAP } from './machine-bootstrap';
import { MACHINE_DRAIN_RULES } from './machine-drain-rules';
import { MACHINE_METADATA } from './machine-metadata';
import { MACHINE_NAMING } from './machine-naming';
import { MACHINE_TAINTS } from './machine-taints';
import { MACHINE_VERSION } from './machine-version';
import { POOL_IDENTITY } from './pool-identity';
import { POOL_PREFLIGHT } from './pool-preflight';
import { POOL_ROLLOUT } from './pool-rollout';
import { POOL_SELECTORS } from './pool-selectors';
import { POOL_SIZE } from './pool-size';
import { RUNTIME_EXTENSIONS } from './runtime-extensions';
import { TOPOLOGIES } from './topologies';
import { TOPOLOGY_HEALTH_CHECKS } from './topology-health-checks';
import { TOPOLOGY_VALUE } from './topology-values';
import { TOPOLOGY_VARIABLES } from './topology-variables';
import { V1BETA1_TRAPS } from './v1beta1-traps';
import { VARIABLE_SCHEMAS } from './variable-schemas';
import { ManifestRule } from '../manifest-rule';

/** Rules of Cluster API's core: what its webhooks and schemas refuse, and what they let pass all the same. */
export const CLUSTER_API_RULES: readonly ManifestRule[] = [
  ...CLUSTER_IDENTITY,
  ...CLUSTER_NETWORK,
  ...V1BETA1_TRAPS,
  ...TOPOLOGIES,
  ...TOPOLOGY_HEALTH_CHECKS,
  TOPOLOGY_VARIABLES,
  TOPOLOGY_VALUE,
  ...CLUSTER_CLASS_SHAPE,
  ...VARIABLE_SCHEMAS,
  ...CLUSTER_CLASS_PATCHES,
  CLUSTER_CLASS_SELECTOR,
  MACHINE_BOOTSTRAP,
  MACHINE_METADATA,
  MACHINE_NAMING,
  ...MACHINE_TAINTS,
  MACHINE_VERSION,
  ...POOL_IDENTITY,
  POOL_PREFLIGHT,
  ...POOL_ROLLOUT,
  ...POOL_SELECTORS,
  ...POOL_SIZE,
  ...HEALTH_CHECKS,
  ...HEALTH_CHECK_CONDITIONS,
  ...HEALTH_CHECK_TRAPS, ...HEALTH_CHECK_LIMITS,
  ...MACHINE_DRAIN_RULES,
  ...RUNTIME_EXTENSIONS,
  ...IP_ADDRESSES,
];
