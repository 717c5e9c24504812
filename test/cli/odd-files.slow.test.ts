import * as fs from 'node:fs';
import * as fc from 'fast-check';
import { Workplace } from './run';
import { goldenManifests } from '../../scripts/golden/golden-manifests';
import { ExitCode } from '../../src/cli/command';

const COUNT = 10_000;
const SEED = 20260;
const TEXTS = goldenManifests().flatMap(([, text]) => text.split(/^---$/m)).filter((text) => text.trim() !== '');
const ENDED_WELL: readonly ExitCode[] = [ExitCode.OK, ExitCode.FINDINGS, ExitCode.FAILED];

const text = fc.constantFrom(...TEXTS);
const place = (of: string, share: number) => Math.floor(of.length * share);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const piece = fc.constantFrom(
  '{', '}', '[', ']', ': ', '- ', '\n', '\t', '"', '\'', '|', '>', '&a ', '*a', '<<: *a', '!!binary ', '!<tag:x> ', '%YAML 1.9', '---', '...', '#', '? ', '\u0000', '\u001b[2J',
  '\u202e', '\ufeff', '\ud800', '::error::', '.inf', '1e999', '0o17', '__proto__: {a: 1}', 'constructor: null', 'toString: null', '9'.repeat(400),
);

/** Possible content of a repository: bytes, pieces of manifests, and harmful input. */
const content: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 2000, unit: 'binary' }),
  fc.tuple(text, share).map(([one, cut]) => one.slice(0, place(one, cut))),
  fc.tuple(text, text, share, share).map(([one, other, end, start]) => one.slice(0, place(one, end)) + other.slice(place(other, start))),
  fc.tuple(text, share, piece).map(([one, at, inside]) => one.slice(0, place(one, at)) + inside + one.slice(place(one, at))),
  fc.tuple(text, share, share, piece).map(([one, from, to, inside]) => one.slice(0, place(one, from)) + inside + one.slice(place(one, to))),
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
  fc.json({ maxDepth: 6 }).map((json) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":${json},"data":${json},"spec":${json}}`),
  fc.tuple(text, fc.anything({ maxDepth: 2 })).map(([one, value]) => one.replace(/^spec:$/m, `spec: ${JSON.stringify(value) ?? '~'}`)),
  fc.integer({ min: 1, max: 200_000 }).map((depth) => '[{"a":'.repeat(depth)),
  fc.integer({ min: 2, max: 40 }).map((length) => Array.from({ length }, (_, index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}, *a${index - 1}`}]`).join('\n')),
  fc.constantFrom('a: &a {<<: *a}', 'metadata: &m {name: c, "<<": *m}', '&a [*a]', 'a: &a\n  b: *a\n', `a: ${'x'.repeat(3_000_000)}`, `${'a: 1\n---\n'.repeat(20_000)}`),
);

test(`none of ${COUNT} odd files makes a command crash or hang, and each that cannot be read is named`, async () => {
  const workplace = new Workplace();
  const wrong: string[] = [];
  const contents = fc.sample(content, { numRuns: COUNT, seed: SEED });
  for (const [index, odd] of contents.entries()) {
    const name = `odd-${index}.yaml`;
    workplace.write({ [name]: odd });
    for (const command of [['validate'], ['images'], ['inventory'], ['graph']]) {
      const { code, out, err } = await workplace.run([...command, name]);
      const isNamed = code !== ExitCode.FAILED || `${out}${err}`.includes(name);
      if (!ENDED_WELL.includes(code) || !isNamed) wrong.push(`${command.join(' ')} ${name} ends with ${code}: ${err.slice(0, 300)}`);
    }
    fs.rmSync(workplace.path(name));
  }
  workplace.remove();
  expect(wrong).toEqual([]);
}, 3_600_000);
