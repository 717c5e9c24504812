import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };

const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const NANO = 9;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** A resource quantity in a rule, as a whole number of billionths (finer parts are rounded up, as Kubernetes does). */
class Quantity {
  static parse(text: string): Quantity {
    const match = QUANTITY.exec(text);
    if (!match) throw new Error(`quantities must match the regular expression of resource.Quantity, got ${JSON.stringify(text)}`);
    const [, sign, digits, suffix = ''] = match;
    const [whole, fraction = ''] = digits.split('.');
    const factor = suffix.endsWith('i') ? 1024n ** BigInt('KMGTPE'.indexOf(suffix[0]) + 1) : 1n;
    const exponent = (/^[eE][+-]?\d/.test(suffix) ? Number(suffix.slice(1)) : DECIMAL[suffix] ?? 0) + NANO - fraction.length;
    const amount = BigInt(whole + fraction) * factor;
    const divisor = 10n ** BigInt(Math.max(0, -exponent));
    const nano = exponent >= 0 ? amount * 10n ** BigInt(exponent) : (amount + divisor - 1n) / divisor;
    return new Quantity(sign === '-' ? -nano : nano);
  }

  static isValid(text: string): boolean {
    return QUANTITY.test(text);
  }

  constructor(readonly nano: bigint) {}

  compareTo(other: Quantity): bigint {
    if (this.nano === other.nano) return 0n;
    return this.nano < other.nano ? -1n : 1n;
  }

  isInteger(): boolean {
    return this.nano % 10n ** BigInt(NANO) === 0n;
  }

  asInteger(): bigint {
    if (!this.isInteger()) throw new Error('cannot convert value to integer');
    return this.nano / 10n ** BigInt(NANO);
  }
}

/** Registers what Kubernetes adds to CEL for resource quantities. */
export function registerQuantity(env: Environment): void {
  const type = 'kubernetes.Quantity';
  env.registerType(type, Quantity);
  env.registerFunction('isQuantity(string): bool', Quantity.isValid);
  env.registerFunction(`quantity(string): ${type}`, Quantity.parse);
  env.registerFunction(`${type}.isInteger(): bool`, (a: Quantity) => a.isInteger());
  env.registerFunction(`${type}.asInteger(): int`, (a: Quantity) => a.asInteger());
  env.registerFunction(`${type}.asApproximateFloat(): double`, (a: Quantity) => Number(a.nano) / 10 ** NANO);
  env.registerFunction(`${type}.sign(): int`, (a: Quantity) => a.compareTo(new Quantity(0n)));
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => a.compareTo(b));
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.compareTo(b) > 0n);
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.compareTo(b) < 0n);
  env.registerFunction(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nano + b.nano));
  env.registerFunction(`${type}.add(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.nano + b * 10n ** BigInt(NANO)));
  env.registerFunction(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nano - b.nano));
  env.registerFunction(`${type}.sub(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.nano - b * 10n ** BigInt(NANO)));
  env.registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nano === b.nano);
}
