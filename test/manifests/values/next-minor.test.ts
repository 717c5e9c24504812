import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Size } from 'cdk8s';
import * as ts from 'typescript';
import { knownFacts } from '../../../scripts/facts/known-facts';
import { KubernetesFacts } from '../../../scripts/facts/kubernetes-facts';
import { renderKubernetesFacts } from '../../../scripts/facts/render-kubernetes-facts';
import { KUBERNETES_RELEASES, minorOf } from '../../../src/manifests/values/kubernetes-releases';

const NEXT = 'v1.38.0';
const RELEASES = resolve(__dirname, '../../../src/manifests/values/kubernetes-releases');
const FACTS = resolve(__dirname, '../../../data/kubernetes-facts.json');

/** Facts of a possible next release, with names that are not known yet. */
function nextFacts(): KubernetesFacts {
  const newest = knownFacts(minorOf(KUBERNETES_RELEASES.at(-1)!));
  return {
    ...newest,
    flags: { ...newest.flags, 'kube-apiserver': [...newest.flags['kube-apiserver'], { name: 'flux-capacitor', type: 'bool' }] },
    gates: { ...newest.gates, FluxCapacitor: { stage: 'ALPHA', default: false } },
    admissionPlugins: [...newest.admissionPlugins, { name: 'FluxCapacitor', on: true }],
    kubelet: { ...newest.kubelet, fluxCapacitor: 'bool' },
  };
}

/** A module of a TypeScript text. */
function moduleOf(text: string): object {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
  const exports = {};
  // eslint-disable-next-line no-new-func, @typescript-eslint/no-implied-eval
  new Function('exports', outputText)(exports);
  return exports;
}

/** The modules that the test needs, loaded anew. */
const loaded = () => ({
  ...jest.requireActual<typeof import('../../support/problems')>('../../support/problems'),
  ...jest.requireActual<typeof import('../../../src/constructs/app/problems/warnings')>('../../../src/constructs/app/problems/warnings'),
  ...jest.requireActual<typeof import('../../../src/constructs/addons/cni/cni')>('../../../src/constructs/addons/cni/cni'),
  ...jest.requireActual<typeof import('../../../src/constructs/contracts/node-pool/pool-size')>('../../../src/constructs/contracts/node-pool/pool-size'),
  ...jest.requireActual<typeof import('../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane')>('../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane'),
  ...jest.requireActual<typeof import('../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure')>('../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure'),
  ...jest.requireActual<typeof import('../../../src/constructs/infrastructures/kubevirt/kubevirt-machine')>('../../../src/constructs/infrastructures/kubevirt/kubevirt-machine'),
  ...jest.requireActual<typeof import('../../../src/constructs/infrastructures/kubevirt/machine-life-cycle')>('../../../src/constructs/infrastructures/kubevirt/machine-life-cycle'),
  ...jest.requireActual<typeof import('../../../src/constructs/infrastructures/kubevirt/root-disk')>('../../../src/constructs/infrastructures/kubevirt/root-disk'),
  ...jest.requireActual<typeof import('../../../src/constructs/tenant/tenant-cluster')>('../../../src/constructs/tenant/tenant-cluster'),
});

/** Runs something with a library to which one more minor was added: a word in one line, and the tables that are written then. */
function withNextMinor(run: (library: ReturnType<typeof loaded>) => void): void {
  const newest = KUBERNETES_RELEASES.at(-1)!;
  const lines = readFileSync(`${RELEASES}.ts`, 'utf8').split('\n');
  const changed = lines.map((line) => line.replace(`'${newest}']`, `'${newest}', '${NEXT}']`));
  expect(changed.filter((line, index) => line !== lines[index])).toHaveLength(1);
  const facts = new Map([...KUBERNETES_RELEASES.map((release) => [release, knownFacts(minorOf(release))] as const), [NEXT, nextFacts()] as const]);
  jest.isolateModules(() => {
    jest.doMock(RELEASES, () => moduleOf(changed.join('\n')));
    jest.doMock(FACTS, () => JSON.parse(renderKubernetesFacts(facts)) as object);
    run(loaded());
  });
  jest.dontMock(RELEASES).dontMock(FACTS);
}

test('one more minor is one more word', () => withNextMinor((library) => {
  const emitted: string[] = [];
  jest.spyOn(library.WARNINGS, 'emit').mockImplementation((_message, { code }) => { emitted.push(code); });
  const found = (kubernetesVersion: string) => library.problemsIn((app) => {
    const machine = new library.KubevirtMachine({
      cpu: 4,
      memory: Size.gibibytes(16),
      rootDisk: library.RootDisk.registry({ url: 'docker://registry.example.com/nodes/ubuntu:24.04', size: Size.gibibytes(40), storageClass: 'replicated' }),
      runStrategy: library.RunStrategy.ONCE,
      evictionStrategy: library.EvictionStrategy.NONE,
    });
    const cluster = new library.TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion,
      controlPlane: new library.KubeadmControlPlane({
        machine,
        apiServer: { extraArgs: [{ name: 'flux-capacitor', value: 'true' }, { name: 'feature-gates', value: 'FluxCapacitor=true' }] },
      }),
      infrastructure: new library.KubevirtInfrastructure({ controlPlaneService: { type: library.ControlPlaneServiceType.LOAD_BALANCER } }),
      cni: library.Cni.none(),
    });
    cluster.addNodePool('general', { machine, size: library.PoolSize.between(1, 3), kubelet: { configuration: { fluxCapacitor: true } } });
  }).map(({ text }) => text);

  expect(found('1.38.0')).toEqual([]);
  expect(emitted).not.toContain('TC-CLUSTER-VERSION-NEWER');
  expect(found('1.37.2')).toEqual([
    expect.stringContaining('kube-apiserver 1.37 has no flag --flux-capacitor (exists from 1.38)'),
    expect.stringContaining('Kubernetes 1.37 has no feature gate FluxCapacitor (exists from 1.38)'),
    expect.stringContaining('the kubelet 1.37 has no field fluxCapacitor here (exists from 1.38)'),
  ]);
}));
