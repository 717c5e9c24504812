import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { VARIANTS, writeApp } from './app-rounds';
import { compiledProgram } from '../../support/compiled';
import { readFiles } from '../../support/examples';
import { Contents, Interruption, isMixOf, isStaged, possibleRounds, runUntilKilled } from '../../support/killed-writer';

const KILLS = 12;

/** Nothing depends on it: it only ends what would never end. */
const TIMEOUT_MS = 1_800_000;

const FOREIGN: Contents = { 'README.md': 'ours\n', 'flux/flux-system/gotk-sync.yaml': 'theirs\n', 'clusters/tenant-c1/c1/notes.md': 'ours\n' };

let place: string;

beforeAll(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'killed-app-'));
});

afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

test(`an app that is killed leaves whole files, and the next synthesis writes the exact tree (${KILLS} times)`, async () => {
  const program = compiledProgram(path.join(__dirname, 'endless-app.ts'));
  const wanted = Array.from({ length: VARIANTS }, (_, variant) => {
    const fresh = path.join(place, `variant-${variant}`);
    writeApp(fresh, variant);
    return { tree: { ...readFiles(fresh), ...FOREIGN }, visible: { ...visible(fresh), ...FOREIGN } };
  });
  const [folder, log, copy] = ['dist', 'log', 'copy'].map((name) => path.join(place, name));
  for (const [name, content] of Object.entries(FOREIGN)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  writeApp(folder, 0);
  fs.writeFileSync(log, 'done 0\n');
  // Some rounds, of which each stages files and puts them in place.
  const changes = 3 * Object.keys(wanted[0].tree).length;
  const found: Interruption[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const change = 1 + Math.floor((kill - Math.random()) / KILLS * changes);
    await runUntilKilled({ program, folder, log, round: kill * 1001, change });
    const rounds = possibleRounds(log);
    const files = visible(folder);
    const trees = rounds.map((round) => wanted[round % VARIANTS].visible);
    const isWhole = isMixOf(files, trees);
    expect({ kill, change, rounds, isWhole }).toEqual({ kill, change, rounds, isWhole: true });
    found.push({ staged: isStaged(folder), mixed: !trees.some((tree) => isMixOf(files, [tree])) });
    fs.cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    writeApp(copy, kill);
    expect(readFiles(copy)).toEqual(wanted[kill % VARIANTS].tree);
    fs.rmSync(copy, { recursive: true });
  }
  // Otherwise the kills would have missed what they are meant to hit.
  expect(found.filter(({ staged }) => staged).length).toBeGreaterThan(0);
  expect(found.filter(({ mixed }) => mixed).length).toBeGreaterThan(0);
}, TIMEOUT_MS);

/** Files that anybody sees, without the account of what was written. */
function visible(folder: string): Contents {
  return Object.fromEntries(Object.entries(readFiles(folder)).filter(([name]) => !name.startsWith('.cdk8s-cluster-api/')));
}
