import { Fields, isFields } from './fields';
import { Finding } from './finding';
import { parseQuantity } from './quantity';

/** Limits that one must not exceed the other, by the fields of an entry: those that a server derives from others come last. */
const ORDERED = [['min', 'max'], ['default', 'max'], ['defaultRequest', 'default'], ['defaultRequest', 'max'], ['min', 'defaultRequest'], ['min', 'default']] as const;

/**
 * Checks the order of the bounds in an entry of a LimitRange.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateLimitRange).
 *
 * @returns one finding for each resource: bounds that are derived from wrong ones are wrong, too
 */
export function checkLimitOrder(limit: Fields): Finding[] {
  const found = new Map<string, Finding>();
  for (const [small, large] of ORDERED) {
    const [less, more] = [limit[small], limit[large]];
    if (!isFields(less) || !isFields(more)) continue;
    for (const name of Object.keys(less)) {
      const [one, other] = [amountOf(less[name]), amountOf(more[name])];
      if (one === undefined || other === undefined || one <= other || found.has(name)) continue;
      const most = String(more[name]);
      found.set(name, { path: [small, name], message: `${String(less[name])} is more than ${large}, ${most}`, accepted: `up to ${most}`, fix: 'lower it, or raise the other' });
    }
  }
  return [...found.values()];
}

function amountOf(value: unknown): bigint | undefined {
  return ['string', 'number'].includes(typeof value) && String(value).length < 100 ? parseQuantity(String(value)) : undefined;
}
