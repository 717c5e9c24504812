import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, JsonPatch, Size, Testing } from 'cdk8s';
import { failureOf } from './failure-of';
import CHART_CATALOGUE from '../../../data/charts.json';
import { DiyCloud, DiyCloudProps } from '../../../src/constructs/blueprints/diy-cloud';
import { GpuCluster } from '../../../src/constructs/blueprints/gpu-cluster';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { ClusterAssertions } from '../../../src/constructs/testing/cluster-assertions';
import { TaintEffect } from '../../../src/manifests/values/taints';
import { addCompleteTenant } from '../../support/complete-tenant';
import { DELIVERIES } from '../../support/deliveries';
import { KUBEVIRT_PROPS } from '../blueprints/blueprint-props';

function cloud(props: Partial<DiyCloudProps> = {}, app: App = Testing.app()): DiyCloud {
  return new DiyCloud(app, 'acme', { ...KUBEVIRT_PROPS, ...props });
}

const ACME = ClusterAssertions.of(cloud());

describe('hasKubernetesVersion', () => {
  test.each(['1.35', 'v1.35', '1.35.4', 'v1.35.4'])('%s', (version) => {
    expect(() => ACME.hasKubernetesVersion(version)).not.toThrow();
  });

  test.each(['1.3', '1.34', '1.35.5', '1.35.40', ''])('%j fails', (version) => {
    expect(failureOf(() => ACME.hasKubernetesVersion(version)).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme Kubernetes version
  control plane: expected ${version}; found v1.35.4
  pool general: expected ${version}; found v1.35.4
  pool ingress: expected ${version}; found v1.35.4`);
  });
});

describe('pools', () => {
  test('of the cluster, by their names', () => {
    expect(() => ACME.hasPools(['ingress', 'general'])).not.toThrow();
    expect(failureOf(() => ACME.hasPools(['general', 'batch'])).text).toBe(
      'TC-TESTING-ASSERTION tenant-acme/acme\n  pools: expected batch, general; found general, ingress');
  });

  test('that the cluster does not have', () => {
    expect(failureOf(() => ACME.pool('genral')).text).toBe(
      'TC-TESTING-ASSERTION tenant-acme/acme\n  has no pool genral; its pools: general, ingress\n  Did you mean general?');
    expect(failureOf(() => ACME.pool('batch')).text).toBe('TC-TESTING-ASSERTION tenant-acme/acme\n  has no pool batch; its pools: general, ingress');
  });

  test('of a cluster without pools', () => {
    const acme = ClusterAssertions.of(cloud({ leaveOut: ['general', 'ingress'] }));
    expect(failureOf(() => acme.pool('general')).text).toBe('TC-TESTING-ASSERTION tenant-acme/acme\n  has no pool general; its pools: none');
  });
});

describe('hasMachine', () => {
  const gpu = ClusterAssertions.of(new GpuCluster(Testing.app(), 'acme', {
    ...KUBEVIRT_PROPS, gpuDevice: 'nvidia.com/AD102GL_L40S',
  })).pool('gpu');

  test.each([
    [{}], [{ cpu: 4 }], [{ memory: Size.gibibytes(16) }], [{ memory: Size.mebibytes(16384) }], [{ cpu: 4, memory: Size.gibibytes(16), gpus: {} }],
  ])('%j', (expected) => {
    expect(() => ACME.pool('general').hasMachine(expected)).not.toThrow();
  });

  test.each([
    [{ cpu: 8 }, 'cpu: expected 8; found 4'],
    [{ memory: Size.mebibytes(1500) }, 'memory: expected 1500Mi; found 16Gi'],
    [{ instanceType: 'large' }, 'instanceType: expected "large"; found none'],
    [{ gpus: { 'nvidia.com/gpu': 2 } }, 'gpus: expected 2 nvidia.com/gpu; found none'],
  ])('%j fails', (expected, line) => {
    expect(failureOf(() => ACME.pool('general').hasMachine(expected))).toEqual({
      text: `TC-TESTING-ASSERTION tenant-acme/acme pool general\n  ${line}`,
      shown: [expect.stringMatching(/^KubevirtMachineTemplate tenant-acme\/acme-general-[0-9a-f]{8}:\n {2}apiVersion: /)],
    });
  });

  test('with GPUs', () => {
    expect(() => gpu.hasMachine({ cpu: 8, gpus: { 'nvidia.com/AD102GL_L40S': 1 } })).not.toThrow();
    expect(failureOf(() => gpu.hasMachine({ cpu: 4, gpus: {} })).text).toBe(
      'TC-TESTING-ASSERTION tenant-acme/acme pool gpu\n  cpu: expected 4; found 8\n  gpus: expected none; found 1 nvidia.com/AD102GL_L40S');
  });

  test('after a patch', () => {
    const acme = cloud();
    acme.findNodePool('general').machineTemplate.addJsonPatch(
      JsonPatch.replace('/spec/template/spec/virtualMachineTemplate/spec/template/spec/domain/cpu/cores', 6));
    expect(() => ClusterAssertions.of(acme).pool('general').hasMachine({ cpu: 6 })).not.toThrow();
  });
});

describe('hasSize', () => {
  test('fixed, and by the autoscaler', () => {
    expect(() => ACME.pool('general').hasSize(PoolSize.between(1, 10))).not.toThrow();
    expect(() => ACME.pool('ingress').hasSize(PoolSize.fixed(2))).not.toThrow();
  });

  test.each([
    ['general', PoolSize.fixed(10), '10; found 1 to 10'],
    ['general', PoolSize.between(1, 9), '1 to 9; found 1 to 10'],
    ['ingress', PoolSize.fixed(3), '3; found 2'],
    ['ingress', PoolSize.between(2, 2), '2 to 2; found 2'],
  ])('%s that has another size fails', (pool, size, words) => {
    expect(failureOf(() => ACME.pool(pool).hasSize(size))).toEqual({
      text: `TC-TESTING-ASSERTION tenant-acme/acme pool ${pool}\n  size: expected ${words}`,
      shown: [expect.stringContaining(`MachineDeployment tenant-acme/acme-${pool}:\n`)],
    });
  });
});

describe('hasNodes', () => {
  const complete = ClusterAssertions.of(addCompleteTenant(Testing.app(), 'acme', DELIVERIES[0]));
  const taint = { key: 'example.com/ingress', effect: TaintEffect.NO_SCHEDULE };

  test('labels and taints', () => {
    expect(() => complete.pool('batch').hasNodes({ labels: { 'example.com/batch': 'true' }, taints: [] })).not.toThrow();
    expect(() => complete.pool('ingress').hasNodes({ taints: [taint] })).not.toThrow();
  });

  test('that differ fail', () => {
    expect(failureOf(() => complete.pool('batch').hasNodes({ labels: { 'example.com/batch': 'false', 'example.com/x': '' }, taints: [taint] })).text).toBe(
      `TC-TESTING-ASSERTION tenant-acme/acme pool batch
  label example.com/batch: expected "false"; found "true"
  label example.com/x: expected ""; found none
  taints: expected example.com/ingress:NoSchedule; found none`);
    expect(failureOf(() => complete.pool('ingress').hasNodes({ taints: [{ ...taint, value: 'a' }] })).text).toBe(
      'TC-TESTING-ASSERTION tenant-acme/acme pool ingress\n  taints: expected example.com/ingress=a:NoSchedule; found example.com/ingress:NoSchedule');
  });
});

describe('addons', () => {
  test.each(DELIVERIES.filter(({ charts }) => charts))('are found under their names, delivered by $name', ({ delivery, charts }) => {
    const acme = ClusterAssertions.of(addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts }));

    expect(() => acme.hasAddon('cert-manager', { version: CHART_CATALOGUE['cert-manager'].version, namespace: 'cert-manager' })).not.toThrow();
    expect(() => acme.hasAddon('team-settings')).not.toThrow();
    expect(() => acme.hasNoAddon('ingress-nginx')).not.toThrow();
    expect(failureOf(() => acme.hasNoAddon('cert-manager')).text).toBe('TC-TESTING-ASSERTION tenant-acme/acme\n  has the addon cert-manager');
  });

  test('that the cluster does not have', () => {
    expect(failureOf(() => ACME.hasAddon('certmanager')).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme
  has no addon certmanager; its addons: cert-manager, cilium, kubevirt-csi-driver, kubevirt-csi-snapshot-classes, metrics-server, snapshot-controller
  Did you mean cert-manager?`);
  });

  test('of another version, or elsewhere', () => {
    const acme = ClusterAssertions.of(cloud({ leaveOut: ['cert-manager'] }, Testing.app()));
    expect(() => acme.hasNoAddon('cert-manager')).not.toThrow();
    expect(failureOf(() => ACME.hasAddon('cert-manager', { version: '1.0.0', namespace: 'certificates' }))).toEqual({
      text: `TC-TESTING-ASSERTION tenant-acme/acme addon cert-manager
  version: expected 1.0.0; found ${CHART_CATALOGUE['cert-manager'].version}
  namespace: expected certificates; found cert-manager`,
      shown: [expect.stringMatching(/^HelmRelease tenant-acme\/acme-cert-manager:\n {2}apiVersion: /)],
    });
  });
});

