/*
 * Writes the Go modules that kubeadm and the check of kubelet configurations are built with, one for each minor of Kubernetes that the library supports:
 * conformance/nodes/1.33.mod, 1.33.sum and so on. The newest minor is that of conformance/servers/go.mod.
 *
 *   npm run node-modules    after a change of src/manifests/values/kubernetes-releases.ts
 *
 * Needs Go and the Go module proxy.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { KUBERNETES_RELEASES, minorOf } from '../../../src/manifests/values/kubernetes-releases';
import { moduleText, upstreamModule } from '../../facts/kubernetes-facts';

const FOLDER = path.resolve(__dirname, '..', '..', '..', 'conformance', 'nodes');

/** A module of one minor, which is chosen with `go build -modfile`. */
const MODULE_FILE = /^\d+\.\d+\.(mod|sum)$/;

function main(): void {
  for (const file of fs.readdirSync(FOLDER).filter((name) => MODULE_FILE.test(name))) fs.rmSync(path.join(FOLDER, file));
  for (const release of KUBERNETES_RELEASES.slice(0, -1)) {
    const file = `${minorOf(release)}.mod`;
    const text = moduleText('conformance/nodes', upstreamModule(FOLDER, release), release);
    fs.writeFileSync(path.join(FOLDER, file), `// Written by npm run node-modules.\n${text}\ntool k8s.io/kubernetes/cmd/kubeadm\n`);
    execFileSync('go', ['mod', 'tidy', `-modfile=${file}`], { cwd: FOLDER, stdio: 'inherit' });
  }
}

main();
