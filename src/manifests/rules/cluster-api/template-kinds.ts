import { CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, poolYaml } from './example-manifests';
import { groupKind } from '../../objects/manifest-object';
import { FieldPath, stringAt } from '../../values/fields';
import { replaced } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { POOL_TEXT } from '../references/examples';

/** Fields that refer to a template, by the kind of the object. */
const POOL_FIELDS: readonly FieldPath[] = [['spec', 'template', 'spec', 'infrastructureRef'], ['spec', 'template', 'spec', 'bootstrap', 'configRef']];
const FIELDS: Readonly<Record<string, readonly FieldPath[]>> = {
  [MACHINE_DEPLOYMENT]: POOL_FIELDS,
  [MACHINE_SET]: POOL_FIELDS,
  [KUBEADM_CONTROL_PLANE]: [['spec', 'machineTemplate', 'spec', 'infrastructureRef'], ['spec', 'machineTemplate', 'infrastructureRef']],
};

const SUFFIX = 'Template';

const templateKind: ManifestRule = {
  id: 'TC-TRAP-REF-TEMPLATE-KIND',
  title: 'Machines of a pool or control plane must be made from templates: an object of another kind has no spec.template, and no machine is made.',
  source: 'kubernetes-sigs/cluster-api controllers/external/util.go (GenerateTemplate), docs/book/src/developer/providers/contracts/infra-machine.md (InfraMachineTemplate)',
  kinds: Object.keys(FIELDS),
  trap: true,
  example: replaced(POOL_TEXT, 'kind: KubevirtMachineTemplate', 'kind: KubevirtMachine'),
  check: (object) => FIELDS[groupKind(object)].flatMap((path) => {
    const kind = stringAt(object, ...path, 'kind');
    return kind === undefined || kind.endsWith(SUFFIX) ? [] : [{
      path: [...path, 'kind'], message: `${kind} is one object, and no template`, accepted: `a kind that ends in ${SUFFIX}`, fix: `write ${kind}${SUFFIX}`,
    }];
  }),
};

const poolBootstrap: ManifestRule = {
  id: 'TC-TRAP-REF-POOL-BOOTSTRAP',
  title: 'The bootstrap configuration of a MachinePool must be no template: all its machines share one object, and a template never has data for them.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinepool/machinepool_controller_phases.go (reconcileBootstrap), docs/book/src/developer/providers/contracts/bootstrap-config.md',
  kinds: [MACHINE_POOL],
  trap: true,
  example: replaced(poolYaml({ kind: 'MachinePool' }), 'kind: KubeadmConfig\n', 'kind: KubeadmConfigTemplate\n'),
  check: (object) => {
    const path = ['spec', 'template', 'spec', 'bootstrap', 'configRef', 'kind'];
    const kind = stringAt(object, ...path);
    return kind?.endsWith(SUFFIX) ? [{ path, message: `${kind} is a template, which has no data for machines`, accepted: 'the kind of one object', fix: `write ${kind.slice(0, -SUFFIX.length)}` }] : [];
  },
};

const clusterKind: ManifestRule = {
  id: 'TC-TRAP-REF-CLUSTER-KIND',
  title: 'The infrastructure of a Cluster must be of a kind for clusters: a machine or a template never says that the network and the endpoint are there, and no machine is made.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/infra-cluster.md (InfraCluster resource, InfraCluster: initialization completed)',
  kinds: [CLUSTER],
  trap: true,
  example: replaced(clusterYaml(CLUSTER_PARTS), 'kind: KubevirtCluster', 'kind: KubevirtMachine'),
  check: (object) => {
    const path = ['spec', 'infrastructureRef', 'kind'];
    const kind = stringAt(object, ...path) ?? '';
    return /(?:Machine|Template|MachinePool)$/.test(kind) ? [{ path, message: `${kind} is no infrastructure of a cluster`, accepted: 'a kind whose name ends in "Cluster"', fix: 'name the infrastructure of the cluster' }] : [];
  },
};

/** Rules over the kinds of templates, and of the infrastructure of clusters. */
export const TEMPLATE_KINDS: readonly ManifestRule[] = [templateKind, poolBootstrap, clusterKind];
