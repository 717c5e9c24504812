import * as fs from 'node:fs';
import * as path from 'node:path';
import { GitRepository } from './git-repository';
import { WARNINGS } from '../../src/constructs/app/problems/warnings';

const EXAMPLES = path.join(__dirname, '..', '..', 'examples');

const PACKAGES = new Map(['cdk8s', 'cdk8s-plus-28', 'constructs', 'cdk8s-cluster-api', 'cdk8s-cluster-api/manifests'].map((name) => [name, jest.requireActual<object>(name)]));

/** Examples that tests of their own look at: too much output to compare as a whole. */
const APART: readonly string[] = ['fleet'];

/** The examples, by the name of their folder. */
export function exampleNames(): string[] {
  return fs.readdirSync(EXAMPLES).filter((name) => fs.existsSync(path.join(EXAMPLES, name, 'main.ts')) && !APART.includes(name)).sort();
}

/** Output of an example, by the path of the file. Files in folders go to tenants or hosts; the others are for the management cluster. */
export function runExample(name: string): { [file: string]: string } {
  return withExample(name, readFiles);
}

/**
 * Runs the program of an example, with the packages that the test has: to load the library anew takes longer than most examples.
 *
 * @param name the folder of the example
 * @param replaced exports of the library that the example gets in place of its own
 */
export function loadExample(name: string, replaced: object = {}): void {
  PACKAGES.forEach((loaded, packageName) => jest.doMock(packageName, () => (packageName === 'cdk8s-cluster-api' ? { ...loaded, ...replaced } : loaded)));
  jest.isolateModules(() => {
    jest.requireActual(path.join(EXAMPLES, name, 'main.ts'));
  });
}

/** Runs an example at the top of a Git repository, as its reader does. It must not warn, and Git must not ignore what it writes. */
export function withExample<T>(name: string, read: (outdir: string) => T, replaced: object = {}): T {
  const repository = new GitRepository();
  const outdir = repository.at('dist');
  const previous = process.env.CDK8S_OUTDIR;
  process.env.CDK8S_OUTDIR = outdir;
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  try {
    loadExample(name, replaced);
    expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual([]);
    expect(repository.git('status', '--porcelain', '--ignored')).not.toContain('!!');
    return read(outdir);
  } finally {
    warn.mockRestore();
    if (previous === undefined) delete process.env.CDK8S_OUTDIR;
    else process.env.CDK8S_OUTDIR = previous;
    repository.remove();
  }
}

/** The files below a folder, by path, sorted. */
export function readFiles(folder: string): { [file: string]: string } {
  const files = fs.readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(files.sort().map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
}
