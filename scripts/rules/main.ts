/**
 * Writes docs/rules.md and docs/construct-rules/, with the rules that synthesis checks its input against, and docs/rules/, with an index and
 * a page for every rule for final objects. Pages of removed rules are deleted. `explain` shows the same, and reads how reports are worded from
 * src/cli/explain/reports.generated.ts.
 *
 * With `--check` it writes nothing and fails if the pages are not what the code says.
 */
import { pages } from './pages';
import { renderReports, reportsOfRules } from './reports';
import { writeGeneratedFiles } from '../generated-files';

const reports = reportsOfRules();

writeGeneratedFiles('rules', new Map([
  ...[...pages(reports)].map(([name, text]) => [`docs/${name}`, text] as const),
  ['src/cli/explain/reports.generated.ts', renderReports(reports)],
]), [{ path: 'docs/rules' }, { path: 'docs/construct-rules' }]);
