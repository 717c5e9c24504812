import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { exampleCluster, poolProps } from '../../../support/clusters';

test('objects that are made after the last synthesis are an error at the end of the program', () => {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'late-'));
  const { JEST_WORKER_ID: worker } = process.env;
  delete process.env.JEST_WORKER_ID;
  const once = jest.spyOn(process, 'once').mockReturnThis();
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const end = (): [unknown, unknown] => {
    process.exitCode = undefined;
    once.mock.calls.filter(([event]) => event === 'exit').forEach(([, listener]) => { (listener as () => void)(); });
    return [process.exitCode, write.mock.calls.pop()?.[0]];
  };
  try {
    const app = new App({ outdir });
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    app.synth();
    expect(end()).toEqual([undefined, undefined]);

    new kplus.ConfigMap(cluster.workloads, 'late', { metadata: { namespace: 'default' } });
    expect(end()).toEqual([1, '[acme/Delivery/workloads/ClusterResourceSet, workloads/late/Resource] TC-OBJECT-LATE the objects were made after synth(), and are in no output. Fix: call synth() when everything is declared.\n']);

    app.synth();
    cluster.addNodePool('late', poolProps());
    expect(end()[1]).toContain('[acme/late/');
    app.synth();
    expect(end()).toEqual([undefined, undefined]);
  } finally {
    process.env.JEST_WORKER_ID = worker;
    process.exitCode = undefined;
    jest.restoreAllMocks();
    fs.rmSync(outdir, { recursive: true });
  }
});
