import { App } from 'cdk8s';
import { HETZNER, HetznerInfrastructure, HetznerMachine } from '../../examples/own-strategies/hetzner';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmControlPlane } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { DeliveryFacts, images, inventory, ManifestObject, plan, planText, registerProvider, validate, wholeNames } from '../../src/manifests';
import { problemsOf } from '../support/problems';

registerProvider(HETZNER);

const DELIVERY: Omit<DeliveryFacts, 'kind'> = { isForTenant: () => true, target: () => ({ by: 'name', name: 'acme' }) };

/** A cluster of the guide for authors of infrastructures, whose provider the library does not write. */
function cluster(serverType = 'cpx32', regions = ['fsn1', 'nbg1']): TenantCluster {
  const acme = new TenantCluster(new App(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    infrastructure: new HetznerInfrastructure({ regions, sshKeys: ['ops'] }),
    controlPlane: new KubeadmControlPlane({ machine: new HetznerMachine({ serverType: 'cx33', image: 'node-1.35.4' }), replicas: 3 }),
    cni: Cni.none(),
    delivery: new FluxDelivery(),
  });
  acme.addNodePool('general', { machine: new HetznerMachine({ serverType, image: 'node-1.35.4' }), size: PoolSize.fixed(2) });
  return acme;
}

function objects(serverType?: string): ManifestObject[] {
  return cluster(serverType).toJson() as ManifestObject[];
}

describe('a program registers a provider of its own', () => {
  test('its rules are rules of manifests, and of a page, which names the property', () => {
    const all = objects();
    const broken = all.map((object) => (object.kind === 'HetznerCluster' ? { ...object, spec: { ...object.spec as object, controlPlaneRegions: ['fsn1', 'ash'] } } : object));

    expect(validate(all).findings).toEqual([]);
    expect(validate(broken).findings.map(({ rule, field }) => `${rule} ${field}`)).toEqual(['ACME-HETZNER-REGIONS spec.controlPlaneRegions[1]']);
    expect(problemsOf(cluster('cpx32', ['fsn1', 'ash']).node.root as App)).toMatchObject([
      { path: 'acme', id: 'ACME-HETZNER-REGIONS', text: 'infrastructure.regions[1]: "ash" is not in the network zone eu-central of "fsn1". Fix: choose regions of eu-central.' },
    ]);
  });

  test('references to its kinds are followed', () => {
    const lost = objects().filter(({ kind }) => kind !== 'HetznerCluster');

    expect(validate(lost).findings.map(({ message }) => message).join()).toContain('HetznerCluster');
  });

  test('its machines have sizes', () => {
    const [{ pools }] = inventory(objects()).clusters;

    expect(pools.map(({ machine }) => machine)).toEqual([expect.objectContaining({ kind: 'HCloudMachine', instanceType: 'cpx32', cpu: 4, memory: 8 * 1024 ** 3 })]);
  });

  test('its images are listed, or reported as not known', () => {
    registerProvider({
      name: 'seaweedfs', title: 'SeaweedFS', kinds: [], images: { 'seaweed.seaweedfs.com/Seaweed': { fields: (seaweed) => wholeNames(seaweed, 'spec/image') } },
    });
    const seaweed = { apiVersion: 'seaweed.seaweedfs.com/v1', kind: 'Seaweed', metadata: { name: 'files' }, spec: { image: 'chrislusf/seaweedfs:4.00' } };

    expect(images([seaweed]).images.map(({ image }) => image)).toEqual(['docker.io/chrislusf/seaweedfs:4.00']);
    expect(images(objects()).notKnown.map(({ what }) => what)).toContain('images in the snapshot node-1.35.4, which servers start from');
  });

  test('it is registered once, and takes nothing from another one', () => {
    expect(() => registerProvider(HETZNER)).not.toThrow();
    expect(() => registerProvider({ ...HETZNER })).toThrow(
      'The provider "hetzner" cannot be registered: another provider has the name "hetzner", the rule ACME-HETZNER-REGIONS, the rule ACME-HETZNER-IMAGE, the rule ACME-HETZNER-PLACEMENT-GROUP. Fix: rename them, or leave them out.',
    );
    expect(() => registerProvider({ name: 'flux-2', title: 'Flux', kinds: [], deliveries: [{ ...DELIVERY, kind: 'helm.toolkit.fluxcd.io/HelmRelease' }] }))
      .toThrow('the deliveries of helm.toolkit.fluxcd.io/HelmRelease');
  });

  test('plans use its words', () => {
    const changes = plan(objects(), objects('cx43'));

    expect(planText(changes, { colors: false, objects: false })).toContain('2 machines are replaced, 1 at a time: server type cpx32 -> cx43');
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
