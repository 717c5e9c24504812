import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { testedVersions } from '../../src/constructs/management/version-matrix';
import { KUBERNETES_RELEASES, SUPPORTED_MINORS } from '../../src/manifests/values/kubernetes-releases';
import { NEWEST_PLUS, NODES, TYPESCRIPTS } from '../package/toolchains';

interface PackageFile {
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly [name: string]: string };
}

/** The table of everything that has a version and that the library works with. */
export function versionTable(): string {
  const { engines, peerDependencies } = JSON.parse(readFileSync(resolve(join(__dirname, '../../package.json')), 'utf8')) as PackageFile;
  const rows = [
    ['Kubernetes of tenants', `${SUPPORTED_MINORS[0]}.x to ${SUPPORTED_MINORS.at(-1)!}.x; newer ones with a warning`, `flags, gates and fields of ${KUBERNETES_RELEASES.join(', ')}`],
    ...testedVersions().map(({ title, tested, pinned }) => [title.replace(/^the /, ''), tested, `default ${pinned}`]),
    ['Node.js', '22 or newer', `${engines.node} works; tested with ${NODES.join(', ')}`],
    ['TypeScript', TYPESCRIPTS.map((major) => `${major}.x`).join(', '), ''],
    ...Object.entries(peerDependencies).map(([name, range]) => [`\`${name}\``, range, 'tested with the oldest and the newest']),
    ['constructs of other `cdk8s-plus-…` in `workloads`', 'any that takes the same `cdk8s`', `tested with \`${NEWEST_PLUS}\``],
  ];
  return ['| what | supported | |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n') + '\n';
}
