import { nameOf } from '../../objects/manifest-object';
import { MACHINE_POOL } from '../../rules/cluster-api/cluster-api-kinds';
import { documents, edited } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { referrersOf } from '../../rules/references/object-references';
import { isSet, numberAt } from '../../values/fields';

const MANAGED_POOL = 'infrastructure.cluster.x-k8s.io/AWSManagedMachinePool';

/** Annotation of a pool whose replicas another controller sets: sigs.k8s.io/cluster-api api/core/v1beta2 (ReplicasManagedByAnnotation). */
const MANAGED_REPLICAS = 'cluster.x-k8s.io/replicas-managed-by';

const POOL_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachinePool
metadata: {name: general, namespace: tenant-acme}
spec:
  clusterName: acme
  replicas: 5
  template:
    spec:
      clusterName: acme
      version: v1.35.4
      bootstrap: {dataSecretName: ""}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSManagedMachinePool, name: general}
`;
const MANAGED_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSManagedMachinePool
metadata: {name: general, namespace: tenant-acme}
spec:
  instanceType: m5.large
  scaling: {minSize: 1, maxSize: 8}
`;

const SIZE: ManifestRule = {
  id: 'TC-TRAP-AWS-POOL-SIZE',
  title: 'The replicas of a MachinePool must be between minSize and maxSize of its AWSManagedMachinePool: EKS refuses each change of the node group otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-aws pkg/cloud/services/eks/nodegroup.go (scalingConfig, reconcileNodegroupConfig)',
  kinds: [MANAGED_POOL],
  trap: true,
  example: {
    failing: documents(edited(MANAGED_TEXT, { 'maxSize: 8': 'maxSize: 3' }), POOL_TEXT),
    corrected: documents(MANAGED_TEXT, POOL_TEXT),
  },
  check: (object, index) => {
    const pool = referrersOf(object, index, MACHINE_POOL).at(0)?.object;
    const replicas = pool && numberAt(pool, 'spec', 'replicas');
    if (!pool || replicas === undefined || isSet(pool, 'metadata', 'annotations', MANAGED_REPLICAS)) return [];
    return (['minSize', 'maxSize'] as const).flatMap((field) => {
      const limit = numberAt(object, 'spec', 'scaling', field);
      const isBeyond = limit !== undefined && (field === 'minSize' ? replicas < limit : replicas > limit);
      return isBeyond ? [{
        path: ['spec', 'scaling', field],
        message: `${limit} is ${field === 'minSize' ? 'more' : 'less'} than the ${replicas} replicas of MachinePool ${nameOf(pool)}`,
        fix: `change replicas, or ${field}`,
      }] : [];
    });
  },
};

/** Facts of AWS that its table does not hold. */
export const AWS_FACTS: Partial<Provider> = { rules: [SIZE] };
