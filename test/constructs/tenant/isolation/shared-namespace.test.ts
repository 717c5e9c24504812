import { App } from 'cdk8s';
import { MANAGEMENT } from './bound';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation, TenantIsolationProps } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { problemsIn } from '../../../support/problems';

const DENY = { network: NetworkIsolation.networkPolicies({ defaultDeny: true }) };
const OPEN = { network: NetworkIsolation.none() };

function addCluster(app: App, name: string, isolation: TenantIsolationProps | undefined, namespace = 'shared'): void {
  new TenantCluster(app, name, {
    namespace,
    createNamespace: name === 'one',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(),
    infrastructure: new KubevirtInfrastructure(),
    managementCluster: new ImportedManagementCluster(MANAGEMENT),
    isolation: isolation && new TenantIsolation(isolation),
    cni: Cni.none(),
  });
}

/** Problems of two clusters. */
function refused(one: TenantIsolationProps, two?: TenantIsolationProps, namespace?: string): string[] {
  return problemsIn((app) => {
    addCluster(app, 'one', one);
    addCluster(app, 'two', two, namespace);
  }).filter(({ id }) => id.startsWith('TC-ISOLATION')).map(({ path, id, text }) => `${path} ${id} ${text}`);
}

test('clusters of one namespace may have an isolation each', () => {
  expect(refused({}, {})).toEqual([]);
  expect(refused(DENY, DENY)).toEqual([]);
});

test('a quota must have room for all of them', () => {
  const quota = { 'services.loadbalancers': '1' };

  expect(refused({ quota }, {})).toEqual([
    expect.stringMatching(/^one TC-ISOLATION-QUOTA isolation\.quota\["services\.loadbalancers"\]: the quota is 1, and the cluster may need 2 .*1 Service of the control plane of two × 1 = 1/),
  ]);
  expect(refused({ quota }, {}, 'other')).toEqual([]);
});

test.each<[what: string, two: TenantIsolationProps | undefined]>([
  ['no isolation', undefined],
  ['an isolation without network policies', OPEN],
])('TC-ISOLATION-SHARED-NAMESPACE: default deny beside a cluster with %s', (_, two) => {
  expect(refused(DENY, two)).toEqual([
    expect.stringMatching(/^one TC-ISOLATION-SHARED-NAMESPACE isolation\.network\.defaultDeny: the cluster "two" is in the namespace "shared", too, and has no network policies/),
  ]);
  expect(refused(DENY, two, 'other')).toEqual([]);
});
