import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeLife } from '../../../scripts/conformance/live/life';
import { plansAgree } from '../../../scripts/conformance/live/life-plans';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';

let folder: string;
let states: string[];
let said: string[];

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'life-'));
  said = [];
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => { said.push(String(text)); });
  states = writeLife(folder);
});

afterAll(() => {
  jest.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

test('each state of a life follows the former one without a refusal, and in the end only the Namespace is to be deleted by hand', () => {
  expect(states.map((state) => path.basename(state).slice(2))).toEqual(['new', 'upgraded', 'without-machines', 'asleep', 'awake', 'decommissioned', 'removed']);
  expect(said).toEqual([expect.stringMatching(/^TC-CHANGE-KEPT-REMOVED Namespace tenant-dune/)]);
});

const POOL = { before: 2, after: 2, kept: 0, newSets: 1, changed: [] };
const EMPTY = { ...POOL, before: 0, after: 0 };

test.each([
  ['agree', { pools: { 'dune-general': POOL, 'dune-burst': EMPTY }, pods: true }, true],
  ['do not agree on a pool', { pools: { 'dune-general': { ...POOL, kept: 2, newSets: 0 }, 'dune-burst': EMPTY }, pods: true }, false],
  ['do not agree on the control plane', { pools: { 'dune-general': POOL, 'dune-burst': EMPTY }, pods: false }, false],
])('of an upgrade, plan and controllers %s', async (_, outcome, agree) => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const file = path.join(folder, 'outcomes.jsonl');
  fs.writeFileSync(file, `${JSON.stringify({ id: states[1], controlPlane: EMPTY, ...outcome })}\n`);
  await expect(plansAgree([states], file)).resolves.toBe(agree);
  expect(log).toHaveBeenLastCalledWith(expect.stringMatching(agree ? /agree\.$/ : /do not agree on 1\.$/));
});
