import { Testing } from 'cdk8s';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import {
  CdiInstallation, ClusterApiFeatureGates, ClusterApiInstallation, KamajiInstallation, KubevirtInstallation, ManagementCluster,
} from '../../../../src/constructs/management';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';

/** Problems because of the gate, of clusters whose management cluster is in the same app. */
function refused(featureGates?: ClusterApiFeatureGates, topology = ClusterTopology.of()): string[] {
  const app = Testing.app();
  const managementCluster = new ManagementCluster(app, 'hall', {
    namespace: 'flux-system',
    delivery: new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } }),
    clusterApi: ClusterApiInstallation.operator({ kubevirtInfrastructure: { enabled: false }, featureGates }),
    kamaji: KamajiInstallation.existing(),
    kubevirt: KubevirtInstallation.existing(),
    cdi: CdiInstallation.existing(),
  });
  exampleCluster(app, { managementCluster, controlPlane: new KamajiControlPlane(), infrastructure: new KubevirtInfrastructure(), topology });
  return problemsOf(app).filter(({ id }) => id === 'TC-ADMIT-TOPOLOGY-GATE').map(({ path, text }) => `${path} ${text}`);
}

test.each([
  ['a class of its own', ClusterTopology.of()], ['a shared class', ClusterTopology.of({ className: 'hosted' })],
])('a topology with %s is refused where the management cluster of the app has the feature gate off', (_what, topology) => {
  const off = [expect.stringMatching(/^acme topology: the providers have the feature gate ClusterTopology off, and refuse it\./)];

  expect(refused(undefined, topology)).toEqual(off);
  expect(refused({ machinePool: true }, topology)).toEqual(off);
  expect(refused({ clusterTopology: true }, topology)).toEqual([]);
});
