import { TemplateFault } from './faults';
import { GoVersion } from './values';

interface Version {
  readonly numbers: readonly number[];
  readonly preRelease: string;
  readonly metadata: string;
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

function parse(text: string): Version {
  const [match, major, minor = '0', patch = '0', preRelease = '', metadata = ''] = VERSION.exec(text) ?? [];
  if (match === undefined) throw new TemplateFault(`Invalid Semantic Version ${JSON.stringify(text)}`);
  return { numbers: [major, minor, patch].map(Number), preRelease, metadata };
}

/** A version as sprig's `semver` gives it. */
export function semver(text: string): GoVersion {
  const { numbers: [major, minor, patch], preRelease, metadata } = parse(text);
  const plain = `${major}.${minor}.${patch}${preRelease && `-${preRelease}`}${metadata && `+${metadata}`}`;
  return new GoVersion({
    Major: BigInt(major), Minor: BigInt(minor), Patch: BigInt(patch), Prerelease: preRelease, Metadata: metadata, Original: text, String: plain,
  }, plain);
}

/**
 * True if a version is within a constraint.
 *
 * Source: Masterminds/semver v3 constraints.go.
 */
export function semverCompare(constraint: string, text: string): boolean {
  const alternatives = constraint.split('||').map(comparisonsOf);
  const version = parse(text);
  return alternatives.some((comparisons) => comparisons.every((holds) => holds(version)));
}

type Comparison = (version: Version) => boolean;

const PART = '[vV]?(?:\\d+|[xX*])(?:\\.(?:\\d+|[xX*])){0,2}(?:-[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?';
const RANGE = new RegExp(`(?<=^|[\\s,])(${PART})\\s+-\\s+(${PART})(?=$|[\\s,])`, 'g');
const COMPARISON = new RegExp(`^(=|!=|>|<|>=|=>|<=|=<|~|~>|\\^|)\\s*(${PART})`);

function comparisonsOf(text: string): readonly Comparison[] {
  const comparisons: Comparison[] = [];
  let rest = text.replace(RANGE, '>=$1 <=$2').trim();
  if (rest === '') throw new TemplateFault(`improper constraint: ${text}`);
  while (rest !== '') {
    const [match, sign, version] = COMPARISON.exec(rest) ?? [];
    if (match === undefined) throw new TemplateFault(`improper constraint: ${text}`);
    comparisons.push(comparisonOf(sign, version));
    rest = rest.slice(match.length).replace(/^[\s,]+/, '');
  }
  return comparisons;
}

function comparisonOf(sign: string, text: string): Comparison {
  const bare = text.replace(/^v/i, '');
  const [, suffix = ''] = /^[\d.xX*]*([-+].*)?$/.exec(bare) ?? [];
  const parts = bare.slice(0, bare.length - suffix.length).split('.');
  const open = parts.findIndex((part) => !/^\d+$/.test(part));
  const given = open < 0 ? parts.length : open;
  const isDirty = given < 3;
  const limit = parse(`${[0, 1, 2].map((index) => (index < given ? parts[index] : '0')).join('.')}${suffix}`);
  // A pre-release is in a range only if the range names one.
  const admits = (version: Version): boolean => version.preRelease === '' || limit.preRelease !== '';
  const isSame = (version: Version, count: number): boolean => (
    limit.numbers.slice(0, count).every((number, index) => number === version.numbers[index]));
  const order = (version: Version): number => compare(version, limit);
  switch (sign) {
    case '!=': return (version) => (isDirty ? admits(version) && !isSame(version, given) : order(version) !== 0);
    case '>': return (version) => admits(version) && (isDirty ? order(version) > 0 && !isSame(version, given) : order(version) > 0);
    case '<': return (version) => admits(version) && order(version) < 0;
    case '>=': case '=>': return (version) => admits(version) && order(version) >= 0;
    case '<=': case '=<': return (version) => admits(version) && (order(version) <= 0 || (isDirty && isSame(version, given)));
    case '^': return (version) => admits(version) && order(version) >= 0 && isSame(version, caretParts(limit, given));
    case '~': case '~>': return (version) => admits(version) && order(version) >= 0 && isSame(version, Math.min(given, 2));
    default: return isDirty ? (version) => admits(version) && order(version) >= 0 && isSame(version, given) : (version) => order(version) === 0;
  }
}

/** The numbers that `^` keeps: up to the first one that is not 0. */
function caretParts({ numbers }: Version, given: number): number {
  const first = numbers.findIndex((number) => number > 0);
  return first < 0 ? given : Math.min(first + 1, given);
}

function compare(one: Version, other: Version): number {
  const index = one.numbers.findIndex((number, at) => number !== other.numbers[at]);
  if (index >= 0) return one.numbers[index] - other.numbers[index];
  if (one.preRelease === other.preRelease) return 0;
  if (one.preRelease === '' || other.preRelease === '') return one.preRelease === '' ? 1 : -1;
  const [parts, others] = [one, other].map(({ preRelease }) => preRelease.split('.'));
  for (let at = 0; at < Math.max(parts.length, others.length); at++) {
    const [part, another] = [parts[at], others[at]];
    if (part === another) continue;
    if (part === undefined || another === undefined) return part === undefined ? -1 : 1;
    const [isNumber, isOtherNumber] = [part, another].map((text) => /^\d+$/.test(text));
    if (isNumber && isOtherNumber) return Number(part) - Number(another);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < another ? -1 : 1;
  }
  return 0;
}
