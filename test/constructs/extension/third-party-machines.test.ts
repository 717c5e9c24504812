import * as path from 'node:path';
import { App, JsonPatch, Size, Testing } from 'cdk8s';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { Bootstrap } from '../../../src/constructs/contracts/bootstrap';
import { ControlPlane } from '../../../src/constructs/contracts/control-plane';
import { Infrastructure } from '../../../src/constructs/contracts/infrastructure';
import { Machine } from '../../../src/constructs/contracts/machine';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { Provider } from '../../../src/manifests/rules/provider';
import { registerProvider } from '../../../src/manifests/validation/providers';
import { changed } from '../../manifests/rules/changes/changes';
import { Manifest } from '../../support/clusters';
import { problemsOf, ReportedProblem } from '../../support/problems';
import { ExampleMachine } from '../../support/strategies';

/** The strategies of the example, which knows the package by its name only. */
interface Strategies {
  readonly ProxmoxInfrastructure: new (props: object) => Infrastructure;
  readonly ProxmoxMachine: new (props: object) => Machine;
  readonly TalosBootstrap: new (talosVersion: string) => Bootstrap;
  readonly TalosControlPlane: new (props: object) => ControlPlane;
}

const { ProxmoxInfrastructure, ProxmoxMachine, TalosBootstrap, TalosControlPlane } = jest.requireActual<Strategies>(
  path.join(__dirname, '../../../examples/own-strategies/proxmox-talos.ts'),
);

registerProvider(jest.requireActual<{ PROXMOX: Provider }>(path.join(__dirname, '../../../examples/own-strategies/proxmox-provider.ts')).PROXMOX);

const VM = { cores: 4, memory: Size.gibibytes(8), templateId: 110, sourceNode: 'pve1' };

interface TenantOptions {
  readonly id?: string;
  readonly cores?: number;
  readonly replicas?: number;
  readonly machine?: Machine;
}

function tenant(options: TenantOptions = {}): TenantCluster {
  const { id = 'acme', cores = 4, replicas = 3, machine = new ProxmoxMachine({ ...VM, cores }) } = options;
  return new TenantCluster(Testing.app(), id, {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: new ProxmoxInfrastructure({
      endpoint: '192.0.2.10', addresses: ['192.0.2.11-192.0.2.60'], gateway: '192.0.2.1', prefix: 24, dnsServers: ['192.0.2.2'],
    }),
    controlPlane: new TalosControlPlane({ machine, replicas, talosVersion: 'v1.11' }),
    bootstrap: new TalosBootstrap('v1.11'),
    cni: Cni.none(),
  });
}

function object(cluster: TenantCluster, kind: string): Manifest {
  return cluster.toJson().find((manifest: Manifest) => manifest.kind === kind);
}

function problemsOfTenant(cluster: TenantCluster): ReportedProblem[] {
  return problemsOf(cluster.node.root as App);
}

function written(cluster: TenantCluster): string {
  return cluster.toJson().map((manifest: Manifest) => JSON.stringify(manifest)).join('\n---\n');
}

describe('the machine template of a third party\'s control plane', () => {
  test('is named after its content and marked against pruning, and the control plane refers to it', () => {
    const cluster = tenant();
    const template = object(cluster, 'ProxmoxMachineTemplate');

    expect(template.metadata.name).toMatch(/^acme-control-plane-[0-9a-f]{8}$/);
    expect(template.metadata.annotations).toMatchObject({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled', 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' });
    expect(object(cluster, 'TalosControlPlane').spec.infrastructureTemplate).toEqual({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind: 'ProxmoxMachineTemplate', name: template.metadata.name,
    });
  });

  test('gets another name with another content, patches included', () => {
    const [small, large] = [tenant(), tenant({ cores: 8 })];
    const patched = tenant();
    patched.controlPlaneMachines!.machineTemplate.addJsonPatch(JsonPatch.replace('/spec/template/spec/numCores', 8));
    const names = [small, large, patched].map((cluster) => object(cluster, 'TalosControlPlane').spec.infrastructureTemplate.name);

    expect(names[0]).not.toBe(names[1]);
    expect(names[2]).toBe(names[1]);
    expect(object(patched, 'ProxmoxMachineTemplate').metadata.name).toBe(names[1]);
  });

  test('is that of its cluster: clusters of one namespace share none', () => {
    expect(object(tenant({ id: 'beta' }), 'ProxmoxMachineTemplate').metadata.name).toMatch(/^beta-control-plane-/);
  });

  test('that changes in place is found by comparison with what was written before, and one under another name is not', () => {
    const before = written(tenant());
    expect(changed(before, before.replace('"numCores":4', '"numCores":8'))).toEqual(['TC-CHANGE-PROXMOX-FIELD spec.template.spec.numCores']);
    expect(changed(before, `${before.split('\n---\n').find((text) => text.includes('"numCores":4'))}\n---\n${written(tenant({ cores: 8 }))}`)).toEqual([]);
  });

  test('that goes while it is named is found', () => {
    const unmarked = tenant();
    unmarked.controlPlaneMachines!.machineTemplate.addJsonPatch(JsonPatch.remove('/metadata/annotations'));
    const before = written(unmarked);
    const without = before.split('\n---\n').filter((text) => !text.includes('"numCores":4')).join('\n---\n');

    expect(changed(before, without)).toEqual(['TC-CHANGE-USED-REMOVED']);
    expect(changed(before, before)).toEqual([]);
  });
});

describe('the machines of a third party\'s control plane', () => {
  test('have a health check', () => {
    expect(object(tenant(), 'MachineHealthCheck')).toMatchObject({
      metadata: { name: 'acme-control-plane' },
      spec: { selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/control-plane': '' } } },
    });
  });

  test.each([
    ['of another infrastructure', { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(8) }) }, 'TC-POOL-INFRASTRUCTURE', 'controlPlane.machine: the machines belong to a ExampleCluster, and the cluster has a ProxmoxCluster'],
    ['with odd memory', { machine: new ProxmoxMachine({ ...VM, memory: Size.mebibytes(4097) }) }, 'ACME-PROXMOX-MEMORY', 'controlPlane.machine.memory: 4097 MiB is not a multiple of 8'],
    ['of half a number', { replicas: 1.5 }, 'TC-POOL-SIZE-WHOLE', 'controlPlane.replicas: 1.5 is not a number of machines'],
    ['of an even number, by a check of what is written', { replicas: 2 }, 'ACME-TALOS-REPLICAS', 'controlPlane.replicas: 2 is not odd. Fix: write 3.'],
  ])('are refused %s', (_what, options, id, text) => {
    const found = problemsOfTenant(tenant(options));
    expect(found.map((problem) => problem.path)).toEqual(found.map(() => 'acme'));
    expect(found.find((problem) => problem.id === id)?.text).toContain(text);
  });

  test('take the name of a pool', () => {
    const cluster = tenant();
    cluster.addNodePool('control-plane', { machine: new ProxmoxMachine(VM), size: PoolSize.fixed(1) });
    expect(problemsOfTenant(cluster).map(({ id }) => id)).toContain('TC-POOL-NAME-TAKEN');
  });
});
