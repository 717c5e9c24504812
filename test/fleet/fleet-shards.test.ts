import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, Chart } from 'cdk8s';
import { exampleFleet, POOLED } from './fleets';
import { ClusterEntry } from '../../src/fleet/cluster-entry';
import { Fleet } from '../../src/fleet/fleet';
import { FluxEntryPoints } from '../../src/gitops/flux-entry-points';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { Shard } from '../../src/gitops/shard';
import { readFiles } from '../support/examples';

const SHARDS = [1, 2, 3].map((number) => Shard.of(number, 3));

const ENTRIES: ClusterEntry[] = Array.from({ length: 12 }, (_, index) => ({
  name: `c${index}`, ring: index === 0 ? 'canary' : 'main', ...(index > 8 && { namespace: 'team' }), values: { workers: index },
}));

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-shards-'));
});

afterEach(() => fs.rmSync(outdir, { recursive: true, force: true }));

interface Written {
  /** How many clusters were built for it. */
  readonly built: number;
  readonly files: { [file: string]: string };
}

/** Writes a fleet, or a shard of it. */
function write(folder: string, shard?: Shard, use: (fleet: Fleet, app: GitOpsApp) => void = () => {}): Written {
  const app = new GitOpsApp({ outdir: path.join(outdir, folder), quiet: true, entryPoints: new FluxEntryPoints({ sourceName: 'flux-system' }), shard });
  const fleet = exampleFleet(app, ENTRIES, {
    profiles: { plain: { props: (cluster) => ({ ...POOLED.props(cluster), createNamespace: cluster.namespace !== 'team' }), populate: POOLED.populate } },
  });
  use(fleet, app);
  app.synth();
  const { ['.cdk8s-cluster-api/shard.json']: record, ...files } = readFiles(app.outdir);
  return { built: fleet.node.children.length, files };
}

test('all shards are the whole; only the first one builds clusters that are not its own, beside those of one namespace', () => {
  const whole = write('whole');
  const shards = SHARDS.map((shard) => write('dist', shard));
  expect(shards[2].files).toEqual(whole.files);
  expect(whole.built).toBe(ENTRIES.length);
  const needed = SHARDS.map((shard) => {
    const namespaces = new Set(ENTRIES.map(({ name, namespace = `tenant-${name}` }) => ({ name, namespace })).filter(({ name, namespace }) => shard._has(namespace, name))
      .map(({ namespace }) => namespace));
    return ENTRIES.filter(({ name, namespace = `tenant-${name}` }) => namespaces.has(namespace)).length;
  });
  expect(shards.map(({ built }) => built)).toEqual([ENTRIES.length, needed[1], needed[2]]);
  expect(needed[1] + needed[2]).toBeLessThan(2 * ENTRIES.length);
});

test('whoever asks for a cluster gets it, in every shard, and all shards are the whole', () => {
  const use = (fleet: Fleet, app: GitOpsApp): void => {
    fleet.cluster('c5').cluster.metadata.addLabel('special', 'true');
    fleet.select({ rings: ['canary'] }).forEach((tenant) => tenant.cluster.metadata.addLabel('early', 'true'));
    new ApiObject(new Chart(app, 'overview'), 'all', {
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'all', namespace: 'default' }, data: { names: fleet.clusters.map(({ cluster }) => cluster.name).join() },
    });
  };
  const whole = write('whole', undefined, use);
  const shards = SHARDS.map((shard) => write('dist', shard, use));
  expect(shards[2].files).toEqual(whole.files);
  expect(whole.files['charts/overview/overview.yaml']).toContain('c0,c1,');
  expect(whole.files['clusters/tenant-c5/c5/cluster.yaml']).toContain('special');
});
