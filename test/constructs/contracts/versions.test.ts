import { Testing } from 'cdk8s';
import { Versions } from '../../../src/constructs/contracts/versions';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { CATALOGS, versionIn } from '../../../src/manifests/values/catalog';
import { planned } from '../../manifests/plan/tenant-pages';
import { problemsOfCluster } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';

/** The objects of a tenant in the management cluster. */
function objectsWith(versions?: Versions, provisioner?: string): any[] {
  const app = Testing.app();
  const tenant = addCompleteTenant(app, 'acme', {
    delivery: new FluxDelivery(),
    charts: true,
    props: {
      versions,
      infrastructure: new KubevirtInfrastructure({
        storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
        csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2', provisioner: { image: provisioner } }),
      }),
    },
  });
  return Testing.synth(tenant);
}

function imagesIn(objects: unknown): string[] {
  return [...JSON.stringify(objects).matchAll(/registry\.[^"\\]*csi-(?:provisioner|attacher):[^"\\]*/g)].map(([image]) => image).sort();
}

describe('versions of a cluster', () => {
  test('are those of the catalog that it names, and of the newest where it names none', () => {
    expect(imagesIn(objectsWith(Versions.of('2026.08')))).toEqual(['registry.k8s.io/sig-storage/csi-attacher:v4.12.0', 'registry.k8s.io/sig-storage/csi-provisioner:v6.3.0']);
    expect(imagesIn(objectsWith(Versions.of('2026.11')))).toEqual(['registry.k8s.io/sig-storage/csi-attacher:v4.13.0', 'registry.k8s.io/sig-storage/csi-provisioner:v6.4.0']);
    expect(objectsWith()).toEqual(objectsWith(Versions.newest()));
    expect(Versions.newest().catalog).toBe(Versions.catalogs().at(-1));
  });

  test('give way to what is said by itself', () => {
    const own = 'registry.example.com/csi-provisioner:v6.2.1';
    expect(imagesIn(objectsWith(Versions.of('2026.08'), own))).toEqual([own, 'registry.k8s.io/sig-storage/csi-attacher:v4.12.0']);
  });

  test('TC-CLUSTER-CATALOG: one that the package does not carry', () => {
    expect(problemsOfCluster({ versions: Versions.of('2026.9') })).toEqual([{
      path: 'acme',
      id: 'TC-CLUSTER-CATALOG',
      text: 'versions: this release of the library carries no catalog "2026.9". Accepted: "2026.08", "2026.11". Fix: did you mean "2026.08"?',
    }]);
  });

  test('the plan shows what a move changes', () => {
    const { clusters: [cluster] } = planned(objectsWith(Versions.of('2026.08')), objectsWith(Versions.of('2026.11')));
    const text = JSON.stringify(cluster);
    expect(text).toContain('csi-provisioner:v6.3.0 -> registry.k8s.io/sig-storage/csi-provisioner:v6.4.0');
    expect(text).not.toContain('machines replaced');
  });
});

describe('a version in a catalog', () => {
  const entry = { version: 'v4', until: { 2026.02: 'v1', 2026.08: 'v3' } };

  test('is the one that holds up to it', () => {
    expect(CATALOGS.map((catalog) => versionIn(entry, { catalog }))).toEqual(['v3', 'v4']);
    expect(CATALOGS.map((catalog) => versionIn({ version: 'v4' }, { catalog }))).toEqual(['v4', 'v4']);
  });

  test('is the newest where the catalog is not carried', () => {
    expect(versionIn(entry, { catalog: '2025.01' })).toBe('v4');
  });

  test('catalogs are months in their order, and at least two', () => {
    expect(CATALOGS.length).toBeGreaterThanOrEqual(2);
    expect([...CATALOGS].sort()).toEqual(CATALOGS);
    for (const catalog of CATALOGS) expect(catalog).toMatch(/^20\d\d\.(0[1-9]|1[0-2])$/);
  });
});
