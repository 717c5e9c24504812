import { FilledFolder } from './output-folders';

/** Name of the file by which `cdk8s synth` finds the construct of an object that a validation plug-in speaks of. */
export const CONSTRUCT_METADATA = 'construct-metadata.json';

/**
 * What that file says, in the form of cdk8s: objects by their names alone, so that of two with one name the last one counts.
 *
 * Source: cdk8s-team/cdk8s-core src/app.ts (writeConstructMetadata).
 */
export function constructMetadata(folders: readonly FilledFolder[]): string {
  const objects = folders.flatMap(({ files }) => [...files.values()].flat());
  return JSON.stringify({ version: '1.0.0', resources: Object.fromEntries(objects.map(({ name, node }) => [name, { path: node.path }])) });
}
