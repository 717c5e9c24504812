import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Size } from 'cdk8s';
import { Node } from 'constructs';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { TypedApiObject } from '../../../src/constructs/app/synth/typed-api-object';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'linear-'));
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(outdir, { recursive: true, force: true });
});

/** Work of synthesis for some tenants: numbers of written objects, validated constructs, and walked trees. */
function work(tenants: number): { readonly writes: number; readonly validations: number; readonly visits: number } {
  const app = new GitOpsApp({ outdir: path.join(outdir, `${tenants}`), quiet: true });
  const images = new ImageSources({ imageRegistry: 'mirror.example.com' });
  for (let number = 0; number < tenants; number++) {
    const cluster = new TenantCluster(app, `t${number}`, {
      namespace: `tenant-${number}`,
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure(),
      cni: new Flannel(),
      delivery: new FluxDelivery(),
      images,
    });
    cluster.addNodePool('general', {
      machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) }),
      size: PoolSize.fixed(2),
    });
    cluster.addAddon(new MetricsServer());
  }
  const writes = jest.spyOn(TypedApiObject.prototype, 'toJson');
  const validations = jest.spyOn(Node.prototype, 'validate');
  const walks = jest.spyOn(Node.prototype, 'findAll');
  app.synth();
  const visits = walks.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
  const counts = { writes: writes.mock.calls.length, validations: validations.mock.calls.length, visits };
  jest.restoreAllMocks();
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  return counts;
}

test('synthesis takes as much for each tenant, however many there are', () => {
  const [one, two, eight] = [work(1), work(2), work(8)];
  for (const count of ['writes', 'validations', 'visits'] as const) {
    const each = two[count] - one[count];
    expect([count, each > 0, eight[count]]).toEqual([count, true, one[count] + 7 * each]);
  }
});

test('an object is written at most twice more than once, however many look at it', () => {
  const written = new Map<TypedApiObject, number>();
  const original = TypedApiObject.prototype.toJson;
  jest.spyOn(TypedApiObject.prototype, 'toJson').mockImplementation(function (this: TypedApiObject) {
    written.set(this, (written.get(this) ?? 0) + 1);
    return original.call(this);
  });
  work(1);
  expect(Math.max(...written.values())).toBeLessThanOrEqual(3);
});
