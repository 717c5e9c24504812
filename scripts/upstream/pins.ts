import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import CHART_CATALOGUE from '../../data/charts.json';
import { KUBERNETES_RELEASES, minorOf } from '../../src/manifests/values/kubernetes-releases';
import * as versions from '../../src/manifests/values/versions';

/** A version that is written down somewhere in the repository, and who can be asked for newer ones. */
export interface Pin {
  readonly name: string;

  /** File that contains the version. */
  readonly file: string;
  readonly version: string;

  /** Repository on GitHub and tag of the version there; undefined where no tag is known. */
  readonly git?: { readonly repository: string; readonly tag: string };

  /** The Go module that is released with the same versions. */
  readonly goModule?: string;

  readonly npmPackage?: string;

  /**
   * True if only patch releases are newer ones: later minors have pins of their own.
   *
   * @default false
   */
  readonly patchesOnly?: boolean;

  /** Helm repository that has the chart of this name. */
  readonly helmRepository?: string;
}

/** Go modules whose names do not say where they come from; of others `github.com/OWNER/NAME` is asked for. */
const MODULES: Readonly<Record<string, string>> = {
  'kubernetes/kubernetes': 'k8s.io/kubernetes',
  'kubernetes-sigs/apiserver-network-proxy': 'sigs.k8s.io/apiserver-network-proxy',
  'kubernetes-sigs/cluster-api': 'sigs.k8s.io/cluster-api',
  'kubernetes-sigs/cluster-api-addon-provider-helm': 'sigs.k8s.io/cluster-api-addon-provider-helm',
  'kubernetes-sigs/cluster-api-operator': 'sigs.k8s.io/cluster-api-operator',
  'kubernetes-sigs/cluster-api-provider-kubevirt': 'sigs.k8s.io/cluster-api-provider-kubevirt',
  'kubernetes-sigs/gateway-api': 'sigs.k8s.io/gateway-api',
};

/** Packages that compile the library. */
const PACKAGES: readonly string[] = ['esbuild', 'jsii', 'typescript'];

/** `owner/name` and a tag, as sources are written. */
const TAGGED = /^([\w.-]+\/[\w.-]+)(?::\S+)? (?:@ )?tag ([^\s,;]+)/;

const RELEASED = /^([\w.-]+\/[\w.-]+) docs\/releases\/(v\d+\.\d+\.\d+)\.yml$/;

const ROOT = resolve(__dirname, '../..');

/** Everything of which there may be a newer release. */
export function pins(): Pin[] {
  return [...components(), ...kubernetes(), ...charts(), ...definitions(), ...packages()];
}

function components(): Pin[] {
  return Object.entries(versions).flatMap(([name, value]): Pin[] => {
    if (typeof value === 'function') return [];
    const releases = 'version' in value ? [value] : value;
    // Of several releases, one for each Kubernetes minor, the newest tells whether there are more.
    const { version, source } = releases[releases.length - 1];
    return [{ name, file: 'src/manifests/values/versions.ts', version, ...origin(source, version) }];
  });
}

function kubernetes(): Pin[] {
  const file = 'src/manifests/values/kubernetes-releases.ts';
  return KUBERNETES_RELEASES.map((version) => ({
    name: `Kubernetes ${minorOf(version)}`, file, version, ...gitTag('kubernetes/kubernetes', version), patchesOnly: version !== KUBERNETES_RELEASES.at(-1),
  }));
}

function charts(): Pin[] {
  return Object.entries(CHART_CATALOGUE).map(([name, { version, source, repository }]) => ({
    name: `chart ${name}`,
    file: 'data/charts.json',
    version,
    ...origin(source, version),
    goModule: undefined,
    helmRepository: repository.startsWith('https://') ? repository : undefined,
  }));
}

function definitions(): Pin[] {
  const sources = JSON.parse(readFileSync(join(ROOT, 'scripts/crds/sources.json'), 'utf8')) as { readonly project: string; readonly version: string }[];
  const byProject = new Map(sources.map(({ project, version }) => [project, version]));
  return [...byProject].map(([project, version]) => ({ name: `definitions of ${project}`, file: 'scripts/crds/sources.json', version, ...gitTag(project, version) }));
}

/** Of the peers it is the oldest release that is installed here, on purpose. */
function packages(): Pin[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, { readonly version: string }>> };
  return PACKAGES.map((name) => ({ name, file: 'package-lock.json', version: lock.packages[`node_modules/${name}`].version, npmPackage: name }));
}

function origin(source: string, version: string): Partial<Pin> {
  const tagged = TAGGED.exec(source) ?? RELEASED.exec(source);
  if (!tagged) return {};
  const [, repository, tag] = tagged;
  // A tag of something else, such as the chart that brings the program, tells nothing of its releases.
  return tag.endsWith(version) || version.endsWith(tag.replace(/^.*?(?=v?\d)/, '')) ? gitTag(repository, tag) : {};
}

function gitTag(repository: string, tag: string): Partial<Pin> {
  const major = Number(/^v(\d+)\./.exec(tag)?.[1] ?? 0);
  const base = MODULES[repository] ?? `github.com/${repository}`;
  return { git: { repository, tag }, ...(/^v\d/.test(tag) && { goModule: major < 2 ? base : `${base}/v${major}` }) };
}
