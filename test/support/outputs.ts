import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App } from 'cdk8s';
import { Manifest } from './clusters';
import { exampleNames, readFiles, withExample } from './examples';
import { Files, readGolden } from '../../scripts/golden/golden-store';
import { SortedFiles, sortFiles } from '../../scripts/golden/sort-files';
import { GitOpsApp } from '../../src/constructs/repository/gitops-app';
import { SCENARIOS } from '../scenarios';

/** Seven times as fast as `yaml`, which matters for all golden files. */
const { loadAll, CORE_SCHEMA } = jest.requireActual<JsYaml>('js-yaml');

interface JsYaml {
  readonly CORE_SCHEMA: object;
  loadAll(text: string, each: null, options: object): unknown[];
}

/** Output of a program. */
export interface Output extends SortedFiles {
  /** All files, by path and for programs their mode. */
  readonly files: Files;
}

const OWN = /(^|\/)\.cdk8s-cluster-api\//;

/** Output of every example and every scenario, by name. */
export const OUTPUTS: { readonly [name: string]: () => Output } = {
  ...Object.fromEntries(exampleNames().map((name) => [`example-${name}`, () => withExample(name, readOutput)])),
  ...Object.fromEntries(Object.entries(SCENARIOS).map(([name, build]) => [name, () => synthesize(build)])),
};

/** Output of an app that a function fills. */
export function synthesize(build: (app: App) => void): Output {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'output-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    build(app);
    app.synth();
    return readOutput(outdir);
  } finally {
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}

/** Objects of examples and scenarios for clusters, by name, read from the golden files. */
export function goldenOutputs(): [name: string, output: SortedFiles][] {
  return Object.entries(readGolden()).map(([name, files]): [string, SortedFiles] => [name, sortFiles(files)]).filter(([, { management }]) => management !== '');
}

/** The objects of a YAML text. */
export function parse(text: string): Manifest[] {
  return (loadAll(text, null, { schema: CORE_SCHEMA }) as Manifest[]).filter(Boolean);
}

function readOutput(outdir: string): Output {
  const files = Object.fromEntries(Object.entries(readFiles(outdir)).filter(([file]) => !OWN.test(file)).map(([file, text]) => {
    const isExecutable = (fs.statSync(path.join(outdir, file)).mode & 0o111) !== 0; // eslint-disable-line no-bitwise
    return [isExecutable ? `${file} 0755` : file, text];
  }));
  return { ...sortFiles(files), files };
}
