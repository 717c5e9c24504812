import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { releases } from '../../../data/kubernetes-facts.json';
import { knownFacts } from '../../../scripts/facts/known-facts';
import { flagTable } from '../../../scripts/facts/render-flags';
import { renderKubernetesFacts } from '../../../scripts/facts/render-kubernetes-facts';
import {
  Component, flagFact, flagNames, flagReleases, gateFact, gateMinors, gateNames, isKnownMinor, knownReleases,
} from '../../../src/manifests/values/component-facts';
import { KUBERNETES_RELEASES, minorOf, SUPPORTED_MINORS } from '../../../src/manifests/values/kubernetes-releases';

describe('generated tables', () => {
  test('without the reference the check says so and passes', () => {
    const result = spawnSync(process.execPath, ['-r', './scripts/esbuild-register.js', 'scripts/facts/main.ts', '--check', '--only', 'programs'], {
      cwd: resolve(__dirname, '../../..'), encoding: 'utf8', env: { ...process.env, REFERENCE_DIR: '/nonexistent' },
    });
    expect(result.stderr).toMatch(/^note: .*flags\.json is missing/);
    expect(result.status).toBe(0);
  });

  test('they are of the supported releases', () => {
    expect(releases).toEqual(KUBERNETES_RELEASES);
    expect(SUPPORTED_MINORS.every(isKnownMinor)).toBe(true);
    expect(isKnownMinor('1.32')).toBe(false);
  });

  test('what they say of each release makes the same tables again', () => {
    const facts = new Map(KUBERNETES_RELEASES.map((release) => [release, knownFacts(minorOf(release))]));
    expect(renderKubernetesFacts(facts)).toBe(readFileSync(resolve(__dirname, '../../../data/kubernetes-facts.json'), 'utf8'));
  });

  test.each(SUPPORTED_MINORS)('no table lacks Kubernetes %s', (minor) => {
    const { flags, gates, kubeadmGates, admissionPlugins, kubelet } = knownFacts(minor);
    expect(Object.keys(flags)).toEqual(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet']);
    for (const list of Object.values(flags)) expect(list.length).toBeGreaterThan(50);
    expect(Object.keys(gates).length).toBeGreaterThan(150);
    expect(Object.keys(kubeadmGates).length).toBeGreaterThan(0);
    expect(admissionPlugins.filter(({ on }) => on).length).toBeGreaterThan(20);
    expect(Object.keys(kubelet).length).toBeGreaterThan(100);
  });

  test.each<[Component, number[]]>([
    ['kube-apiserver', [171, 174, 175, 176, 176]],
    ['kube-controller-manager', [144, 144, 147, 149, 149]],
    ['kube-scheduler', [59, 59, 60, 61, 61]],
    ['kubelet', [151, 149, 148, 148, 130]],
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
    expect(knownReleases(component).map((release) => flagNames(component, release).length)).toEqual(counts);
  });

  test('flags come, go, and are deprecated and no longer', () => {
    expect(flagReleases('kubelet', 'pod-infra-container-image')).toEqual(['1.33', '1.34']);
    expect(flagFact('kubelet', 'pod-infra-container-image')).toEqual({ name: 'pod-infra-container-image', type: 'string', deprecated: true });
    expect(flagReleases('kube-apiserver', 'tls-curve-preferences')).toEqual(['1.36', '1.37']);
    expect(flagFact('kube-apiserver', 'tls-curve-preferences', '1.35')).toBeUndefined();
    expect(flagFact('kube-apiserver', 'enable-logs-handler', '1.36')).toEqual({ name: 'enable-logs-handler', type: 'bool', deprecated: true });
    expect(flagFact('kube-apiserver', 'enable-logs-handler', '1.37')).toEqual({ name: 'enable-logs-handler', type: 'bool', deprecated: false });
    expect(flagFact('kubelet', 'node-labels')?.deprecated).toBe(false);
  });

  test('feature gates', () => {
    const sizes = SUPPORTED_MINORS.map((minor) => [...gateNames()].filter((name) => gateFact(name, minor)).length);
    expect(sizes).toEqual([191, 208, 218, 242, 254]);
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

  test('says what comes, goes, comes back and gets deprecated', () => {
    expect(flagTable([program('v1.9.1', 'a', 'b', 'd', 'e!', 'f'), program('v1.10.0', 'a', 'b!', 'c', 'e!'), program('v1.11.0', 'a', 'b', 'c', 'e!', 'f')])).toEqual([
      'a bool', 'b bool 1.10:bool! 1.11:bool', 'c 1.10:bool', 'd bool 1.10:.', 'e bool!', 'f bool 1.10:. 1.11:bool',
    ]);
  });
});
