import { createRequire } from 'node:module';
import * as path from 'node:path';
import { packageFolder } from '../../manifests/values/package-files';
import { CommandError } from '../command';

/** The exports of a package. */
export type Exports = Readonly<Record<string, unknown>>;

/** The packages that pages import. */
export interface Library {
  readonly library: Exports;
  readonly cdk8s: Exports;
}

/** The half of the package that writes manifests, which the command line does without otherwise: pages are run with it. */
export function loadLibrary(): Library {
  const root = packageFolder();
  if (root === undefined) throw new CommandError(['the program in a single file has no constructs'], 'run "npx cdk8s-cluster-api adopt" from the package');
  const load = createRequire(path.join(root, 'package.json'));
  try {
    return { library: load(root) as Exports, cdk8s: load('cdk8s') as Exports };
  } catch (error) {
    throw new CommandError([`the constructs cannot be loaded: ${(error as Error).message.split('\n')[0]}`], 'install cdk8s, cdk8s-plus-28 and constructs beside this package');
  }
}