describe('compared with an earlier state', () => {
  let folder: string;
  beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'former-')); });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const released = (props: Partial<DiyCloudProps> = {}, App_: typeof App = GitOpsApp as never) => {
    const app = new App_({ outdir: path.join(folder, 'dist'), quiet: true } as never);
    cloud(props, app);
    app.synth();
    return path.join(folder, 'dist');
  };
  const now = (props: Partial<DiyCloudProps> = {}) => ClusterAssertions.of(cloud(props, new GitOpsApp({ outdir: path.join(folder, 'other'), quiet: true })));

  test('no machine is replaced where nothing changes, by more machines, and by an addon less', () => {
    const dist = released();
    expect(() => now().replacesNoMachinesOf(dist)).not.toThrow();
    expect(() => now().replacesNoMachinesOf(folder)).not.toThrow();
    expect(() => now().replacesNoMachinesOf(path.join(dist, 'clusters/tenant-acme/acme'))).not.toThrow();
    expect(() => now({ general: { size: PoolSize.between(0, 3) }, leaveOut: ['cert-manager'] }).replacesNoMachinesOf(dist)).not.toThrow();
  });

  test('machines are replaced by other machines and by an upgrade, and removed with their pool', () => {
    const dist = released();
    expect(failureOf(() => now({ general: { cpu: 8 } }).replacesNoMachinesOf(dist)).text).toBe(
      `TC-TESTING-ASSERTION tenant-acme/acme replaces machines of ${JSON.stringify(dist)}
  pool general: 1 to 10 machines are replaced, 1 at a time: cpu 4 -> 8, kubelet.kubeReserved.cpu 200m -> 400m, kubelet.systemReserved.cpu 200m -> 400m`);
    expect(failureOf(() => now({ kubernetesVersion: '1.35.5' }).replacesNoMachinesOf(dist)).text).toContain('\n  pool ingress: 2 machines are replaced, 1 at a time: ');
    expect(failureOf(() => now({ leaveOut: ['ingress'] }).replacesNoMachinesOf(dist)).text).toBe(
      `TC-TESTING-ASSERTION tenant-acme/acme replaces machines of ${JSON.stringify(dist)}\n  pool ingress: 2 machines are deleted: MachineDeployment acme-ingress, MachineHealthCheck acme-ingress`);
  });

  test('a plain app has one file', () => {
    const dist = released({}, App);
    const plain = (props: Partial<DiyCloudProps>) => ClusterAssertions.of(cloud(props, new App()));
    expect(() => plain({}).replacesNoMachinesOf(dist)).not.toThrow();
    expect(failureOf(() => plain({ ingress: { cpu: 1 } }).replacesNoMachinesOf(dist)).text).toContain('\n  pool ingress: 2 machines are replaced');
  });

  test('a version rises by a minor at most', () => {
    const dist = released({ kubernetesVersion: '1.34.1' });
    expect(() => now({ kubernetesVersion: '1.34.1' }).upgradesAtMostOneMinor(dist)).not.toThrow();
    expect(() => now({ kubernetesVersion: '1.34.0' }).upgradesAtMostOneMinor(dist)).not.toThrow();
    expect(() => now({ kubernetesVersion: '1.35.4' }).upgradesAtMostOneMinor(dist)).not.toThrow();
    expect(failureOf(() => now({ kubernetesVersion: '1.36.0' }).upgradesAtMostOneMinor(dist)).text).toBe(
      `TC-TESTING-ASSERTION tenant-acme/acme Kubernetes version
  control plane: expected 1.34 or 1.35; found v1.36.0, formerly v1.34.1
  pool general: expected 1.34 or 1.35; found v1.36.0, formerly v1.34.1
  pool ingress: expected 1.34 or 1.35; found v1.36.0, formerly v1.34.1`);
    expect(failureOf(() => now({ kubernetesVersion: '1.33.4' }).upgradesAtMostOneMinor(dist)).text).toContain(
      '\n  control plane: expected 1.34 or 1.35; found v1.33.4, formerly v1.34.1');
  });

  test('an earlier state that cannot be read is refused', () => {
    expect(failureOf(() => now().replacesNoMachinesOf(path.join(folder, 'none'))).text).toBe(`TC-TESTING-FORMER tenant-acme/acme
  ${JSON.stringify(path.join(folder, 'none'))} cannot be read (ENOENT).
  Fix: name a folder; a relative one is below the folder that the tests run in.`);
    expect(failureOf(() => now().upgradesAtMostOneMinor(folder)).text).toBe(`TC-TESTING-FORMER tenant-acme/acme
  ${JSON.stringify(folder)} has no cluster tenant-acme/acme; its clusters: none.
  Fix: name the folder with the manifests of the last release, such as the one that synthesis writes.`);
    fs.writeFileSync(path.join(folder, 'a.yaml'), 'a: [');
    expect(failureOf(() => now().replacesNoMachinesOf(folder)).text).toMatch(
      /^TC-TESTING-FORMER tenant-acme\/acme\n {2}.*a\.yaml.*\n {2}Fix: correct the files, or name another folder\.$/s);
  });

  test('other clusters of the earlier state do not matter', () => {
    const app = new App({ outdir: path.join(folder, 'dist') });
    cloud({}, app);
    new DiyCloud(app, 'zenith', { ...KUBEVIRT_PROPS, namespace: 'tenant-zenith' });
    app.synth();
    expect(() => ClusterAssertions.of(cloud({}, new App())).replacesNoMachinesOf(path.join(folder, 'dist'))).not.toThrow();
  });
});

test('a page that synthesis refuses is an error', () => {
  expect(() => ClusterAssertions.of(cloud({ dataStore: '' }))).toThrow(/^Validation failed with the following errors:\n {2}\[acme\] TC-/);
});
