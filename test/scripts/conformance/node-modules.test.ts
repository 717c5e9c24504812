import * as fs from 'node:fs';
import * as path from 'node:path';
import { KUBERNETES_RELEASES, minorOf } from '../../../src/manifests/values/kubernetes-releases';

const CONFORMANCE = path.resolve(__dirname, '..', '..', '..', 'conformance');

/** The release of Kubernetes that a module of Go is built with. */
function releaseOf(file: string): string | undefined {
  return /^\s*(?:require )?k8s\.io\/kubernetes (v\S+)/m.exec(fs.readFileSync(path.join(CONFORMANCE, file), 'utf8'))?.[1];
}

test.each(KUBERNETES_RELEASES.slice(0, -1))('nodes of %s are made with the programs of that release', (release) => {
  expect(releaseOf(`nodes/${minorOf(release)}.mod`)).toBe(release);
  expect(fs.readFileSync(path.join(CONFORMANCE, `nodes/${minorOf(release)}.sum`), 'utf8')).toContain(`k8s.io/kubernetes ${release} h1:`);
});

test('nodes of the newest release are made with the programs that the servers are built with', () => {
  expect(releaseOf('servers/go.mod')).toBe(KUBERNETES_RELEASES.at(-1));
});

test('there are no other modules', () => {
  const files = fs.readdirSync(path.join(CONFORMANCE, 'nodes')).filter((name) => /^\d.*\.mod$/.test(name));
  expect(files).toEqual(KUBERNETES_RELEASES.slice(0, -1).map((release) => `${minorOf(release)}.mod`));
});
