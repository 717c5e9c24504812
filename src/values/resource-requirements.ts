import { Finding, findingsOf } from './finding';
import { checkQualifiedName } from './labels';
import { checkQuantity, compareQuantities, parseQuantity } from './quantity';

/** What a container asks for, and what it may use at most. */
export interface ResourceRequirements {
  /**
   * What is set aside for the container: resource name (`cpu`, `memory`, `ephemeral-storage`, `hugepages-2Mi`, `nvidia.com/gpu`)
   * to Kubernetes quantity (`500m`, `2Gi`).
   *
   * @default - as much as the limit, nothing where there is no limit
   */
  readonly requests?: { [name: string]: string };

  /**
   * What the container gets at most: resource name to Kubernetes quantity.
   *
   * @default - no limit
   */
  readonly limits?: { [name: string]: string };
}

const STANDARD: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const HUGE_PAGES = 'hugepages-';

/**
 * Checks the resources of a container.
 *
 * Source: `k8s.io/kubernetes` `pkg/apis/core/validation` `ValidateContainerResourceRequirements`, `validateContainerResourceName`,
 * and the warning about fractional bytes in `pkg/api/pod/warnings.go`.
 *
 * @returns one finding for every problem, requests first, in the order of the maps
 */
export function checkResourceRequirements(requirements: ResourceRequirements): Finding[] {
  const requests = requirements.requests ?? {};
  const limits = requirements.limits ?? {};
  const found = [
    ...checkEntries('requests', requests),
    ...checkEntries('limits', limits),
  ];
  for (const [name, request] of Object.entries(requests)) {
    found.push(...findingsOf(['requests', name], [checkAgainstLimit(name, request, limits[name])], 'correct the request or the limit'));
  }
  const names = [...Object.keys(requests), ...Object.keys(limits)];
  const hugePages = names.find((name) => name.startsWith(HUGE_PAGES));
  if (hugePages !== undefined && !names.includes('cpu') && !names.includes('memory')) {
    found.push({
      path: [hugePages in requests ? 'requests' : 'limits', hugePages],
      message: 'huge pages are asked for without CPU and memory; accepted are huge pages beside cpu or memory',
      fix: 'add cpu or memory',
    });
  }
  return found;
}

function checkEntries(side: string, entries: Readonly<Record<string, string>>): Finding[] {
  return Object.entries(entries).flatMap(([name, value]) => [
    ...findingsOf([side, name], [checkResourceName(name)], 'correct the name'),
    ...findingsOf([side, name], [checkQuantity(value, { whole: name !== 'cpu' })], 'correct the quantity'),
  ]);
}

function checkResourceName(name: string): string | undefined {
  if (name.startsWith(HUGE_PAGES)) {
    return checkQuantity(name.slice(HUGE_PAGES.length), { positive: true, whole: true }) === undefined ? undefined
      : `"${name}" does not name a size of huge pages; accepted are names such as "hugepages-2Mi" and "hugepages-1Gi"`;
  }
  if (name.includes('/')) {
    return name.startsWith('requests.') ? `"${name}" is a quota, not a resource; accepted is "${name.slice('requests.'.length)}"`
      : checkQualifiedName(name);
  }
  return STANDARD.includes(name) ? undefined
    : `"${name}" is not a resource of a container; accepted are ${STANDARD.join(', ')}, ${HUGE_PAGES}<size>, and names with a domain such as "nvidia.com/gpu"`;
}

function checkAgainstLimit(name: string, request: string, limit: string | undefined): string | undefined {
  const fixed = name.startsWith(HUGE_PAGES) || (name.includes('/') && !name.includes('kubernetes.io/'));
  if (limit === undefined) {
    return fixed ? `${name} is requested without a limit; accepted is a limit of the same amount, "${request}"` : undefined;
  }
  if (parseQuantity(request) === undefined || parseQuantity(limit) === undefined) {
    return undefined;
  }
  const order = compareQuantities(request, limit);
  if (fixed && order !== 0) {
    return `"${request}" differs from the limit "${limit}"; accepted for ${name} is the same amount in both`;
  }
  return order > 0 ? `"${request}" is more than the limit "${limit}"; accepted are requests up to the limit` : undefined;
}
