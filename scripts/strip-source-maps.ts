/**
 * Takes the inline source maps out of the compiled library: they would be most of each file, and Node parses them whenever it loads one.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';

const FOLDER = path.join(__dirname, '..', 'lib');
const SOURCE_MAP = /\n?\/\/# sourceMappingURL=data:[^\n]*\n?$/;

for (const name of fs.readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))) {
  const file = path.join(FOLDER, name);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(SOURCE_MAP, '\n'));
}
