import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App } from 'cdk8s';
import { Manifest } from './clusters';
import { exampleNames, readFiles, withExample } from './examples';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { SCENARIOS } from '../scenarios';

/** Seven times as fast as `yaml`, which matters for all golden files. */
const { loadAll, CORE_SCHEMA } = jest.requireActual<JsYaml>('js-yaml');

interface JsYaml {
  readonly CORE_SCHEMA: object;
  loadAll(text: string, each: null, options: object): unknown[];
}

/** What a program writes. */
export interface Output {
  /** The text for the management cluster. */
  readonly management: string;

  /** The files that a delivery reads from the repository, by path `clusters/<namespace>/<cluster>/delivered/<delivery>/<file>`. */
  readonly tenants: { readonly [file: string]: string };

  /** The files that list what folders hold, by path. */
  readonly lists: { readonly [file: string]: string };

  /** Paths of all files. */
  readonly files: readonly string[];

  /** The files of hosts and of whatever is installed by hand, by path `<cluster>/…`. */
  readonly hosts: { readonly [file: string]: HostText };
}

/** A file of a host, and whether it is a program. */
export interface HostText {
  readonly text: string;
  readonly executable: boolean;
}

const OWN = /(^|\/)\.cdk8s-cluster-api\//;
const OF_TENANT = /\/delivered\/[^/]+\/[^/]+\.yaml$/;
const OF_CHART = /(^|\/)((clusters|charts|flux|argocd)\/.*\.yaml|[^/]+\.k8s\.yaml)$/;
const LIST = /(^|\/)kustomization\.yaml$/;

const GOLDEN = path.join(__dirname, '../golden');
const GOLDEN_TENANTS = path.join(__dirname, '../golden-tenants');

/** What every example and every scenario writes, by name. */
export const OUTPUTS: { readonly [name: string]: () => Output } = {
  ...Object.fromEntries(exampleNames().map((name) => [`example-${name}`, () => withExample(name, readOutput)])),
  ...Object.fromEntries(Object.entries(SCENARIOS).map(([name, build]) => [name, () => synthesize(build)])),
};

/** What an app writes that a function fills. */
export function synthesize(build: (app: App) => void): Output {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'output-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    build(app);
    app.synth();
    return { ...readOutput(outdir), management: app.synthYaml() };
  } finally {
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}

/** What examples and scenarios write for clusters, by name, read from the golden files. */
export function goldenOutputs(): [name: string, output: Pick<Output, 'management' | 'tenants'>][] {
  return fs.readdirSync(GOLDEN).map((file) => {
    const tenants = path.join(GOLDEN_TENANTS, file);
    const parts = fs.existsSync(tenants) ? fs.readFileSync(tenants, 'utf8').split(/^# (\S+\/delivered\/\S+)\n/m).slice(1) : [];
    const texts = parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : []));
    return [path.basename(file, '.yaml'), { management: fs.readFileSync(path.join(GOLDEN, file), 'utf8'), tenants: Object.fromEntries(texts) }];
  });
}

/** The objects of a YAML text. */
export function parse(text: string): Manifest[] {
  return (loadAll(text, null, { schema: CORE_SCHEMA }) as Manifest[]).filter(Boolean);
}

function readOutput(outdir: string): Output {
  const files = Object.fromEntries(Object.entries(readFiles(outdir)).filter(([file]) => !OWN.test(file)));
  const paths = Object.keys(files);
  // A user's own list of a folder is all that is in it.
  const lists = paths.filter((file) => LIST.test(file) && (!OF_TENANT.test(file) || files[file.replace(LIST, '$1manifests.yaml')] !== undefined));
  const tenants = paths.filter((file) => OF_TENANT.test(file) && !lists.includes(file));
  const management = paths.filter((file) => OF_CHART.test(file) && !lists.includes(file) && !tenants.includes(file));
  const hosts = paths.filter((file) => ![...lists, ...tenants, ...management].includes(file));
  return {
    management: management.map((file) => files[file]).join('---\n'),
    tenants: pick(files, tenants),
    lists: pick(files, lists),
    files: paths,
    hosts: Object.fromEntries(hosts.map((file) => [file, {
      text: files[file], executable: (fs.statSync(path.join(outdir, file)).mode & 0o111) !== 0, // eslint-disable-line no-bitwise
    }])),
  };
}

function pick(files: { readonly [file: string]: string }, paths: readonly string[]): { readonly [file: string]: string } {
  return Object.fromEntries(paths.map((file) => [file, files[file]]));
}
