import { CLUSTER_CLASS_PATCHES } from './cluster-class-patches';
import { CLUSTER_CLASS_SHAPE } from './cluster-classes';
import { CLUSTERS } from './clusters';
import { HEALTH_CHECK_LIMITS } from './health-check-limits';
import { HEALTH_CHECK_TIMES } from './health-check-times';
import { HEALTH_CHECKS } from './health-checks';
import { IP_ADDRESSES } from './ip-addresses';
import { MACHINE_DRAIN_RULES } from './machine-drain-rules';
import { MACHINE_FILES } from './machine-files';
import { MACHINES } from './machines';
import { POOL_BOOTSTRAPS } from './pool-bootstraps';
import { POOL_SELECTORS } from './pool-selectors';
import { POOLS, POOL_SIZE } from './pools';
import { RUNTIME_EXTENSIONS } from './runtime-extensions';
import { TEMPLATE_KINDS } from './template-kinds';
import { TOPOLOGIES } from './topologies';
import { V1BETA1_DURATIONS } from './v1beta1-durations';
import { V1BETA1_TRAPS } from './v1beta1-traps';
import { VARIABLES } from './variables';
import { ManifestRule } from '../manifest-rule';

/** Rules of Cluster API's core: what its webhooks and schemas refuse, and what they let pass all the same. */
export const CLUSTER_API_RULES: readonly ManifestRule[] = [
  ...CLUSTERS,
  ...V1BETA1_DURATIONS,
  ...V1BETA1_TRAPS,
  ...TOPOLOGIES,
  ...CLUSTER_CLASS_SHAPE,
  ...VARIABLES,
  ...CLUSTER_CLASS_PATCHES,
  ...MACHINES,
  ...MACHINE_FILES,
  ...POOLS,
  ...POOL_BOOTSTRAPS,
  ...POOL_SELECTORS,
  ...TEMPLATE_KINDS,
  ...POOL_SIZE,
  ...HEALTH_CHECKS,
  ...HEALTH_CHECK_TIMES,
  ...HEALTH_CHECK_LIMITS,
  ...MACHINE_DRAIN_RULES,
  ...RUNTIME_EXTENSIONS,
  ...IP_ADDRESSES,
];
