import { App, Size } from 'cdk8s';
import { PROXMOX } from '../../examples/own-strategies/proxmox-provider';
import { ProxmoxInfrastructure, ProxmoxMachine, TalosBootstrap, TalosControlPlane } from '../../examples/own-strategies/proxmox-talos';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { DeliveryFacts, images, inventory, ManifestObject, plan, planText, registerProvider, validate, wholeNames } from '../../src/manifests';
import { problemsOf } from '../support/problems';

registerProvider(PROXMOX);

const DELIVERY: Omit<DeliveryFacts, 'kind'> = { isForTenant: () => true, target: () => ({ by: 'name', name: 'acme' }) };

/** A cluster of the guide for authors of strategies, whose infrastructure the library does not know. */
function cluster(memory: Size, cores = 8): TenantCluster {
  const acme = new TenantCluster(new App(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: new ProxmoxInfrastructure({
      endpoint: '192.0.2.10', addresses: ['192.0.2.11-192.0.2.60'], gateway: '192.0.2.1', prefix: 24, dnsServers: ['192.0.2.2'],
    }),
    controlPlane: new TalosControlPlane({
      machine: new ProxmoxMachine({ cores: 4, memory: Size.gibibytes(8), templateId: 110, sourceNode: 'pve1' }), replicas: 3, talosVersion: 'v1.11',
    }),
    bootstrap: new TalosBootstrap('v1.11'),
    cni: Cni.none(),
  });
  acme.addNodePool('general', { machine: new ProxmoxMachine({ cores, memory, templateId: 110, sourceNode: 'pve1' }), size: PoolSize.fixed(2) });
  return acme;
}

function objects(memory = Size.gibibytes(32), cores = 8): ManifestObject[] {
  return cluster(memory, cores).toJson() as ManifestObject[];
}

describe('a program registers a provider of its own', () => {
  test('its rules are rules of manifests, and of a page, which names the property', () => {
    const all = objects();
    const broken = all.map((object) => (object.kind === 'ProxmoxMachineTemplate' ? { ...object, spec: { template: { spec: { memoryMiB: 2047 } } } } : object));

    expect(validate(all).findings).toEqual([]);
    expect(new Set(validate(broken).findings.map(({ rule, field }) => `${rule} ${field}`))).toEqual(new Set(['ACME-PROXMOX-MEMORY spec.template.spec.memoryMiB', 'TC-ADMIT-FIELD-VALUE spec.template.spec.memoryMiB']));
    expect(problemsOf(cluster(Size.mebibytes(2047)).node.root as App)).toMatchObject([
      { path: 'acme/general', id: 'TC-ADMIT-FIELD-VALUE', text: 'machine.memory: 2047 is not a multiple of 8. Accepted: multiples of 8. Fix: write a multiple of it.' },
      { path: 'acme/general', id: 'ACME-PROXMOX-MEMORY', text: 'machine.memory: 2047 MiB is not a multiple of 8. Fix: write 2048.' },
    ]);
  });

  test('references to its kinds are followed', () => {
    const lost = objects().filter(({ kind }) => kind !== 'ProxmoxCluster');

    expect(validate(lost).findings.map(({ message }) => message).join()).toContain('ProxmoxCluster');
  });

  test('its machines have sizes', () => {
    const [{ pools }] = inventory(objects()).clusters;

    expect(pools.map(({ machine }) => machine)).toEqual([expect.objectContaining({ kind: 'ProxmoxMachine', cpu: 8, memory: 32 * 1024 ** 3 })]);
  });

  test('its images are listed, or reported as not known', () => {
    registerProvider({
      name: 'seaweedfs', title: 'SeaweedFS', kinds: [], images: { 'seaweed.seaweedfs.com/Seaweed': { fields: (seaweed) => wholeNames(seaweed, 'spec/image') } },
    });
    const seaweed = { apiVersion: 'seaweed.seaweedfs.com/v1', kind: 'Seaweed', metadata: { name: 'files' }, spec: { image: 'chrislusf/seaweedfs:4.00' } };

    expect(images([seaweed]).images.map(({ image }) => image)).toEqual(['docker.io/chrislusf/seaweedfs:4.00']);
    expect(images(objects()).notKnown.map(({ what }) => what)).toContain('images in template 110 of Proxmox, which machines are cloned from');
  });

  test('it is registered once, and takes nothing from another one', () => {
    expect(() => registerProvider(PROXMOX)).not.toThrow();
    expect(() => registerProvider({ ...PROXMOX })).toThrow(
      'The provider "proxmox" cannot be registered: another provider has the name "proxmox", the rule ACME-PROXMOX-MEMORY. Fix: rename them, or leave them out.',
    );
    expect(() => registerProvider({ name: 'flux-2', title: 'Flux', kinds: [], deliveries: [{ ...DELIVERY, kind: 'helm.toolkit.fluxcd.io/HelmRelease' }] }))
      .toThrow('the deliveries of helm.toolkit.fluxcd.io/HelmRelease');
  });

  test('plans use its words', () => {
    const changes = plan(objects(), objects(Size.gibibytes(64), 16));

    expect(planText(changes, { colors: false, objects: false })).toContain('2 machines are replaced, 1 at a time: memory 32768 -> 65536, cores 8 -> 16');
  });
});

test('functions take lists of objects, and lists of kind List', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'busybox:1.37' }] } };
  const list = { apiVersion: 'v1', kind: 'List', items: [pod] };

  expect(images([list]).images.map(({ image }) => image)).toEqual(['docker.io/library/busybox:1.37']);
  expect(validate([[list]]).objectCount).toBe(1);
  expect(validate([list], { before: [{ ...pod, spec: { containers: [] } }] }).findings).not.toBeUndefined();
  expect(plan([list], [pod]).clusterCount).toBe(0);
});
