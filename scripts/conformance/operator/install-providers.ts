import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeProvidersPage } from './providers-page';
import { loadCrds } from '../../crds/load';
import { obtainableSources } from '../../crds/obtainable';
import { GoProgram } from '../go-program';
import { prepareUpstream } from '../upstream';

/** The providers of the example management-cluster, whose options are those of their releases but for replicas. */
const EXAMPLE = path.resolve(__dirname, '..', '..', '..', 'test', 'golden-tenants', 'example-management-cluster.yaml');

/** Providers whose manifests are built from sources that the Go module proxy does not have. */
const SOURCES = ['cluster-api-control-plane-provider-kamaji', 'cluster-api-addon-provider-helm'];

/**
 * Lets the real Cluster API Operator install providers, and change all their options.
 *
 * @param passedOn arguments of the program
 * @returns the exit code
 */
export async function installProviders(program: GoProgram, passedOn: readonly string[]): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-operator-'));
  try {
    await loadCrds({ sources: obtainableSources() });
    for (const name of SOURCES) await prepareUpstream(name);
    return await program.run([...passedOn, `--install=${EXAMPLE}`, `--install=${writeProvidersPage(folder)}`]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
