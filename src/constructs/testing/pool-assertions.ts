import { Size } from 'cdk8s';
import { objectOf } from './cluster-state';
import { failure, Mismatch, mismatchLine, shownValue } from './failure';
import { Machine, MachineCount, Pool } from '../../manifests/landscape/cluster-model';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { fieldAt, stringAt } from '../../manifests/values/fields';
import { amountText, NANO } from '../../manifests/values/quantity';
import { Taint } from '../../manifests/values/taints';
import { PoolSize } from '../contracts/node-pool/pool-size';

/** Expectations of a test for the machines of a pool. */
export interface ExpectedMachine {
  /**
   * The number of CPUs that a machine has.
   *
   * @default - any
   */
  readonly cpu?: number;

  /**
   * The memory of a machine.
   *
   * @default - any
   */
  readonly memory?: Size;

  /**
   * The size at the infrastructure: an instance type, or a plan such as `vc2-4c-8gb`.
   *
   * @default - any
   */
  readonly instanceType?: string;

  /**
   * The number of devices by the name of their resource, e.g. `nvidia.com/AD102GL_L40S`; an empty object expects a machine without GPUs.
   *
   * @default - any
   */
  readonly gpus?: { readonly [resource: string]: number };
}

/** Expectations of a test for the nodes of a pool. */
export interface ExpectedNodes {
  /**
   * Labels that each node has. It may have others.
   *
   * @default - any
   */
  readonly labels?: { readonly [key: string]: string };

  /**
   * Taints that each node has, and no others; an empty list expects none.
   *
   * @default - any
   */
  readonly taints?: Taint[];
}

/**
 * Assertions about a pool of machines; see `ClusterAssertions.pool`.
 *
 * @example
 * testing.ClusterAssertions.of(acme).pool('general').hasMachine({ cpu: 4, memory: Size.gibibytes(16) });
 */
export class PoolAssertions {
  /** @internal */
  public static _of(subject: string, pool: Pool, objects: readonly ReadObject[], namespace: string | undefined): PoolAssertions {
    return new PoolAssertions(subject, pool, objects, namespace);
  }

  private constructor(
    private readonly subject: string,
    private readonly model: Pool,
    private readonly objects: readonly ReadObject[],
    private readonly namespace: string | undefined,
  ) {}

  /**
   * Checks the machines of the pool. A value that the manifests do not state, such as the CPUs of an instance type that is not among them,
   * is found as "none".
   *
   * @param expected the expectations
   */
  public hasMachine(expected: ExpectedMachine): void {
    this.demand(machineMismatches(expected, this.model.machine), this.template());
  }

  /**
   * Checks the number of machines of the pool, and that the cluster autoscaler sets it, or does not.
   *
   * @param expected the size, as it is given to the pool; options of the autoscaler are not compared
   */
  public hasSize(expected: PoolSize): void {
    const { size, autoscaled } = this.model;
    const found = size ? sizeText(size, autoscaled) : 'none';
    this.demand([{ what: 'size', expected: sizeText(expected, expected.autoscaled), found }].filter((one) => one.expected !== one.found), this.owner());
  }

  /**
   * Checks labels and taints of the nodes of the pool.
   *
   * @param expected the expectations
   */
  public hasNodes(expected: ExpectedNodes): void {
    const { labels, taints } = this.model;
    const mismatches = Object.entries(expected.labels ?? {}).filter(([key, value]) => labels.get(key) !== value)
      .map(([key, value]) => ({ what: `label ${key}`, expected: shownValue(value), found: shownValue(labels.get(key)) }));
    if (expected.taints) {
      const [wanted, found] = [expected.taints.map(taintText), taints].map((list) => [...list].sort().join(', ') || 'none');
      if (wanted !== found) mismatches.push({ what: 'taints', expected: wanted, found });
    }
    this.demand(mismatches, this.owner());
  }

  private demand(mismatches: readonly Mismatch[], object: ManifestObject | undefined): void {
    if (mismatches.length > 0) throw failure({ subject: this.subject, lines: mismatches.map(mismatchLine), objects: [object] });
  }

  private owner(): ManifestObject | undefined {
    const { kind, name } = this.model;
    return objectOf(this.objects, { kind, name, namespace: this.namespace });
  }

  private template(): ManifestObject | undefined {
    const reference = fieldAt(this.owner(), 'spec', 'template', 'spec', 'infrastructureRef');
    const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
    return kind === undefined || name === undefined ? this.owner() : objectOf(this.objects, { kind, name, namespace: this.namespace });
  }
}

function machineMismatches({ cpu, memory, instanceType, gpus }: ExpectedMachine, machine: Machine | undefined): Mismatch[] {
  const found = Object.fromEntries((machine?.gpus ?? []).map(({ name, count }) => [name, count]));
  const rows: (Mismatch | undefined)[] = [
    cpu === undefined ? undefined : { what: 'cpu', expected: `${cpu}`, found: `${machine?.cpu ?? 'none'}` },
    memory && { what: 'memory', expected: memoryText(memory.toKibibytes() * 1024), found: memoryText(machine?.memory) },
    instanceType === undefined ? undefined : { what: 'instanceType', expected: shownValue(instanceType), found: shownValue(machine?.instanceType) },
    gpus && { what: 'gpus', expected: devicesText(gpus), found: devicesText(found) },
  ];
  return rows.filter((row) => row !== undefined).filter((row) => row.expected !== row.found);
}

function memoryText(bytes: number | undefined): string {
  return bytes === undefined ? 'none' : amountText('memory', BigInt(bytes) * NANO);
}

function devicesText(devices: { readonly [resource: string]: number }): string {
  return Object.entries(devices).sort().map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}

function sizeText({ minimum, maximum }: MachineCount, autoscaled: boolean): string {
  return autoscaled ? `${minimum} to ${maximum}` : `${maximum}`;
}

function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;
}
