/**
 * Writes docs/rules.md and docs/construct-rules/, with the rules that synthesis checks its input against, and docs/rules/, with an index and
 * a page for every rule for final objects. Pages of removed rules are deleted.
 *
 * With `--check` it writes nothing and fails if the pages are not what the code says.
 */
import { pages } from './pages';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('rules', new Map([...pages()].map(([name, text]) => [`docs/${name}`, text])), [{ path: 'docs/rules' }, { path: 'docs/construct-rules' }]);
