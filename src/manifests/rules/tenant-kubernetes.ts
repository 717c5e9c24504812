import { TenantKubernetes, TenantMinors } from './components';

/** Minor releases of Kubernetes that tenants may have with a release of a component; undefined where that is not known. */
export function tenantMinors({ releases, compare }: TenantKubernetes, release: string): TenantMinors | undefined {
  return releases.find(({ since }) => (compare(release, since) ?? -1) >= 0);
}

/**
 * The newest minor release of Kubernetes that tenants may have with a release of a component. One that is older than all that are known works with
 * nothing newer than these do. Undefined of one that is newer than those that the table was read from, and of one that is no release.
 */
export function newestMinor(tenants: TenantKubernetes, release: string): number | undefined {
  if (isUnreadRelease(tenants, release)) return undefined;
  const oldest = tenants.releases.at(-1)!;
  return tenantMinors(tenants, release)?.newest ?? ((tenants.compare(release, oldest.since) ?? 0) < 0 ? oldest.newest : undefined);
}

/** True if a release is newer than those that the table was read from. */
export function isUnreadRelease({ compare, lastRead }: TenantKubernetes, release: string): boolean {
  return (compare(release, lastRead) ?? 0) > 0;
}

/** The first release of a component that works with a minor release of tenants, of those that are known. */
export function firstReleaseFor({ releases }: TenantKubernetes, minor: number): string | undefined {
  return releases.filter(({ newest }) => newest >= minor).at(-1)?.since;
}
