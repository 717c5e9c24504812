import { BundledAddonProps } from './bundled-addon-props';
import { BUNDLED_ADDON_RULES } from './bundled-addon-rules';
import { CHART_CATALOGUE } from './chart-catalogue.generated';
import { CHART_KEYS } from './chart-keys.generated';
import type { BundledChart } from './charts';
import { Fields, isFields } from '../images/manifest-object';
import { nearestName } from '../kubernetes/nearest-name';
import { Problem } from '../validation/problem';

/** Keys below a key. */
interface Keys {
  readonly [name: string]: Keys;
}

/** A name of a chart's own; keys such as `kubernetes.io/os` are those of a map that takes any. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/;

const read = new Map<string, Keys>();

/**
 * Warns of keys in a user's values that the chart does not have, where it has one that is nearly the same: Helm takes any, and the chart
 * does not read it. Nothing is said of another version of the chart, whose keys may differ.
 *
 * @param chart the chart that the values are for
 * @param props what the user wants
 */
export function checkValueKeys(chart: BundledChart, { values, chartVersion }: BundledAddonProps): Problem[] {
  if (!isFields(values) || (chartVersion !== undefined && chartVersion !== CHART_CATALOGUE[chart].version)) return [];
  return misspelt(values, keysOf(chart), 'values').map(({ path, name, near }) => ({
    rule: BUNDLED_ADDON_RULES.valueKey,
    property: path,
    message: `the chart "${chart}" has no key "${name}" here, and takes no notice of it`,
    fix: `write "${near}" if you mean that`,
  }));
}

function misspelt(values: Fields, known: Keys, path: string): { path: string; name: string; near: string }[] {
  const names = Object.keys(known).filter((name) => PLAIN.test(name));
  return Object.entries(values).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    if (!Object.hasOwn(known, name)) {
      const near = PLAIN.test(name) ? nearestName(name, names) : undefined;
      return near === undefined ? [] : [{ path: at, name, near }];
    }
    // What has no known keys below it takes any.
    return isFields(value) && Object.keys(known[name]).length > 0 ? misspelt(value, known[name], at) : [];
  });
}

function keysOf(chart: BundledChart): Keys {
  const found = read.get(chart) ?? parse(CHART_KEYS[chart]);
  read.set(chart, found);
  return found;
}

/** Reads `a,b{c,d}`. */
function parse(text: string): Keys {
  const root: Record<string, Keys> = {};
  const open: Record<string, Keys>[] = [root];
  for (const [, name, mark] of text.matchAll(/([^,{}]*)([,{}]|$)/g)) {
    const below = {};
    if (name !== '') open[open.length - 1][name] = below;
    if (mark === '{') open.push(below);
    if (mark === '}') open.pop();
  }
  return root;
}
