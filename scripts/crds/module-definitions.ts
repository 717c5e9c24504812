import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** A Go module with files of definitions. */
interface DefinitionModule {
  readonly module: string;
  readonly version: string;

  /** Checksum of the module, as `go.sum` has it. */
  readonly sum: string;

  /** Files in the module. */
  readonly files: readonly string[];
}

/** Modules with definitions of kinds that examples write, and of which nothing is committed. */
const MODULES: readonly DefinitionModule[] = [{
  // The newest release that the Go module proxy has. The API of v0.95.2 has the same fields in the spec of a PrometheusRule.
  module: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.85.0',
  sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
  files: ['example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
}];

/** The texts of definitions in Go modules. A module that cannot be downloaded has none. */
export function moduleDefinitionTexts(): string[] {
  return MODULES.flatMap((one) => {
    const directory = downloaded(one);
    return directory === undefined ? [] : one.files.map((file) => fs.readFileSync(path.join(directory, file), 'utf8'));
  });
}

function downloaded({ module, version, sum }: DefinitionModule): string | undefined {
  let answer: string;
  try {
    answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
      encoding: 'utf8', env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' }, stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
  const { Dir, Sum } = JSON.parse(answer) as { Dir: string; Sum: string };
  if (Sum !== sum) throw new Error(`the Go module ${module}@${version} has the checksum ${Sum}, not ${sum}`);
  return Dir;
}
