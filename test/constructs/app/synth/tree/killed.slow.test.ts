import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { treeOf } from './rounds';
import { contents, visible } from './trees';
import { writeTree } from '../../../../../src/constructs/app/synth/tree/write-tree';
import { compiledProgram } from '../../../../support/compiled';
import { Contents, Interruption, isMixOf, isStaged, possibleRounds, runUntilKilled } from '../../../../support/killed-writer';

const KILLS = 60;

/** Outputs that are written to at a time. */
const FOLDERS = 4;

/** Changes of files that a process is killed at: some rounds, of which each stages files and puts them in place. */
const CHANGES = 3 * 2 * treeOf(0).length;

/** Nothing depends on it: it only ends what would never end. */
const TIMEOUT_MS = 1_800_000;

const FOREIGN: Contents = { 'README.md': 'mine', 'folder-1/mine.yaml': 'mine: true\n', 'folder-2/deeper-1/x/y': '' };

let place: string;
let program: string;

beforeAll(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'killed-'));
  program = compiledProgram(path.join(__dirname, 'endless-writer.ts'));
}, TIMEOUT_MS);

afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

test(`a process that is killed leaves whole files, and the next one mends the tree (${KILLS} times)`, async () => {
  const lanes = Array.from({ length: FOLDERS }, (_, index) => killOften(path.join(place, `${index}`)));
  await Promise.allSettled(lanes);
  const found = await Promise.all(lanes);
  // Otherwise the kills would have missed what they are meant to hit.
  expect(found.flat()).toHaveLength(KILLS);
  expect(found.flat().filter(({ staged }) => staged).length).toBeGreaterThan(KILLS / 20);
  expect(found.flat().filter(({ mixed }) => mixed).length).toBeGreaterThan(KILLS / 20);
}, TIMEOUT_MS);

/** Kills processes that write to one folder, one after the other. */
async function killOften(around: string): Promise<Interruption[]> {
  const [folder, log] = [path.join(around, 'dist'), path.join(around, 'log')];
  write(folder, FOREIGN);
  writeTree(folder, treeOf(0));
  fs.writeFileSync(log, 'done 0\n');
  const kills = KILLS / FOLDERS;
  const found: Interruption[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    const change = 1 + Math.floor((kill - Math.random()) / kills * CHANGES);
    await runUntilKilled({ program, folder, log, round: kill * 1000, change });
    const rounds = possibleRounds(log);
    const files = visible(folder);
    expect(files).toMatchObject(FOREIGN);
    const trees = rounds.map(whole);
    const isWhole = isMixOf(files, trees);
    expect({ kill, change, rounds, isWhole }).toEqual({ kill, change, rounds, isWhole: true });
    found.push({ staged: isStaged(folder), mixed: !trees.some((tree) => isMixOf(files, [tree])) });
    demandMended(folder, path.join(around, 'copy'), kill);
  }
  return found;
}

/** Content of the folder after a round. */
function whole(round: number): Contents {
  return { ...Object.fromEntries(treeOf(round).map((file) => [file.path, file.content.toString()])), ...FOREIGN };
}

/** Has the next process write a copy of the folder. */
function demandMended(folder: string, copy: string, round: number): void {
  fs.cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  const wanted = treeOf(round);
  expect(writeTree(copy, wanted).changedByHand).toEqual([]);
  expect(visible(copy)).toEqual(whole(round));
  const fresh = `${copy}-fresh`;
  writeTree(fresh, wanted);
  expect(contents(copy)).toEqual({ ...contents(fresh), ...FOREIGN });
  [copy, fresh].forEach((one) => fs.rmSync(one, { recursive: true }));
}

function write(folder: string, files: Contents): void {
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
}
