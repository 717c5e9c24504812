/*
 * Writes docs/addons/, a page for each bundled addon, docs/command-line.md, and docs/clusters.schema.json, from the code.
 *
 * With `--check` it writes nothing and fails if a page is not what the code says.
 */
import { addonPages } from './addons';
import { clusterListSchema } from './cluster-list-schema';
import { commandLinePage } from './command-line';
import { Library } from '../api-reference/library';
import { writeGeneratedFiles } from '../generated-files';

const library = new Library();
const files = new Map([
  ['docs/command-line.md', commandLinePage()],
  ['docs/clusters.schema.json', `${JSON.stringify(clusterListSchema(library), undefined, 2)}\n`],
  ...addonPages(library),
]);
writeGeneratedFiles('pages', files, [{ path: 'docs/addons' }]);
