import { BundledAddonProps } from './bundled-addon-props';
import { BUNDLED_ADDON_RULES } from './bundled-addon-rules';
import { BundledChart, CHARTS } from './charts';
import CHART_KEYS from '../../../data/chart-keys.json';
import { versionIn } from '../../manifests/values/catalog';
import { Fields, isFields } from '../../manifests/values/fields';
import { nearestName } from '../../manifests/values/nearest-name';
import { Problem } from '../../manifests/values/problem';
import { Versions } from '../contracts/versions';

/** Keys below a key. */
interface Keys {
  readonly [name: string]: Keys;
}

/** The form of a chart's own keys; keys such as `kubernetes.io/os` belong to objects with free keys. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/;

const read = new Map<string, Keys>();

/**
 * Warns about unknown keys in the user's values that are similar to a key of the chart: Helm accepts any key, but the chart ignores it.
 * Other versions of the chart, whose keys may differ, are not checked.
 *
 * @param chart the chart that the values are for
 * @param props the user's options
 * @param versions the versions of the cluster
 */
export function checkValueKeys(chart: BundledChart, { values, chartVersion }: BundledAddonProps, versions: Versions): Problem[] {
  const { version } = CHARTS[chart];
  if (!isFields(values) || (chartVersion ?? versionIn(CHARTS[chart], versions)) !== version) return [];
  return misspelt(values, keysOf(chart), 'values').map(({ path, name, near }) => ({
    rule: BUNDLED_ADDON_RULES.valueKey,
    property: path,
    message: `the chart "${chart}" has no key "${name}" here, and ignores it`,
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
    // A key without known keys below it accepts any.
    return isFields(value) && Object.keys(known[name]).length > 0 ? misspelt(value, known[name], at) : [];
  });
}

function keysOf(chart: BundledChart): Keys {
  const found = read.get(chart) ?? parse((CHART_KEYS as Readonly<Record<string, string>>)[chart]);
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
