import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeProvidersPage } from './providers-page';
import { loadCrds } from '../../crds/load';
import { servedSources } from '../../crds/obtainable';
import { writeSorted } from '../../golden/write-sorted';
import { GoProgram } from '../go-program';
import { prepareUpstream } from '../upstream';

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
    await loadCrds({ sources: servedSources() });
    for (const name of SOURCES) await prepareUpstream(name);
    writeSorted(folder);
    // The providers of this example have the options of their releases, but for replicas.
    const example = path.join(folder, 'tenants', 'example-management-cluster.yaml');
    return await program.run([...passedOn, `--install=${example}`, `--install=${writeProvidersPage(folder)}`]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
