/*
 * Writes docs/addons/, a page for each bundled addon, and docs/command-line.md, from the code.
 *
 * With `--check` it writes nothing and fails if a page is not what the code says.
 */
import { addonPages } from './addons';
import { commandLinePage } from './command-line';
import { Library } from '../api-reference/library';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('pages', new Map([['docs/command-line.md', commandLinePage()], ...addonPages(new Library())]), [{ path: 'docs/addons' }]);
