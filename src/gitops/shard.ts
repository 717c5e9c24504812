import { hash } from 'node:crypto';
import { IConstruct } from 'constructs';
import { GITOPS_RULES } from './rules';
import { Share } from '../synth/share';
import { Problem } from '../validation/problem';

/** Environment variable that says which shard a process writes: `2/8`. */
export const SHARD_VARIABLE = 'CDK8S_CLUSTER_API_SHARD';

/** Digits of the hash that decide: more than a double has room for would be rounded. */
const HASH_DIGITS = 12;

/**
 * One of several shards of an app, each of which another process or machine writes. Together they have the same bytes as one process.
 *
 * Which shard a cluster is in follows from its namespace and name, so that a cluster that is added moves no other one. The first shard also
 * has what is about no single cluster: charts, files of hosts, lists.
 *
 * `npx cdk8s-cluster-api synth --workers 8` runs all shards on one machine, `npx cdk8s-cluster-api merge` joins what several machines wrote.
 */
export class Shard {
  /**
   * One of several shards (`TC-GITOPS-SHARD`).
   *
   * @param number which one, from 1 to `count`
   * @param count how many there are
   */
  public static of(number: number, count: number): Shard {
    return new Shard(number, count, `${number}/${count}`);
  }

  /**
   * The shard that the environment variable `CDK8S_CLUSTER_API_SHARD` says, such as `2/8` (`TC-GITOPS-SHARD`); undefined if it says nothing.
   *
   * @internal
   */
  public static _fromEnvironment(): Shard | undefined {
    const text = process.env[SHARD_VARIABLE];
    return text === undefined || text === '' ? undefined : Shard._parse(text);
  }

  /**
   * Reads a shard.
   *
   * @param text `2/8`
   *
   * @internal
   */
  public static _parse(text: string): Shard {
    const [, number, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
    return new Shard(Number(number), Number(count), text);
  }

  private constructor(
    /** Which one it is, counted from 1. */
    public readonly number: number,

    /** How many there are. */
    public readonly count: number,

    private readonly text: string,
  ) {}

  /** The shard as it is written: `2/8`. @internal */
  public get _text(): string {
    return this.text;
  }

  /** Whether it has what is about no single cluster. @internal */
  public get _isFirst(): boolean {
    return this.number === 1;
  }

  /** Whether it has a cluster. @internal */
  public _has(namespace: string, name: string): boolean {
    const digits = hash('sha256', `${namespace}/${name}`).slice(0, HASH_DIGITS);
    return parseInt(digits, 16) % this.count === this.number - 1;
  }

  /** What is wrong with it. @internal */
  public get _problems(): Problem[] {
    const { number, count } = this;
    if (Number.isSafeInteger(number) && Number.isSafeInteger(count) && number >= 1 && number <= count) return [];
    return [{
      rule: GITOPS_RULES.shard,
      property: 'shard',
      message: `${JSON.stringify(this.text)} is no shard`,
      accepted: 'the number of the shard, from 1, and how many there are, such as "2/8"',
      fix: `correct the property, or the environment variable ${SHARD_VARIABLE}`,
    }];
  }
}

/**
 * Whether a tenant cluster has to be built in this process: it is in its shard, or it is the first one, which knows all.
 *
 * @param namespace namespace of the cluster
 * @param name name of the cluster
 * @param app the app, or a construct in it
 */
export function inShard(namespace: string, name: string, app: IConstruct): boolean {
  return Share.of(app).builds(namespace, name);
}
