/**
 * Writes docs/rules.md, with every rule that synthesis holds its input to, by its stable id; and docs/rules/, with a page for every rule that
 * final objects are held to, and an index. Pages of rules that are gone are removed.
 *
 * With `--check` it writes nothing and fails if the pages are not what the code says.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pages } from './pages';

const DOCS = path.join(__dirname, '..', '..', 'docs');
const FOLDER = path.join(DOCS, 'rules');

const wanted = pages();
const stale = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER).map((name) => `rules/${name}`).filter((name) => !wanted.has(name)) : [];
if (!process.argv.includes('--check')) {
  fs.mkdirSync(FOLDER, { recursive: true });
  stale.forEach((name) => fs.rmSync(path.join(DOCS, name)));
  for (const [name, text] of wanted) fs.writeFileSync(path.join(DOCS, name), text);
} else {
  const wrong = [...wanted].filter(([name, text]) => !fs.existsSync(path.join(DOCS, name)) || fs.readFileSync(path.join(DOCS, name), 'utf8') !== text);
  for (const name of [...wrong.map(([file]) => file), ...stale]) {
    console.error(`docs/${name} is not what the rules in src/ say; run \`npm run rules\` and commit the result`);
    process.exitCode = 1;
  }
}
