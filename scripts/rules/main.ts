/**
 * Writes docs/rules.md, with every rule that synthesis checks its input by, and docs/rules/, with an index and a page for every rule for
 * final objects. Pages of removed rules are deleted.
 *
 * With `--check` it writes nothing and fails if the pages are not what the code says.
 */
import { pages } from './pages';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('rules', new Map([...pages()].map(([name, text]) => [`docs/${name}`, text])), [{ path: 'docs/rules' }]);
