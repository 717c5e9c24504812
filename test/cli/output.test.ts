import * as fc from 'fast-check';
import { Workplace } from './run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

// Characters that move the cursor, color or hide text, turn its direction, or end a line, except line ends and tabs.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/;
const OURS = /^::(error|warning) [^:]*::/;

const COMMANDS: readonly (readonly string[])[] = [
  ...['text', 'json', 'sarif', 'github'].map((format) => ['validate', '--format', format]),
  ...['table', 'json', 'csv'].map((format) => ['inventory', '--format', format]),
  ...['mermaid', 'svg', 'html'].map((format) => ['graph', '--format', format]),
  ...['text', 'markdown', 'json', 'github', 'sarif'].map((format) => ['plan', '--format', format, 'old']),
  ...['text', 'json'].map((format) => ['drift', '--format', format, '--all', '--live', 'old/a.yaml']),
  ['images'],
];

/** Lines that a terminal or a workflow would take for more than text. */
function harmful(text: string): string[] {
  return text.split('\n').filter((line) => UNSEEN.test(line.replace(/\r$/, '')) || (/^\s*::|##\[/.test(line) && !OURS.test(line)));
}

/** Manifests with a string in all places that are printed. */
function manifests(text: string): string {
  return [
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: text, namespace: text }, spec: { infrastructureRef: { kind: text, name: text, apiGroup: 'a' } } },
    { apiVersion: text, kind: text, metadata: { name: text } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: text, [text]: text }, spec: { template: { spec: { containers: [{ name: text, image: text }] } } } },
  ].map((object) => JSON.stringify(object)).join('\n---\n');
}

async function printed(command: readonly string[], text: string, file: string): Promise<string> {
  workplace.write({ [`new/${file}.yaml`]: manifests(text), 'old/a.yaml': manifests('a') });
  const { out, err } = await workplace.run([...command, 'new']);
  return `${out}\n${err}`;
}

describe.each(COMMANDS.map((command) => [command.join(' '), command] as const))('%s', (_, command) => {
  test('prints nothing that is more than text', async () => {
    const hostile = 'a\n::error::b\n  ::add-mask::c\n##[group]d\u001b[2J\u001b]0;e\u0007\u202ef\u2066g\rh\u009b31m';
    expect(harmful(await printed(command, hostile, 'x\n::stop-commands::y\u001b[31m'))).toEqual([]);
  });

  test('prints nothing that is more than text, whatever it reads', async () => {
    const parts = fc.constantFrom('\n', '\r', '\u001b[1m', '\u202e', '::', '##[', 'error', ' ', 'a', '\u0085', '\u2028', ':', '%0A');
    await fc.assert(fc.asyncProperty(fc.array(parts, { maxLength: 8 }).map((list) => list.join('')), async (text) => {
      expect(harmful(await printed(command, text, `x${text.replace(/[\0/]/g, '')}`))).toEqual([]);
    }), { numRuns: 8 });
  });
});

test('an error of the command line shows what it was given', async () => {
  const { err } = await workplace.run(['validate', 'no\n::error::such\u001b[2J']);
  expect(harmful(err)).toEqual([]);
  expect(err).toContain('\\u001b[2J');
});

test('JSON keeps the values that it prints', async () => {
  workplace.write({ 'a.yaml': JSON.stringify({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a\u202eb' } }) });
  const { out } = await workplace.run(['inventory', '--format', 'json', 'a.yaml']);
  expect(out).toContain('a\\u202eb');
  expect(JSON.stringify(JSON.parse(out))).toContain('a\u202eb');
});
