import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** One chart, as the reference lists it. */
export interface ReferenceChart {
  readonly chart: string;
  readonly repository: string;
  readonly chartVersion: string;
  readonly appVersion: string;
  readonly source: string;
  /** Where the chart keeps definitions of custom resources, in words. */
  readonly crds?: string;
  /** Keys of `values.yaml` with their defaults; `[]` marks a list, `"a.b"` a key with dots in it. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys that templates read although `values.yaml` lacks them. */
  readonly keysNotInValuesYaml?: Readonly<Record<string, unknown>>;
}

/** Path of a file of the reference: in `REFERENCE_DIR`, or beside the checkout. */
export function referencePath(file = 'charts.json'): string {
  return resolve(process.env.REFERENCE_DIR ?? resolve(__dirname, '../../../shared/reference'), file);
}

/** Charts in alphabetical order, or undefined where the reference is not there. */
export function readCharts(names: readonly string[]): readonly ReferenceChart[] | undefined {
  const path = referencePath();
  if (!existsSync(path)) {
    return undefined;
  }
  const charts = JSON.parse(readFileSync(path, 'utf8')) as readonly ReferenceChart[];
  return [...names].sort().map((name) => {
    const found = charts.filter((one) => one.chart === name);
    if (found.length !== 1) {
      throw new Error(`the reference has the chart "${name}" ${found.length} times`);
    }
    return found[0];
  });
}
