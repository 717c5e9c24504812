import { readGolden } from './golden-store';
import { sortFiles } from './sort-files';

/** The manifests that examples and scenarios write for management clusters, by name. */
export function goldenManifests(): [scenario: string, text: string][] {
  return Object.entries(readGolden())
    .map(([scenario, files]): [string, string] => [scenario, sortFiles(files).management])
    .filter(([, text]) => text !== '');
}
