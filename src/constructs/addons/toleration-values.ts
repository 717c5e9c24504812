import { BUNDLED_ADDON_RULES } from './bundled-addon-rules';
import { mergeValues, nestedValue, Values } from '../../manifests/values/chart-values';
import { Problem, problemsOf } from '../../manifests/values/problem';
import { checkTolerations, Toleration } from '../../manifests/values/tolerations';

/** The keys of a chart's tolerations with their defaults: a list in the values replaces the default. */
export interface TolerationPaths {
  readonly [path: string]: readonly object[];
}

/** The values that let every pod of a chart tolerate taints; none where there is nothing to add. */
export function tolerationValues(paths: TolerationPaths, tolerations: readonly Toleration[] | undefined): Values | undefined {
  if (!tolerations || tolerations.length === 0) return undefined;
  return mergeValues(...Object.entries(paths).map(([path, own]) => nestedValue(path, [...own, ...tolerations])));
}

/** Checks the tolerations of an addon. */
export function checkTolerationList(property: string, tolerations: readonly Toleration[] | undefined): Problem[] {
  return problemsOf(BUNDLED_ADDON_RULES.toleration, property, checkTolerations(tolerations ?? []));
}
