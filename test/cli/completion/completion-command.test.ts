import { execFileSync, spawnSync } from 'node:child_process';
import { ExitCode } from '../../../src/cli/command';
import { COMMANDS } from '../../../src/cli/main';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function script(shell: string): Promise<string> {
  return (await workplace.run(['completion', shell])).out;
}

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Typed words, the last of them under the cursor, and their completions. */
const CASES: readonly (readonly [string[], string[]])[] = [
  [['val'], ['validate']],
  [['images', 'l'], ['lock']],
  [['images', 'lock', '--mi'], ['--mirror']],
  [['images', '--fo'], ['--format']],
  [['validate', 'dist', '--warn'], ['--warnings-as-errors']],
  [['validate', '--format', 's'], ['sarif']],
  [['plan', '--format', ''], ['text', 'markdown', 'json', 'github', 'sarif']],
  [['explain', 'TC-ADDON-CY'], ['TC-ADDON-CYCLE']],
  [['completion', ''], ['bash', 'zsh', 'fish']],
];

describe('bash', () => {
  async function complete(words: readonly string[]): Promise<string[]> {
    workplace.write({ 'completion.bash': await script('bash') });
    const text = 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cdk8s_cluster_api; printf \'%s\\n\' "${COMPREPLY[@]}"';
    const out = execFileSync('bash', ['--noprofile', '--norc', '-c', text, 'bash', 'cdk8s-cluster-api', ...words], { cwd: workplace.folder, encoding: 'utf8' });
    return out.split('\n').filter((line) => line !== '');
  }

  test.each(CASES)('%j', async (words, expected) => {
    expect(await complete(words)).toEqual(expected);
  });

  test('every command is offered, and files where files are meant', async () => {
    expect(await complete([''])).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name.split(' ')[0])));
    expect(await complete(['validate', ''])).toEqual([]);
    expect(await complete(['graph', '--output', ''])).toEqual([]);
    expect(await script('bash')).toContain('complete -o default -F');
  });

  test('bash splits an option at its sign', async () => {
    expect(await complete(['validate', '--format', '=', 'j'])).toEqual(['json']);
    expect(await complete(['validate', '--format', '='])).toEqual(['text', 'json', 'sarif', 'github']);
  });
});

describe('fish', () => {
  const run = has('fish') ? test : test.skip;

  run.each(CASES)('%j', async (words, expected) => {
    workplace.write({ 'completion.fish': await script('fish') });
    const line = ['cdk8s-cluster-api', ...words].join(' ');
    const out = execFileSync('fish', ['--no-config', '-c', `source ./completion.fish; complete -C '${line}'`], {
      cwd: workplace.folder, encoding: 'utf8', env: { ...process.env, HOME: workplace.folder },
    });
    expect(out.split('\n').filter((text) => text !== '').map((text) => text.split('\t')[0]).sort()).toEqual([...expected].sort());
  });
});

describe('zsh', () => {
  const run = has('zsh') ? test : test.skip;

  run.each(CASES)('%j', async (words, expected) => {
    // compadd prints what it is given, as far as it fits the word under the cursor.
    const stubs = `compadd() { local word; shift; for word; do [[ $word == "\${words[CURRENT]}"* ]] && print -r -- $word; done; return 0 }
_describe() { local entry; for entry in "\${(@P)2}"; do [[ $entry == "\${words[CURRENT]}"* ]] && print -r -- "\${entry%%:*}"; done; return 0 }
_files() { : }; compset() { : }; compdef() { : }`;
    workplace.write({ 'completion.zsh': await script('zsh'), 'stubs.zsh': stubs });
    const out = execFileSync('zsh', ['-f', '-c', 'source ./stubs.zsh; source ./completion.zsh; words=("$@"); CURRENT=$#; _cdk8s_cluster_api', 'zsh', 'cdk8s-cluster-api', ...words], {
      cwd: workplace.folder, encoding: 'utf8',
    });
    expect(out.split('\n').filter((text) => text !== '')).toEqual(expected);
  });
});

test.each([
  [[], 'completion needs the name of a shell'],
  [['tcsh'], 'there is no completion for "tcsh"'],
  [['bash', 'zsh'], 'there is no completion for "bash zsh"'],
])('%j is refused', async (args, fault) => {
  const { code, out, err } = await workplace.run(['completion', ...args]);

  expect({ code, out }).toEqual({ code: ExitCode.FAILED, out: '' });
  expect(err).toContain(`error: ${fault}`);
});
