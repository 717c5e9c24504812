import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResourceDefinition } from '../../scripts/crds/definition';
import { loadCrds } from '../../scripts/crds/load';
import { obtainableSources } from '../../scripts/crds/obtainable';

const DIRECTORY = join(__dirname, '../../node_modules/.cache/cdk8s-cluster-api');

/**
 * The pinned definitions without their descriptions, from a cache when there is one.
 *
 * Every test file loads them anew, and parsing so much YAML takes seconds. The pins hold a hash of each definition,
 * so what was loaded under the same pins is the same.
 */
export async function cachedCrds(): Promise<CustomResourceDefinition[]> {
  const sources = obtainableSources();
  const file = join(DIRECTORY, `crds-${createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as CustomResourceDefinition[];

  const json = JSON.stringify(await loadCrds({ sources }), (key, value: unknown) => (key === 'description' && typeof value === 'string' ? undefined : value));
  mkdirSync(DIRECTORY, { recursive: true });
  // Test files run in parallel processes, and none may read half a file.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, json);
  renameSync(partial, file);
  return JSON.parse(json) as CustomResourceDefinition[];
}
