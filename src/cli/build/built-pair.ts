import * as path from 'node:path';
import { chartRenderer } from './helm';
import { kustomizeBuilder } from './kustomize';
import { ProgramAnswer } from './programs';
import { ChartUnit } from '../../manifests/landscape/chart-units';
import { isKustomizationFile } from '../../manifests/landscape/kustomize-lists';
import { KustomizeUnit } from '../../manifests/landscape/kustomize-units';
import { UnreadValue } from '../../manifests/landscape/placed-objects';
import { namesWords } from '../../manifests/plan/plan-words';
import { Fields, objectsAt, stringAt, stringsAt } from '../../manifests/values/fields';
import { hideSecretParts } from '../../manifests/values/secret-text';

/** Input of one run of a program that builds. */
export type BuildUnit = KustomizeUnit | ChartUnit;

/** The programs that build. */
export interface Builders {
  readonly build: ReturnType<typeof kustomizeBuilder>;
  readonly render: ReturnType<typeof chartRenderer>;
}

/**
 * Output of a unit in each state; none if it cannot be built in one of them.
 *
 * @param units the unit of each state
 * @param builders the programs
 * @param isWhole true if a kustomization is not built without what it fetches
 */
export async function builtPair(
  units: readonly (BuildUnit | undefined)[], { build, render }: Builders, isWhole: boolean,
): Promise<readonly (ProgramAnswer | undefined)[]> {
  const faultOf = (unit: BuildUnit | undefined) => unit?.fault ?? (isWhole && unit && !isChart(unit) ? fetchedWords(unit) : undefined);
  const broken = brokenUnit(units);
  const fault = units.map((unit) => (unit === broken ? undefined : faultOf(unit))).find((one) => one !== undefined);
  if (fault !== undefined) return [{ error: fault }];
  const isPart = units.some((unit) => unit && !isChart(unit) && unit.fetched.size > 0);
  const answers: readonly (ProgramAnswer | undefined)[] = await Promise.all(units.map((unit) => {
    if (!unit) return undefined;
    if (unit === broken) return { error: unit.fault!, isRefused: true };
    if (isChart(unit)) return render ? render(unit) : { error: 'helm is not installed' };
    return build ? build(unit) : { error: 'neither kustomize nor kubectl is installed' };
  }));
  if (!isPart || answers.every((answer) => !answer || answer.output)) return answers;
  // Parts that are left out may be what it fails without.
  const words = units.flatMap((unit) => (unit && !isChart(unit) ? fetchedWords(unit) ?? [] : []));
  const failed = answers.find((answer) => answer && !answer.output);
  return [{ error: `${words.at(-1)!}, and without that: ${failed!.error}` }];
}

/** A later unit that fails, since a file that it still names was there before, and is gone. */
function brokenUnit([former, latter]: readonly (BuildUnit | undefined)[]): BuildUnit | undefined {
  return latter && !isChart(latter) && latter.missing !== undefined && former?.paths.has(latter.missing) ? latter : undefined;
}

/** Parts of a kustomization that are not fetched, in words; undefined if it has none. */
function fetchedWords({ fetched }: KustomizeUnit): string | undefined {
  const [first] = fetched.values();
  if (first === undefined) return undefined;
  return addressesIn(first).length === 0 ? 'helmCharts of a kustomization are not run' : `${addressesIn(first)[0]} is not fetched`;
}

/**
 * Parts that units were built without, each once: several units may read one kustomization.
 *
 * @param units the units
 * @param root the folder that was read
 */
export function unfetched(units: Iterable<BuildUnit>, root: string): UnreadValue[] {
  const found = new Map<string, UnreadValue>();
  for (const unit of units) {
    if (isChart(unit)) continue;
    for (const [folder, value] of unit.fetched) {
      const file = [...unit.paths].find((one) => path.posix.dirname(one) === folder && isKustomizationFile(one)) ?? path.posix.join(folder, 'kustomization.yaml');
      found.set(`${file} ${JSON.stringify(value)}`, { file: path.join(root, file), what: `${fetchedNames(value)}, which kustomize fetches`, value });
    }
  }
  return [...found.values()];
}

/** The addresses and charts of a kustomization. */
function fetchedNames(fetched: Fields): string {
  const charts = objectsAt(fetched, 'helmCharts').map(([chart]) => `chart ${stringAt(chart, 'name') ?? ''}`);
  return namesWords([...addressesIn(fetched), ...charts]);
}

function addressesIn(fetched: Fields): string[] {
  return ['resources', 'bases'].flatMap((field) => stringsAt(fetched, field).map(([address]) => hideSecretParts(address)));
}

/** True if a part that is built is a chart. */
export function isChart(unit: BuildUnit): unit is ChartUnit {
  return 'render' in unit;
}
