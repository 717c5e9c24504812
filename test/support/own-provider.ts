import { ApiObject, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../../src/constructs/contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../src/constructs/contracts/infrastructure';
import { Machine, MachineConfig } from '../../src/constructs/contracts/machine';
import { PoolContext } from '../../src/constructs/contracts/node-pool/pool-context';
import { ManifestRule } from '../../src/manifests/rules/manifest-rule';
import { Provider } from '../../src/manifests/rules/provider';
import { numberAt } from '../../src/manifests/values/fields';
import { NANO } from '../../src/manifests/values/quantity';

const API_VERSION = 'infrastructure.cluster.x-k8s.io/v1';
const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE_TEMPLATE = `${GROUP}/OwnMachineTemplate`;
const MACHINE = ['spec', 'template', 'spec'];

const memory: ManifestRule = {
  id: 'OWN-MEMORY',
  title: 'The memory of a machine is a multiple of 8 MiB.',
  source: 'example/cluster-api-provider-own api/v1/ownmachine_types.go (memoryMiB)',
  kinds: [MACHINE_TEMPLATE],
  example: { failing: template(2047), corrected: template(2048) },
  check: (object) => ((numberAt(object, ...MACHINE, 'memoryMiB') ?? 0) % 8 === 0 ? [] : [{
    path: [...MACHINE, 'memoryMiB'], message: 'it is not a multiple of 8', fix: 'round it',
  }]),
};

/** A made-up provider, as a program of a user registers it. */
export const OWN_PROVIDER: Provider = {
  name: 'own',
  title: 'Own',
  kinds: [
    { kind: `${GROUP}/OwnCluster`, role: 'cluster' },
    { kind: `${GROUP}/OwnClusterTemplate`, role: 'clusterTemplate' },
    { kind: MACHINE_TEMPLATE, role: 'machineTemplate' },
  ],
  rules: [memory],
  // As if the machines were pods.
  machinePods: {
    [MACHINE_TEMPLATE]: (object) => {
      const cpus = BigInt(numberAt(object, ...MACHINE, 'numCores') ?? 1) * NANO;
      return { containers: [{ name: 'machine', requests: { cpu: cpus }, limits: {} }], besides: {}, machine: { cpus, ephemeralDisk: false } };
    },
  },
  machineSizes: {
    [MACHINE_TEMPLATE]: (object) => ({
      cpu: (numberAt(object, ...MACHINE, 'numSockets') ?? 1) * (numberAt(object, ...MACHINE, 'numCores') ?? 1),
      memory: (numberAt(object, ...MACHINE, 'memoryMiB') ?? 0) * 1024 * 1024,
      gpus: [],
    }),
  },
};

/** An infrastructure of the made-up provider. */
export class OwnInfrastructure extends Infrastructure {
  public readonly capabilities;

  public constructor(inManagementCluster = false) {
    super();
    this.capabilities = { clusterKind: 'OwnCluster', inManagementCluster };
  }

  public override apiServerAddresses() {
    return { published: { host: '10.10.10.4', port: 6443 } };
  }

  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const spec = { controlPlaneEndpoint: { host: '10.10.10.4', port: 6443 } };
    return { resource: new ApiObject(scope, 'Resource', { apiVersion: API_VERSION, kind: 'OwnCluster', metadata: { name: context.name }, spec } as object as never) };
  }
}

/** A machine of the made-up provider. */
export class OwnMachine extends Machine {
  public readonly infrastructureKind = 'OwnCluster';
  public readonly capacity;
  public override readonly watchedConditions = ['VMProvisioned'];

  public constructor(private readonly cores: number, private readonly mebibytes: number) {
    super();
    this.capacity = { cpu: cores, memory: Size.mebibytes(mebibytes) };
  }

  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const spec = { template: { spec: { numSockets: 1, numCores: this.cores, memoryMiB: this.mebibytes } } };
    return { template: new ApiObject(scope, 'Resource', { apiVersion: API_VERSION, kind: 'OwnMachineTemplate', metadata: { name: context.name }, spec } as object as never) };
  }
}

function template(memoryMiB: number): string {
  return `apiVersion: ${API_VERSION}\nkind: OwnMachineTemplate\nmetadata: {name: acme}\nspec: {template: {spec: {memoryMiB: ${memoryMiB}}}}\n`;
}
