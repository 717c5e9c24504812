import { fieldAt, FieldPath, fieldText, isFields } from './fields';
import { Finding, findingsOf } from './finding';
import { checkQualifiedName } from './labels';
import { checkQuantity, NANO, parseQuantity } from './quantity';

/** Requests and limits of a container. */
export interface ResourceRequirements {
  /**
   * Amounts that are reserved for the container: resource name (`cpu`, `memory`, `ephemeral-storage`, `hugepages-2Mi`, `nvidia.com/gpu`)
   * to Kubernetes quantity (`500m`, `2Gi`).
   *
   * @default - as much as the limit, nothing where there is no limit
   */
  readonly requests?: { [name: string]: string };

  /**
   * Largest amounts that the container gets: resource name to Kubernetes quantity.
   *
   * @default - no limit
   */
  readonly limits?: { [name: string]: string };
}

const STANDARD: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const HUGE_PAGES = 'hugepages-';

/** Request or limit of one resource. */
interface Amount {
  readonly path: FieldPath;
  readonly name: string;
  readonly given: unknown;

  /** In thousand-millionths; undefined if it is not a quantity. */
  readonly value: bigint | undefined;
}

/**
 * Checks resources that a user gives, which no schema checks where they are written: each amount must be a quantity, and bytes must be whole.
 *
 * Source: kubernetes/kubernetes pkg/api/pod/warnings.go (fractional byte value).
 */
export function checkResourceRequirements(requirements: ResourceRequirements): Finding[] {
  const found = checkResources(requirements);
  const isReported = (field: string): boolean => found.some(({ path }) => fieldText(path) === field);
  return [...found, ...amountsIn(requirements).filter(({ path }) => !isReported(fieldText(path))).flatMap(({ path, name, given }) => (
    findingsOf(path, [checkQuantity(given as string, { whole: name !== 'cpu' })], 'correct the quantity')))];
}

/**
 * Checks the resources of a container as the API server does. What is not a quantity is left to the schema.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (validateResourceRequirements, ValidateResourceQuantityValue).
 *
 * @returns at most one finding for each amount
 */
export function checkResources(requirements: unknown): Finding[] {
  const amounts = amountsIn(requirements);
  const limits = new Map(amounts.filter(({ path }) => path[0] === 'limits').map((limit) => [limit.name, limit]));
  const hugePages = amounts.find(({ name }) => name.startsWith(HUGE_PAGES));
  const found = amounts.flatMap((amount) => [
    ...findingsOf(amount.path, [checkResourceName(amount.name)], 'correct the name'),
    ...checkAmount(amount),
    ...(amount.path[0] === 'requests' ? checkAgainstLimit(amount, limits.get(amount.name)) : []),
  ].slice(0, 1));
  if (hugePages && !found.some(({ path }) => path === hugePages.path) && !amounts.some(({ name }) => name === 'cpu' || name === 'memory')) {
    found.push({ path: hugePages.path, message: 'huge pages require cpu or memory beside them', fix: 'add cpu or memory' });
  }
  return found;
}

function amountsIn(requirements: unknown): Amount[] {
  return ['requests', 'limits'].flatMap((side) => {
    const given = fieldAt(requirements, side);
    if (!isFields(given)) return [];
    return Object.entries(given).map(([name, amount]) => ({ path: [side, name], name, given: amount, value: valueOf(amount) }));
  });
}

function valueOf(amount: unknown): bigint | undefined {
  // Go reads null as 0.
  if (amount === null) return 0n;
  const text = typeof amount === 'number' || typeof amount === 'string' ? String(amount) : '';
  return text.length > 100 ? undefined : parseQuantity(text);
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
  if (STANDARD.includes(name)) return undefined;
  return `"${name}" is not a resource of a container; accepted are ${[...STANDARD, `${HUGE_PAGES}<size>`].join(', ')}, and names with a domain such as "nvidia.com/gpu"`;
}

function checkAmount({ path, name, given, value }: Amount): Finding[] {
  if (value === undefined) return [];
  if (value < 0n) return [{ path, message: `${JSON.stringify(given)} is negative`, accepted: 'quantities from 0', fix: 'correct the quantity' }];
  if (!isDevice(name)) return [];
  if (value % NANO !== 0n) return [{ path, message: `${JSON.stringify(given)} is not a whole number`, fix: 'write a whole number' }];
  const size = name.startsWith(HUGE_PAGES) ? parseQuantity(name.slice(HUGE_PAGES.length)) : undefined;
  if (!size || value % size === 0n) return [];
  return [{ path, message: `${JSON.stringify(given)} is not a multiple of the size of the pages`, fix: 'correct the quantity' }];
}

function checkAgainstLimit({ path, name, given, value }: Amount, limit: Amount | undefined): Finding[] {
  if (!limit) {
    return isDevice(name) ? [{ path, message: `${name} is requested without a limit`, fix: `write the same limit, ${JSON.stringify(given)}` }] : [];
  }
  if (value === undefined || limit.value === undefined || value === limit.value) return [];
  const most = JSON.stringify(limit.given);
  if (isDevice(name)) return [{ path, message: `${JSON.stringify(given)} is not the limit, ${most}`, fix: 'write the same amount twice' }];
  return value < limit.value ? [] : [{
    path, message: `${JSON.stringify(given)} is more than the limit, ${most}`, accepted: `up to ${most}`, fix: 'ask for less, or raise the limit',
  }];
}

/** True if a resource cannot be shared or overcommitted: huge pages and what plug-ins offer. */
function isDevice(name: string): boolean {
  return name.startsWith(HUGE_PAGES) || (name.includes('/') && !name.includes('kubernetes.io/'));
}
