import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Workplace } from './run';
import { ExitCode } from '../../src/cli/command';
import { COMMANDS, main } from '../../src/cli/main';
import { compiledProgram } from '../support/compiled';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (option) => {
  const { code, out } = await workplace.run([option]);
  expect(code).toBe(ExitCode.OK);
  for (const { name, summary } of COMMANDS) expect(out).toContain(`${name.padEnd(11)}  ${summary}`);
});

test.each(COMMANDS.map((command) => [command]))('$name --help says what it does, with every option in it', async (command) => {
  const { code, out } = await workplace.run([...command.name.split(' '), 'whatever', '--help']);
  expect(code).toBe(ExitCode.OK);
  expect(out).toBe(command.help);
  expect(out).toContain(`cdk8s-cluster-api ${command.name}: `);
  expect(out).not.toMatch(/undefined|\[object/);
  expect(out.split('\n').filter((line) => line.length > 140)).toEqual([]);
});

test('help says the same', async () => {
  expect((await workplace.run(['help', 'images', 'lock'])).out).toBe((await workplace.run(['images', 'lock', '--help'])).out);
  expect(await workplace.run(['help', 'imagse'])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining('did you mean images?') });
});

test.each([['--version'], ['-v'], ['version']])('%s is that of the package', async (argument) => {
  const own = JSON.parse(fs.readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  expect(await workplace.run([argument])).toEqual({ code: ExitCode.OK, out: `${own.version}\n`, err: '' });
});

test.each([
  [[], 'no command', 'Usage:'],
  [['imagse'], 'there is no command "imagse"; did you mean images?', '--help'],
  [['frobnicate'], 'there is no command "frobnicate"\n', '--help'],
  [['images', '--fromat', 'json'], 'there is no option --fromat; did you mean --format?', 'images --help'],
  [['images', 'lock', '--chekc'], 'there is no option --chekc; did you mean --check?', 'images lock --help'],
  [['images', '--xyz'], 'there is no option --xyz\n', 'images --help'],
  [['images', ''], 'the name of a file or folder is empty', 'name the folder'],
  [['images', '--format'], "Option '--format <value>' argument missing", 'images --help'],
  [['images', '--format', 'xml'], '--format "xml" is not known', 'text, json, copy'],
])('%j cannot run, and says why', async (args, fault, fix) => {
  const { code, out, err } = await workplace.run(args);
  expect(code).toBe(ExitCode.FAILED);
  expect(out).toBe('');
  expect(err).toContain(`error: ${fault}`);
  expect(err).toContain(fix);
});

test('a mistake of the program itself is not blamed on the user', async () => {
  let err = '';
  const code = await main(['images', '-'], {
    cwd: '/', env: {}, out: () => undefined, err: (text) => { err += text; }, readInput: () => Promise.reject(new TypeError('oh')),
  });
  expect(code).toBe(ExitCode.BROKEN);
  expect(err).toContain('TypeError: oh');
  expect(err).toContain('mistake of cdk8s-cluster-api itself');
});

test('the program of the package is the one that is tested here', () => {
  const own = JSON.parse(fs.readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as { bin: { [name: string]: string } };
  const bin = path.join(__dirname, '../..', own.bin['cdk8s-cluster-api']);
  fs.accessSync(bin, fs.constants.X_OK);
  expect(fs.readFileSync(bin, 'utf8')).toBe("#!/usr/bin/env node\nrequire('../lib/program').runProgram();\n");
});

describe('output that cannot be written', () => {
  const ROOT = path.join(__dirname, '../..');
  const program = compiledProgram(path.join(ROOT, 'src/program.ts'));

  /** Runs the program in a shell, its standard output and error as that says; what is printed on file descriptor 3 comes back. */
  function inShell(args: readonly string[], where: string): string {
    const text = `process.argv = ${JSON.stringify(['node', 'x', ...args])}; require(${JSON.stringify(program)}).runProgram()`;
    return execFileSync('sh', ['-c', `exec 3>&1; { "$0" -e "$1"; echo "ended with $?" >&3; } ${where}`, process.execPath, text], {
      cwd: ROOT, encoding: 'utf8', stdio: 'pipe',
    });
  }

  test('a reader that has seen enough ends the program in peace', () => {
    expect(inShell(['images', '--help'], '| true')).toBe('ended with 0\n');
  });

  test('a reader of errors that has seen enough changes nothing', () => {
    expect(inShell(['validate', workplace.path('missing')], '2>&1 >&3 | true')).toBe('ended with 2\n');
  });

  test('a full disk is told in one line', () => {
    expect(inShell(['images', '--help'], '2>&3 >/dev/full')).toBe('error: the output cannot be written: ENOSPC: no space left on device, write\nended with 70\n');
  });
});
