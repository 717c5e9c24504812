import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { flagTable } from '../../scripts/facts/flag-table';
import {
  Component, flagExists, flagsOf, gateFact, gateMinors, gateNames, isKnownMinor, knownReleases,
} from '../../src/values/component-facts';
import { SUPPORTED_MINORS } from '../../src/values/supported-minors';

const count = (component: Component, release: string): number =>
  [...flagsOf(component).values()].filter((flag) => flagExists(flag, release)).length;

describe('generated tables', () => {
  test('without the reference the check says so and passes', () => {
    const result = spawnSync(process.execPath, ['-r', 'ts-node/register/transpile-only', 'scripts/facts/main.ts', '--check'], {
      cwd: resolve(__dirname, '../..'), encoding: 'utf8', env: { ...process.env, REFERENCE_DIR: '/nonexistent' },
    });
    expect(result.stderr).toMatch(/^note: .*flags\.json is missing/);
    expect(result.status).toBe(0);
  });

  test('the supported minors are those of the tables', () => {
    expect(SUPPORTED_MINORS).toEqual(knownReleases('kubelet'));
    expect(SUPPORTED_MINORS.every(isKnownMinor)).toBe(true);
    expect(isKnownMinor('1.32')).toBe(false);
  });

  test.each<[Component, number[]]>([
    ['kube-apiserver', [171, 174, 175, 176]],
    ['kube-controller-manager', [144, 144, 147, 149]],
    ['kube-scheduler', [59, 59, 60, 61]],
    ['kubelet', [151, 149, 148, 148]],
    ['konnectivity-server', [50, 55]],
    ['konnectivity-agent', [41, 43]],
    ['cluster-autoscaler', [142, 145, 152, 162]],
    ['kubevirt-cloud-controller-manager', [76]],
    ['kubevirt-csi-driver', [22]],
    ['csi-provisioner', [51, 51]],
    ['csi-attacher', [33, 33]],
    ['csi-resizer', [32, 34]],
    ['csi-snapshotter', [34, 35, 35]],
    ['livenessprobe', [15]],
    ['csi-node-driver-registrar', [19]],
  ])('%s has %p flags', (component, counts) => {
    expect(knownReleases(component).map((release) => count(component, release))).toEqual(counts);
  });

  test('marks of flags', () => {
    expect(flagsOf('kubelet').get('pod-infra-container-image')).toEqual(
      { name: 'pod-infra-container-image', type: 'string', since: undefined, goneSince: '1.35', deprecatedSince: '1.33' });
    expect(flagsOf('kube-apiserver').get('tls-curve-preferences')).toEqual(
      { name: 'tls-curve-preferences', type: 'int32Slice', since: '1.36', goneSince: undefined, deprecatedSince: undefined });
    expect(flagsOf('kubelet').get('node-labels')?.deprecatedSince).toBeUndefined();
  });

  test('feature gates', () => {
    const sizes = SUPPORTED_MINORS.map((minor) => [...gateNames()].filter((name) => gateFact(name, minor)).length);
    expect(sizes).toEqual([188, 205, 215, 239]);
    expect(gateFact('MemoryManager', '1.35')).toEqual({ stage: 'GA', enabledByDefault: true, locked: true });
    expect(gateFact('MemoryManager', '1.36')).toBeUndefined();
    expect(gateMinors('MemoryManager')).toEqual(['1.33', '1.34', '1.35']);
    expect(gateFact('DisableAllocatorDualWrite', '1.33')).toEqual({ stage: 'beta', enabledByDefault: false, locked: false });
    expect(gateFact('DisableAllocatorDualWrite', '1.36')).toEqual({ stage: 'GA', enabledByDefault: true, locked: true });
    expect(gateFact('AllAlpha', '1.34')).toEqual({ stage: 'alpha', enabledByDefault: false, locked: false });
  });
});

describe('table of flags', () => {
  const program = (version: string, ...names: string[]) => ({
    program: 'p', version, flags: names.map((name) => ({ name: name.replace(/!$/, ''), type: 'bool', deprecated: name.endsWith('!') })),
  });

  test('marks what comes, goes and gets deprecated', () => {
    expect(flagTable([program('v1.10.0', 'a', 'b!', 'c', 'e!'), program('v1.9.1', 'a', 'b', 'd', 'e!')])).toEqual({ bool: 'a b!1.10 c+1.10 d-1.10 e!' });
  });

  test('stops where a flag comes back or stops being deprecated', () => {
    expect(() => flagTable([program('1.1.0', 'a'), program('1.2.0'), program('1.3.0', 'a')])).toThrow('--a');
    expect(() => flagTable([program('1.1.0', 'a!'), program('1.2.0', 'a')])).toThrow('--a');
  });
});
