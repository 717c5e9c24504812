/**
 * Writes docs/rules.md: every rule that synthesis holds its input to, by its stable id.
 *
 * With `--check` it writes nothing and fails if the page is not what the code says.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ruleRooms } from './catalog';
import { renderRules } from './render';

const PAGE = path.join(__dirname, '..', '..', 'docs', 'rules.md');

const page = renderRules(ruleRooms());
if (!process.argv.includes('--check')) {
  fs.mkdirSync(path.dirname(PAGE), { recursive: true });
  fs.writeFileSync(PAGE, page);
} else if (!fs.existsSync(PAGE) || fs.readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/rules.md is not what the rules in src/ say; run `npm run rules` and commit the result');
  process.exitCode = 1;
}
