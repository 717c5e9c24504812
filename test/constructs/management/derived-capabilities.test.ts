import * as os from 'node:os';
import { Size } from 'cdk8s';
import { manage, refused } from './managed';
import { IsolationPeer } from '../../../src/constructs/contracts/capabilities/isolation-peer';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { exampleCluster } from '../../support/clusters';
import { problemsIn } from '../../support/problems';

const SECRET = { name: 'sql', namespace: 'databases' };
const BASIC = { username: { ...SECRET, key: 'user' }, password: { ...SECRET, key: 'password' } };

test('a data store behind a Service is reached in the namespace of the Service', () => {
  const store = KamajiDataStore.mySql('maria', { endpoints: ['maria-0.maria.databases.svc.cluster.local:3306', 'maria.other.svc:3306'], ...BASIC });
  const kamaji = KamajiInstallation.existing({ dataStores: [store] });
  const { capabilities } = manage(new GitOpsApp({ outdir: os.tmpdir(), quiet: true }), { kamaji });

  expect(capabilities.dataStorePeers).toEqual({ maria: [IsolationPeer.pods({ namespace: 'databases' }), IsolationPeer.pods({ namespace: 'other' })] });
});

test('a client port of its own is the one that control planes are let through to', () => {
  const kamaji = KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', { values: { clientPort: 3379 } })] });
  const { capabilities } = manage(new GitOpsApp({ outdir: os.tmpdir(), quiet: true }), { kamaji, capabilities: { dataStorePeers: { legacy: [] } } });

  expect(capabilities.dataStorePeers).toMatchObject({ default: [{ ports: [{ port: 3379 }] }], legacy: [] });
});

test('a control plane on machines wants the provider for it', () => {
  const found = problemsIn((app) => {
    const management = manage(app);
    exampleCluster(app, {
      managementCluster: management,
      controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1' }) }) }),
    });
  });

  expect(found.map(({ path, id }) => [path, id])).toContainEqual(['acme', 'TC-MANAGEMENT-CONTROL-PLANE-PROVIDER']);
});

test('what is stated is looked at without a tenant', () => {
  expect(refused({ capabilities: { kubernetesVersions: ['banana'] } }).map(({ id, text }) => [id, text.split(':')[0]])).toEqual([
    ['TC-MANAGEMENT-CAPABILITIES-ENTRY', 'capabilities.kubernetesVersions[0]'],
  ]);
});
