const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * Reads a duration as Go's `time.ParseDuration` does: `300ms`, `1.5h`, `2h45m`, `0`.
 *
 * @returns the duration in nanoseconds, or undefined if the text is not one or does not fit into 64 bits
 */
export function parseGoDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') {
    return 0n;
  }
  let total = 0n;
  let position = 0;
  while (position < unsigned.length || position === 0) {
    PART.lastIndex = position;
    const match = PART.exec(unsigned);
    if (!match) {
      return undefined;
    }
    total += nanoseconds(match[1], NANOSECONDS[match[2]]);
    position = PART.lastIndex;
  }
  return total > INT64_MAX ? undefined : (text.startsWith('-') ? -total : total);
}

/**
 * A duration as Go writes it (`time.Duration.String`), which is the form that `metav1.Duration` fields come back in: `30m0s`,
 * `1h0m0s`, `1.5s`, `250ms`.
 */
export function goDuration(duration: { toMilliseconds(): number }): string {
  const milliseconds = duration.toMilliseconds();
  if (milliseconds > 0 && milliseconds < 1000) {
    return `${milliseconds}ms`;
  }
  const seconds = `${(milliseconds % 60_000) / 1000}s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes === 0) {
    return seconds;
  }
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`;
}

function nanoseconds(number: string, unit: bigint): bigint {
  const [whole, fraction = ''] = number.split('.');
  return BigInt(whole || '0') * unit + (BigInt(fraction || '0') * unit) / 10n ** BigInt(fraction.length);
}
