import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { kubeadmPlaneYaml, partsYaml, poolYaml, providerYaml, templateYaml } from './example-manifests';
import { knownKind } from '../../objects/known-kinds';
import { nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, stringAt } from '../../values/fields';
import { documents } from '../example-text';
import { Lookup } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { objectReference, partReference } from '../references/object-references';

const PATH = ['spec', 'template', 'spec', 'bootstrap', 'configRef'];

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster), nameOf(cluster)]);

const MACHINES = ['acme-control-plane', 'acme-general'].map((name) => (
  templateYaml('infrastructure.cluster.x-k8s.io/v1beta2', 'DevMachineTemplate', 'backend: {docker: {}}\n', name)));

const POOL_TEXT = documents(
  partsYaml('KubeadmControlPlane', 'DevCluster'), providerYaml('infrastructure.cluster.x-k8s.io/v1beta2', 'DevCluster', 'backend: {docker: {}}\n'),
  kubeadmPlaneYaml('clusterConfiguration:\n  certificatesDir: /etc/pki\n', 'DevMachineTemplate'), poolYaml({ template: 'DevMachineTemplate' }), ...MACHINES,
  templateYaml('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', 'files: [{path: /etc/acme, content: acme}]\n', 'acme-general'),
);

const JOINED: ManifestRule = {
  id: 'TC-TRAP-POOL-BOOTSTRAP',
  title: 'Machines of a pool must be set up by a provider that the control plane knows: a control plane of k0s, K3s, RKE2, MicroK8s, Talos or EKS has nothing that kubeadm joins with, and others do not join those of kubeadm.',
  source: 'k0sproject/k0smotron issue 575; k3s-io/cluster-api-k3s bootstrap/controllers/kthreesconfig_controller.go (token.Lookup); '
    + 'rancher/cluster-api-provider-rke2 bootstrap/internal/controllers/rke2config_scope.go (ControlPlane); '
    + 'kubernetes-sigs/cluster-api-provider-aws bootstrap/eks/controllers/eksconfig_controller.go (joinWorker); '
    + 'siderolabs/cluster-api-bootstrap-provider-talos controllers/secrets.go',
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL],
  trap: true,
  example: { failing: POOL_TEXT.replaceAll('kind: KubeadmConfigTemplate', 'kind: RKE2ConfigTemplate'), corrected: POOL_TEXT },
  check: (owner, index) => {
    const bootstrap = objectReference(fieldAt(owner, ...PATH))?.kind;
    // Files for different clusters may have Clusters of one name, such as templates of a provider.
    const clusters = CLUSTERS.find(index, namespaceOf(owner), stringAt(owner, 'spec', 'clusterName'));
    const controlPlanes = new Set(clusters.map((cluster) => partReference(cluster, 'controlPlaneRef')?.kind));
    const [controlPlane] = controlPlanes;
    if (bootstrap === undefined || controlPlane === undefined || controlPlanes.size > 1) return [];
    // A MachinePool names a configuration, others a template of one.
    const template = bootstrap.endsWith('Template') ? bootstrap : `${bootstrap}Template`;
    const joined = knownKind(controlPlane)?.joinedBy;
    if (!joined || joined.includes(template) || knownKind(template)?.role !== 'bootstrapTemplate') return [];
    const [own, other] = [controlPlane, bootstrap].map((kind) => kind.slice(kind.indexOf('/') + 1));
    return [{
      path: PATH, message: `machines that a ${other} sets up cannot join the ${own} of the cluster`, accepted: joined.map((kind) => kind.slice(kind.indexOf('/') + 1)).join(', '), fix: 'name an object of this kind',
    }];
  },
};

/** Rules for the bootstrap configurations of pools. */
export const POOL_BOOTSTRAPS: readonly ManifestRule[] = [JOINED];
