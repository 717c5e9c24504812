/** Settings of controllers that serve all tenants. */
interface TenantSettings {
  /** The largest number of tenants that they are for. */
  readonly tenants: number;

  /** Memory of Kamaji's manager, as request and limit. */
  readonly kamajiMemory: string;

  /** Number of workers for control planes, of Kamaji and of its provider. */
  readonly workers: number;
}

/**
 * Settings by the number of tenants.
 *
 * Memory is reckoned, not measured: 256Mi, and 8Mi for each tenant, rounded up. For each control plane, Kamaji runs a manager in its own process,
 * whose caches hold all Services, ConfigMaps, Deployments, DaemonSets, ServiceAccounts and ClusterRoleBindings of the tenant (clastix/kamaji
 * controllers/soot/manager.go, 26.8.2-edge). The 100Mi of the chart are too little for a few tenants (cozystack/cozystack pull request 340).
 *
 * A worker waits up to 30 seconds for a data store or an API server that does not answer (`--controller-reconcile-timeout`): with one worker,
 * the default of both programs, one sick tenant holds up all others.
 */
const SETTINGS: readonly TenantSettings[] = [
  { tenants: 20, kamajiMemory: '512Mi', workers: 4 },
  { tenants: 50, kamajiMemory: '768Mi', workers: 8 },
  { tenants: 100, kamajiMemory: '1280Mi', workers: 12 },
  { tenants: 200, kamajiMemory: '2Gi', workers: 16 },
  { tenants: 500, kamajiMemory: '4608Mi', workers: 32 },
];

/** The settings for a number of tenants; beyond the table those of its end. */
export function tenantSettings(tenants: number): TenantSettings {
  return SETTINGS.find((settings) => tenants <= settings.tenants) ?? SETTINGS[SETTINGS.length - 1];
}
