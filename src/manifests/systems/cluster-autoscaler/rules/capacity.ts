import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CAPACITY, MAX_SIZE, MIN_SIZE } from '../../../rules/cluster-api/autoscaler-annotations';
import { CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { poolYaml } from '../../../rules/cluster-api/example-manifests';
import { metadataPaths } from '../../../rules/cluster-api/machine-places';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isSet, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseQuantity } from '../../../values/quantity';

const POOLS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET];
const NANO_MEBIBYTES = 64n * 1024n * 1024n * 1_000_000_000n;
const NANO_CPUS = 1_000n * 1_000_000_000n;

const GPU_POOL = poolYaml({
  metadata: `annotations:\n  ${MIN_SIZE}: "0"\n  ${MAX_SIZE}: "4"\n  ${CAPACITY}cpu: "8"\n  ${CAPACITY}memory: 64Gi\n`
    + `  ${CAPACITY}gpu-count: "1"\n  ${CAPACITY}gpu-type: nvidia.com/gpu`,
});

const SIZE: ManifestRule = {
  id: 'TC-TRAP-AUTOSCALER-CAPACITY',
  title: 'The capacity of a pool must be that of one of its nodes, with units, and GPUs need a type: the autoscaler never adds a first node for pods otherwise.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go (InstanceCapacity, InstanceResourceSlices), v1.36.1',
  kinds: [...POOLS, CLUSTER, CLUSTER_CLASS],
  trap: true,
  example: replaced(GPU_POOL, 'memory: 64Gi', 'memory: "64"'),
  check: (object) => annotationPaths(object).flatMap((path) => [...sizeFindings(object, path), ...gpuFindings(object, path)]),
};

function annotationPaths(object: ManifestObject): FieldPath[] {
  const metadata = POOLS.includes(groupKind(object)) ? [['metadata']] : metadataPaths(object);
  return metadata.map((path) => [...path, 'annotations']);
}

function sizeFindings(object: ManifestObject, path: FieldPath): Finding[] {
  const quantityAt = (name: string) => parseQuantity(stringAt(object, ...path, `${CAPACITY}${name}`) ?? '');
  const [cpu, memory] = [quantityAt('cpu'), quantityAt('memory')];
  return [
    ...(memory !== undefined && memory < NANO_MEBIBYTES ? [{
      path: [...path, `${CAPACITY}memory`], message: 'these are bytes, in which no pod has room', accepted: 'quantities with a unit, such as 16Gi', fix: 'add the unit',
    }] : []),
    ...(cpu !== undefined && cpu >= NANO_CPUS ? [{
      path: [...path, `${CAPACITY}cpu`], message: 'no node has so many CPUs', accepted: 'numbers of CPUs such as 4, or 4000m', fix: 'write the CPUs of one node',
    }] : []),
  ];
}

function gpuFindings(object: ManifestObject, path: FieldPath): Finding[] {
  const [count, ...types] = ['gpu-count', 'gpu-type', 'dra-driver'].map((name) => `${CAPACITY}${name}`);
  const isGiven = (key: string) => isSet(object, ...path, key) && fieldAt(object, ...path, key) !== '';
  const given = types.find(isGiven);
  if (isGiven(count) === (given !== undefined)) return [];
  return [given === undefined
    ? { path: [...path, count], message: 'without a type beside it, the autoscaler knows of no GPU', fix: `add ${types[0]}, such as nvidia.com/gpu` }
    : { path: [...path, given], message: 'without a number beside it, the autoscaler knows of no GPU', fix: `add ${count}` }];
}

/** Rules for what nodes of a pool offer. */
export const AUTOSCALER_CAPACITY: readonly ManifestRule[] = [SIZE];
