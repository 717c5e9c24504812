import * as fc from 'fast-check';
import { checkVersions, InstalledVersion, ManagementComponent, minorOf, needsBootstrapAccess, pinnedVersion } from '../../../src/constructs/management/version-matrix';
import { CATALOGS } from '../../../src/manifests/values/catalog';

const COMPONENTS: ManagementComponent[] = [
  'clusterApi', 'clusterApiOperator', 'kamajiProvider', 'kubevirtProvider', 'helmAddonProvider', 'kamaji', 'kamajiEtcd', 'kubevirt', 'cdi',
];

function installed(component: ManagementComponent, version: string): InstalledVersion {
  return { component, version, property: component };
}

function idsOf(versions: InstalledVersion[], allowUntested = false): string[] {
  return checkVersions(versions, allowUntested).map(({ rule }) => rule.id);
}

test.each(CATALOGS)('what is installed in the catalog %s works together', (catalog) => {
  expect(idsOf(COMPONENTS.map((component) => installed(component, pinnedVersion(component, { catalog }))))).toEqual([]);
});

test('Cluster API from 1.11 to 1.14 is known, newer ones are a risk, older ones do not work', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(30), fc.boolean(), (minor, patch, allowed) => {
    const untested = allowed ? [] : ['TC-MANAGEMENT-VERSION-UNTESTED'];
    const expected = minor < 11 ? ['TC-MANAGEMENT-VERSION-CONFLICT'] : minor > 14 ? untested : [];
    expect(idsOf([installed('clusterApi', `v1.${minor}.${patch}`)], allowed)).toEqual(expected);
  }));
});

test('an old KubeVirt provider is in conflict with a new operator only', () => {
  const provider = installed('kubevirtProvider', 'v0.10.5');

  expect(idsOf([provider, installed('clusterApiOperator', '0.24.0')], true)).toEqual(['TC-MANAGEMENT-VERSION-CONFLICT']);
  expect(idsOf([provider, installed('clusterApiOperator', '0.23.0')], true)).toEqual([]);
});

test('Kamaji\'s releases are read in both forms', () => {
  expect(idsOf(['edge-26.2.1', 'edge-26.2.4', '26.3.2-edge', '26.8.2-edge'].map((tag) => installed('kamaji', tag)))).toEqual([]);
  expect(idsOf([installed('kamaji', '26.9.1-edge')])).toEqual(['TC-MANAGEMENT-VERSION-UNTESTED']);
  expect(idsOf(['latest', '26.8.2', 'edge-26.8'].map((tag) => installed('kamaji', tag)), true)).toEqual(Array(3).fill('TC-MANAGEMENT-VERSION'));
});

test.each([
  ['v1.14.2', 'v0.20.0', true], ['v1.15.0', 'v0.20.3', true], ['v1.13.2', 'v0.20.0', false], ['v1.14.2', 'v0.21.0', false], ['nonsense', 'v0.20.0', false],
])('with Cluster API %s and the Kamaji provider %s bootstrap needs access: %s', (clusterApi, provider, needed) => {
  expect(needsBootstrapAccess(clusterApi, provider)).toBe(needed);
});

test('the minor release is the second number', () => {
  expect([minorOf('kubevirt', 'v1.9.0'), minorOf('kubevirt', '1.9')]).toEqual([9, undefined]);
});
