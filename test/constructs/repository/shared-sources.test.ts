import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { GatewayApi } from '../../../src/constructs/addons/catalog/gateway-api';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxDeliveryProps } from '../../../src/constructs/deliveries/flux/flux-delivery-props';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { FileLayout } from '../../../src/constructs/repository/output-folders';
import { exampleCluster, Manifest } from '../../support/clusters';
import { readFiles } from '../../support/examples';

const SOURCES = 'charts/shared-sources';

let place: string;

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'shared-sources-'));
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(place, { recursive: true, force: true });
});

interface Page {
  /** Versions of one chart, by the name of the cluster. */
  readonly versions: { readonly [cluster: string]: string };
  readonly repository?: string;
  readonly delivery?: FluxDeliveryProps;
  readonly only?: string[];
  readonly layout?: FileLayout;
  readonly path?: string;
}

/** Writes an app of clusters with one addon each. Returns what the output holds then. */
function write({ versions, repository = 'https://charts.example.com', delivery, only, layout, path: at = 'dist' }: Page): { readonly [file: string]: string } {
  const app = new GitOpsApp({
    outdir: path.join(place, 'dist'), quiet: true, only, layout, publishedElsewhere: true, entryPoints: new FluxEntryPoints({ sourceName: 'fleet', namespace: 'gitops', path: at }),
  });
  for (const [name, chartVersion] of Object.entries(versions)) {
    const cluster = exampleCluster(app, { namespace: `tenant-${name}`, delivery: new FluxDelivery(delivery) }, name);
    cluster.addAddon(new HelmAddon('db', { chart: 'db', repository, chartVersion, releaseName: 'db', namespace: 'db', images: [] }));
  }
  app.synth();
  return readFiles(app.outdir);
}

function objectsOf(files: { readonly [file: string]: string }, kind: string): Manifest[] {
  return Object.entries(files).filter(([file]) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as Manifest)).filter((object) => object?.kind === kind);
}

function sourceFiles(files: object): string[] {
  return Object.keys(files).filter((file) => file.startsWith(SOURCES) && !file.endsWith('kustomization.yaml'));
}

test('tenants share one source for each version of a chart, in the namespace of the entry points', () => {
  const files = write({ versions: { alpha: '1.0.0', bravo: '1.0.0', charlie: '1.1.0' } });

  expect(sourceFiles(files)).toEqual([expect.stringMatching(/db-1-0-0-[0-9a-f]{8}\.yaml$/), expect.stringMatching(/db-1-1-0-[0-9a-f]{8}\.yaml$/)]);
  const [{ metadata: { name } }, other] = objectsOf(files, 'HelmRepository');
  expect(objectsOf(files, 'HelmRepository')[0]).toEqual({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'HelmRepository',
    metadata: { name, namespace: 'gitops' },
    spec: { interval: '24h0m0s', provider: 'generic', timeout: '1m0s', url: 'https://charts.example.com' },
  });
  expect(objectsOf(files, 'HelmRelease').map(({ spec }) => spec.chart.spec.sourceRef)).toEqual([name, name, other.metadata.name].map((source) => ({
    kind: 'HelmRepository', name: source, namespace: 'gitops',
  })));
  expect(objectsOf(files, 'HelmRelease')[0].spec.chart.spec.interval).toBe('24h0m0s');
  expect(objectsOf(files, 'Kustomization').map(({ metadata }) => metadata.name)).toContain('charts.shared-sources');
});

test('a chart of a registry is one shared object', () => {
  const files = write({ versions: { alpha: '1.0.0', bravo: '1.0.0' }, repository: 'oci://registry.example.com/charts' });
  const [{ metadata, spec }, ...others] = objectsOf(files, 'OCIRepository');
  expect([metadata.namespace, spec.url, spec.ref, others]).toEqual(['gitops', 'oci://registry.example.com/charts/db', { tag: '1.0.0' }, []]);
  expect(objectsOf(files, 'HelmRelease')[1].spec.chartRef).toEqual({ kind: 'OCIRepository', name: metadata.name, namespace: 'gitops' });
});

