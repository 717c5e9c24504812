import * as fs from 'node:fs';
import * as path from 'node:path';

const ROOT = path.join(__dirname, '..');
const FOLDERS = ['.github/workflows', 'templates/app/github/workflows'].map((folder) => path.join(ROOT, folder));

test('workflows run actions by their commits, which their owners cannot move', () => {
  const files = FOLDERS.flatMap((folder) => fs.readdirSync(folder).filter((file) => file.endsWith('.yml')).map((file) => path.join(folder, file)));
  const used = files.flatMap((file) => [...fs.readFileSync(file, 'utf8').matchAll(/uses: ['"]?([^'"\s]+)/g)].map(([, action]) => `${path.basename(file)} ${action}`));

  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((action) => !/ \.\/|@[0-9a-f]{40}$/.test(action))).toEqual([]);
});
