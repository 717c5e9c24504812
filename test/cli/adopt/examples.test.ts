import * as fs from 'node:fs';
import * as path from 'node:path';
import { Report, runAdopt, silentObjects } from './adopting';
import { readGolden } from '../../../scripts/golden/golden-store';
import { ExitCode } from '../../../src/cli/command';
import { sample } from '../../support/sample';
import { Workplace } from '../run';

const GUIDE = path.join(__dirname, '../../../docs/guides/adopt.md');
const OUTPUTS = Object.entries(readGolden()).filter(([name]) => name.startsWith('example-') && name !== 'example-fleet');

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A row of the table in the guide: what becomes of the objects of an example. */
async function adoptedRow(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  workplace.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`old/${file}`, text])));
  const { code, out } = await runAdopt(workplace, ['old', '--format', 'json']);
  const { objects, notRead } = JSON.parse(out) as Report;
  expect(silentObjects(files, { objects, notRead })).toEqual([]);
  const count = (outcome: string) => objects.filter((object) => object.outcome === outcome).length;
  expect(code).toBe(ExitCode.OK);
  return `| ${name.replace('example-', '')} | ${objects.length} | ${count('typed')} | ${count('manifest')} | ${count('carried')} | ${count('left')} |`;
}

/** Rows of the table, with the name of the example. */
const ROW = /^\| ([\w-]+) \| \d.*$/gm;

test.each(sample(OUTPUTS, 4))('%s is adopted, nothing changes, and the guide has the counts', async (name, files) => {
  const row = await adoptedRow(name, files);
  const guide = fs.readFileSync(GUIDE, 'utf8');
  // With ALL_INPUTS=true, all rows are written.
  if (process.env.WRITE_GOLDEN) fs.writeFileSync(GUIDE, guide.replace(ROW, (line, example) => (name === `example-${example}` ? row : line)));
  expect(fs.readFileSync(GUIDE, 'utf8').split('\n')).toContain(row);
});

test('the guide has a row for each example', () => {
  const rows = [...fs.readFileSync(GUIDE, 'utf8').matchAll(ROW)].map(([, example]) => `example-${example}`);

  expect(rows).toEqual(OUTPUTS.map(([name]) => name).sort());
});
