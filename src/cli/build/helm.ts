import * as path from 'node:path';
import { findProgram, ProgramAnswer, runOver, TimeLimit } from './programs';
import { ChartUnit } from '../../manifests/landscape/chart-units';
import { FileContent } from '../../manifests/landscape/state-content';
import { valuesIn } from '../../manifests/objects/manifest-text';
import { secretsOf } from '../../manifests/objects/secret-values';
import { Surroundings } from '../surroundings';

/** The folder that a chart is in, beside the files with its values. */
const CHART = 'chart';

/** Functions that give another value at each rendering. Source: github.com/Masterminds/sprig functions.go. */
const MAKES_VALUES = /\b(?:rand[A-Z]\w*|gen(?:CA|Signed|SelfSigned|PrivateKey)\w*|uuidv4|htpasswd|bcrypt|encryptAES|shuffle|now|ago)\b/;

/** Stands for such a value. */
const MADE = 'made-at-each-rendering';

/**
 * Program that renders charts on this machine; undefined if none does. It asks no cluster, fetches no dependency, resolves no name and runs no plug-in.
 *
 * Source: helm/helm pkg/cmd/template.go (client-only rendering), pkg/engine/engine.go (EnableDNS).
 *
 * @param foreign folders with files of others, whose programs are not run
 * @param limit the time of each rendering
 */
export function chartRenderer(
  foreign: readonly string[], { env }: Pick<Surroundings, 'env'>, limit: TimeLimit,
): ((unit: ChartUnit) => Promise<ProgramAnswer>) | undefined {
  const program = findProgram('helm', env, foreign);
  return program === undefined ? undefined : async (unit) => {
    const { render, chart, values } = unit;
    const secrets = () => secretsIn(unit);
    const files = new Map<string, FileContent>([...chart].map(([file, content]) => [path.posix.join(CHART, file), content]));
    // Values of a source replace those of the chart.
    if (render.replacesValues) files.set(`${CHART}/values.yaml`, { bytes: Buffer.from('{}') });
    values.forEach((content, index) => files.set(`values-${index}.yaml`, content));
    const args = [
      'template', ...render.namespace === undefined ? [] : ['--namespace', render.namespace], ...render.skipsDefinitions ? [] : ['--include-crds'],
      ...values.flatMap((_, index) => ['--values', `values-${index}.yaml`]), ...render.set.flatMap(({ value, isString }) => [isString ? '--set-string' : '--set', value]),
      '--', render.release, `./${CHART}`,
    ];
    const isStable = ![...chart.values()].some(({ bytes }) => MAKES_VALUES.test(bytes.toString('latin1')));
    const answer = await runOver(program, args, files, limit, secrets);
    if (isStable || !answer.output) return answer;
    const again = await runOver(program, args, files, limit, secrets);
    return again.output ? withoutMade(answer.output, again.output) : again;
  };
}

/** Values of a chart that may be secret: templates write values into errors of their own (`fail`). */
function secretsIn({ chart, values, render }: ChartUnit): readonly string[] {
  const files = [chart.get('values.yaml'), ...values].flatMap((content) => (content ? valuesIn(content.bytes.toString()) : []));
  const parameters = render.set.map(({ value }) => {
    const [name] = value.split('=', 1);
    return { [name.slice(name.lastIndexOf('.') + 1)]: value.slice(name.length + 1) };
  });
  return [...files, ...parameters].flatMap(secretsOf);
}

/** A rendering without what another one of the same chart has otherwise. */
function withoutMade(one: Buffer, other: Buffer): ProgramAnswer {
  const [lines, others] = [one, other].map((text) => text.toString('latin1').split('\n'));
  if (lines.length !== others.length) return { error: 'it renders otherwise each time' };
  const made = lines.map((line, index) => (line === others[index] ? line : `${/^\s*(?:- )?(?:[\w./"'-]+: )?/.exec(line)![0]}${MADE}`));
  return { output: Buffer.from(made.join('\n'), 'latin1'), error: '' };
}
