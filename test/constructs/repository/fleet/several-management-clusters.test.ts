import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { exampleFleet, exampleOptions, POOLED } from './fleets';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ClusterEntry } from '../../../../src/constructs/repository/fleet/cluster-list';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../../support/examples';
import { ENTRY_POINTS } from '../../../support/many-clusters';
import { amount } from '../../../support/sample';

const NAMES = ['hall-a', 'hall-b', 'hall-c', 'hall-d'];
const HALLS = new Map(NAMES.map((name, index) => [name, new ImportedManagementCluster({ name, podCidrs: [`10.24${index}.0.0/16`] })]));
const COUNT = amount(200, 24);

const PROFILE = { ...POOLED, props: ({ region = '' }) => exampleOptions({ managementCluster: HALLS.get(region) }) };

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-'));
});

afterEach(() => fs.rmSync(outdir, { recursive: true, force: true }));

function entry(index: number): ClusterEntry {
  return { name: `c${index}`, region: NAMES[index % NAMES.length], ring: 'main' };
}

function synthesize(entries: ClusterEntry[], folderPerManagementCluster = true): { [file: string]: string } {
  const app = new GitOpsApp({ outdir, quiet: true, entryPoints: ENTRY_POINTS.flux, folderPerManagementCluster });
  exampleFleet(app, entries, { profiles: { plain: PROFILE } });
  app.synth();
  return readFiles(outdir);
}

test('the tenants of one fleet are in the folders of their four management clusters', () => {
  const entries = Array.from({ length: COUNT }, (_, index) => entry(index));
  const files = synthesize(entries);
  const clusters = Object.keys(files).flatMap((file) => /^([^/]+)\/clusters\/tenant-(c\d+)\/\2\/cluster\.yaml$/.exec(file)?.slice(1).join(' ') ?? []);
  const entered = Object.keys(files).flatMap((file) => /^([^/]+)\/flux\/tenant-(c\d+)\.\2\.yaml$/.exec(file)?.slice(1).join(' ') ?? []);
  const readPaths = Object.entries(files).flatMap(([file, text]) => [...text.matchAll(/^ {2}path: \.\/dist\/([^/]+)\//gm)].map(([, hall]) => [file.split('/')[0], hall]));

  expect(clusters.sort()).toEqual(entries.map(({ name, region }) => `${region} ${name}`).sort());
  expect(entered.sort()).toEqual(clusters);
  expect(readPaths.length).toBe(COUNT);
  expect(readPaths.filter(([own, hall]) => own !== hall)).toEqual([]);
});

test('the order of the list changes nothing', () => {
  const entries = [0, 1, 2, 3, 4, 5].map(entry);
  const files = synthesize(entries);

  expect(synthesize([...entries].reverse())).toEqual(files);
});

test('a fleet over several management clusters is not written to one folder', () => {
  expect(() => synthesize([entry(0), entry(1)], false)).toThrow(/TC-GITOPS-MANAGEMENT-CLUSTERS .*"fleet\/c0" and "fleet\/c1" are in different/);
});
