/**
 * Takes the inline source maps out of the compiled typed resources: they would be two thirds of each file, and the sources are generated.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';

const FOLDER = path.join(__dirname, '..', 'lib', 'imports');
const SOURCE_MAP = /\n?\/\/# sourceMappingURL=data:[^\n]*\n?$/;

for (const name of fs.readdirSync(FOLDER).filter((file) => file.endsWith('.js'))) {
  const file = path.join(FOLDER, name);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(SOURCE_MAP, '\n'));
}
