/*
 * Writes docs/command-line.md and docs/clusters.schema.json from the code.
 *
 * With `--check` it writes nothing and fails if a file is not what the code says.
 */
import { clusterListSchema } from './cluster-list-schema';
import { commandLinePage } from './command-line';
import { Library } from '../api-reference/library';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('pages', new Map([
  ['docs/command-line.md', commandLinePage()],
  ['docs/clusters.schema.json', `${JSON.stringify(clusterListSchema(new Library()), undefined, 2)}\n`],
]));