test('definitions of a Git repository are read once for all tenants', () => {
  const app = new GitOpsApp({ outdir: path.join(place, 'dist'), quiet: true, publishedElsewhere: true, entryPoints: new FluxEntryPoints({ sourceName: 'fleet' }) });
  for (const name of ['alpha', 'bravo']) {
    exampleCluster(app, { namespace: `tenant-${name}`, delivery: new FluxDelivery() }, name).addAddon(new GatewayApi());
  }
  app.synth();
  const files = readFiles(app.outdir);
  const sources = objectsOf(files, 'GitRepository').map(({ metadata }) => ({ kind: 'GitRepository', name: metadata.name, namespace: metadata.namespace }));
  const read = objectsOf(files, 'Kustomization').filter(({ spec }) => spec.sourceRef.name !== 'fleet').map(({ spec }) => spec.sourceRef);
  expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length);
  expect(read.length).toBe(2 * sources.length);
  expect(read.slice(0, sources.length)).toEqual(expect.arrayContaining(sources));
  expect(read.slice(sources.length)).toEqual(read.slice(0, sources.length));
});

test('a repository with a Secret has a source in the namespace of each tenant, where the Secret is', () => {
  const repositories = [{ repository: 'https://charts.example.com', secretName: 'login' }];
  const files = write({ versions: { alpha: '1.0.0', bravo: '1.0.0' }, delivery: { repositories } });
  expect(sourceFiles(files)).toEqual([]);
  expect(objectsOf(files, 'HelmRepository').map(({ metadata }) => metadata.namespace)).toEqual(['tenant-alpha', 'tenant-bravo']);
});

test('a source stays as long as a cluster of the output uses it', () => {
  const [old] = sourceFiles(write({ versions: { alpha: '1.0.0', bravo: '1.1.0' } }));
  const removed = write({ versions: { bravo: '1.1.0' } });
  expect(removed['clusters/tenant-alpha/alpha/addons/db.yaml']).toContain(path.basename(old, '.yaml'));
  expect(sourceFiles(removed)).toContain(old);
  expect(removed[`${SOURCES}/kustomization.yaml`]).toContain(path.basename(old));
  expect(sourceFiles(write({ versions: { alpha: '1.1.0', bravo: '1.1.0' } }))).not.toContain(old);
});

test('sources stay when the last cluster is taken out of the code and lives on', () => {
  const before = write({ versions: { alpha: '1.0.0' } });
  const after = write({ versions: {} });
  expect(sourceFiles(after)).toEqual(sourceFiles(before));
});

test.each([FileLayout.FILE_PER_PART, FileLayout.FILE_PER_OBJECT])('a part of the clusters brings the sources that it needs, and removes none (%s)', (layout) => {
  const before = write({ layout, versions: { alpha: '1.0.0', bravo: '1.0.0' } });
  const after = write({ layout, versions: { alpha: '1.1.0', bravo: '1.1.0' }, only: ['tenant-alpha/alpha'] });
  expect(sourceFiles(after)).toEqual(expect.arrayContaining(sourceFiles(before)));
  expect(sourceFiles(after).length).toBe(2 * sourceFiles(before).length);
  expect(objectsOf(after, 'HelmRelease').map(({ spec }) => spec.chart.spec.sourceRef.name.slice(0, 8))).toEqual(['db-1-1-0', 'db-1-0-0']);
});

test('two apps that one Flux applies do not delete the sources of each other', () => {
  const [one] = sourceFiles(write({ versions: { alpha: '1.0.0' }, path: 'team-a/dist' }));
  const [other] = sourceFiles(write({ versions: { alpha: '1.0.0' }, path: 'team-b/dist' }));
  expect(one).not.toBe(other);
});
