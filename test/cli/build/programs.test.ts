import * as os from 'node:os';
import { run, runOver, TimeLimit } from '../../../src/cli/build/programs';

const CALL = { program: process.execPath, cwd: os.tmpdir(), env: {} };

test('a program that does not end in its time is ended, and the answer states that', async () => {
  expect(await run({ ...CALL, args: ['--eval', 'setInterval(() => {}, 1000)'], seconds: 0.5 })).toEqual({ error: 'did not end in 0.5 seconds', isLate: true });
  expect(await run({ ...CALL, args: ['--eval', 'process.exit(3)'], seconds: 60 })).toEqual({ error: 'ended with 3', isRefused: true });
});

test('each run that takes too long leaves half of its time to the next one', async () => {
  class ShortLimit extends TimeLimit {
    public override get seconds(): number {
      return super.seconds / 100;
    }
  }
  const limit = new ShortLimit();
  const asked = async () => (await runOver(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], new Map(), limit)).error;
  expect([await asked(), await asked()]).toEqual(['did not end in 0.6 seconds', 'did not end in 0.3 seconds']);
  for (let count = 0; count < 100; count++) limit.exceeded();
  expect(limit.seconds).toBe(0.05);
});

test('a run that ends leaves the time as it is', async () => {
  const limit = new TimeLimit();
  await runOver(process.execPath, ['--eval', 'process.exit(1)'], new Map(), limit);
  expect(limit.seconds).toBe(60);
});

test('an error shows no secret that the program was given', async () => {
  const asked = async (error: string, secrets: readonly string[]) => (
    (await runOver(process.execPath, ['--eval', `console.error(${JSON.stringify(error)}); process.exit(1)`], new Map(), new TimeLimit(), () => secrets)).error);
  expect(await asked('Error: no user hunter2-hunter2, pin 1234 of 91234', ['1234', 'hunter2-hunter2', ' '])).toBe('no user (hidden), pin (hidden) of 91234');
  expect(await asked(`${'around it: '.repeat(50)}x${'hunter2'.repeat(30)}`, ['hunter2'.repeat(30)])).toMatch(/around it: x\(hidden\)$/);
});

test('a signal that ends the command ends its programs first', async () => {
  const kill = process.kill.bind(process);
  const killed = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => pid === process.pid || kill(pid, signal));
  const before = process.listenerCount('SIGTERM');
  const answer = run({ ...CALL, args: ['--eval', 'setInterval(() => {}, 1000)'], seconds: 60 });
  process.emit('SIGTERM', 'SIGTERM');
  expect(await answer).toEqual({ error: 'was ended by a signal' });
  await new Promise((resolve) => { setImmediate(resolve); });
  expect(killed).toHaveBeenCalledWith(process.pid, 'SIGTERM');
  expect(process.listenerCount('SIGTERM')).toBe(before);
  killed.mockRestore();
});

test('a program that asks for all memory fails, and the machine keeps its own', async () => {
  const program = 'const all = []; try { for (;;) all.push(Buffer.alloc(256 * 1024 * 1024, 1)); } catch ({ message }) { console.error(message); process.exit(1); }';
  const { output, error } = await runOver(process.execPath, ['--eval', program], new Map(), new TimeLimit());
  expect([output, error]).toEqual([undefined, expect.stringContaining('allocation failed')]);
});

test.each([
  ['a: `\\n password: b\\n `: line 2: c', 'a: (…): line 2: c'],
  ['a: `b`: `c`', 'a: `b`: `c`'],
  ['a: `\\n", ..."\\n".repeat(60000), "b', 'a: `'],
])('of an error %s a plan shows %s', async (text, shown) => {
  const { error } = await runOver(process.execPath, ['--eval', `process.stderr.write(["${text}"].join("")); process.exitCode = 1`], new Map(), new TimeLimit());
  expect(error).toBe(shown);
});
