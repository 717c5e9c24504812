/** A number of objects, or a share of them. */
export interface IntOrPercent {
  readonly amount: number;
  readonly isPercent: boolean;
}

/**
 * Reads what Kubernetes takes for a number or a percentage: `1`, `"25%"`.
 *
 * Source: kubernetes/apimachinery pkg/util/intstr/intstr.go (GetScaledValueFromIntOrPercent).
 *
 * @returns it, or undefined if the value is neither
 */
export function parseIntOrPercent(value: unknown): IntOrPercent | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? { amount: value, isPercent: false } : undefined;
  const match = typeof value === 'string' ? /^([+-]?\d+)%$/.exec(value) : null;
  return match ? { amount: Number(match[1]), isPercent: true } : undefined;
}
