import { ConformanceCase } from './conformance-case';
import { ServerException } from './exceptions';
import { OwnVerdict } from './own-verdict';
import { ServerVerdict } from './server-verdict';
import { UnenforcedRule } from './unenforced-rules';
import { groupKind, ManifestObject } from '../../src/manifests/objects/manifest-object';
import { isFields } from '../../src/manifests/values/fields';

/** Agreement between the rules and the server. */
export type Outcome =
  /** Both take it. */
  | 'both-accept'
  /** Both refuse it. */
  | 'both-refuse'
  /** The rules call it a trap, and the server takes it. */
  | 'trap'
  /** The rules call it a trap, and the server refuses it. */
  | 'trap-refused'
  /** The server refuses what the rules leave alone on purpose. */
  | 'excepted'
  /** The rules refuse what the server would refuse too, if everything ran beside it. */
  | 'unenforced'
  /** The corrected example needs a setting that the server does not have. */
  | 'uncorrected'
  /** The server refuses what the rules take. */
  | 'missed'
  /** The rules refuse what the server takes. */
  | 'too-strict'
  /** The server does not say of an example what the rule says of it. */
  | 'unexpected'
  /** The server is somebody else's, and has not what the case needs. */
  | 'left-out'
  /** The server could not be asked. */
  | 'not-run';

/** Outcomes that are mistakes: in rules, in examples, or here. */
export const DISAGREEMENTS: ReadonlySet<Outcome> = new Set<Outcome>(['missed', 'too-strict', 'unexpected', 'not-run']);

/** Beginning of the message with which the program in conformance/ leaves out a case on a server of the user. */
const LEFT_OUT = 'left out: ';

/** A case that both have judged. */
export interface Judged {
  readonly case: ConformanceCase;
  readonly own: OwnVerdict;
  readonly server: ServerVerdict;
}

/** A case, what both say of it, and how they agree. */
export interface Compared extends Judged {
  readonly outcome: Outcome;

  /** Explanation of a disagreement that is no mistake. */
  readonly reason?: string;
}

/** Explanations of differences between the rules and the server. */
export interface Explanations {
  readonly exceptions: readonly ServerException[];
  readonly unenforced: readonly UnenforcedRule[];
  readonly uncorrected: readonly UnenforcedRule[];
}

/** Compares what the rules and the server say, and keeps in mind which explanations were needed. */
export class Comparison {
  private readonly used = new Set<ServerException | UnenforcedRule>();

  public constructor(private readonly explanations: Explanations) {}

  /** Compares what both say of a case. */
  public compare(judged: Judged): Compared {
    const [outcome, explanation] = this.outcome(judged);
    if (explanation) this.used.add(explanation);
    return { ...judged, outcome, reason: explanation?.reason };
  }

  /** Explanations that explained nothing, in words. */
  public get unused(): string[] {
    const { exceptions, unenforced, uncorrected } = this.explanations;
    return [
      ...exceptions.filter((one) => !this.used.has(one)).map(({ kind = 'any kind', by, message }) => `exception: ${kind}, refused by ${by}, ${String(message)}`),
      ...unenforced.filter((one) => !this.used.has(one)).map(({ rule }) => `rule that the server does not enforce: ${rule}`),
      ...uncorrected.filter((one) => !this.used.has(one)).map(({ rule }) => `rule whose corrected example the server refuses: ${rule}`),
    ];
  }

  private outcome({ case: { expected, origin, row, text }, own, server }: Judged): [Outcome, (ServerException | UnenforcedRule)?] {
    const { exceptions, unenforced, uncorrected } = this.explanations;
    const { refusals, traps } = own;
    if (server.error !== undefined) return [server.error.startsWith(LEFT_OUT) ? 'left-out' : 'not-run'];
    if (server.accepted) {
      const rules = refusals.map(({ id, field, message }) => (
        unenforced.find(({ rule, finding }) => rule === id && (finding?.test(`${field}: ${message}`) ?? true))));
      if (refusals.length > 0) return rules.every((rule) => rule !== undefined) ? ['unenforced', rules[0]] : ['too-strict'];
      if (expected === 'refused') {
        const setting = unenforced.find(({ rule }) => rule === row);
        return setting ? ['unenforced', setting] : ['unexpected'];
      }
      return [traps.length > 0 ? 'trap' : 'both-accept'];
    }
    if (origin !== 'mutation' && expected === 'accepted') {
      const setting = uncorrected.find(({ rule }) => rule === row);
      return setting ? ['uncorrected', setting] : [refusals.length > 0 ? 'unexpected' : 'missed'];
    }
    if (refusals.length > 0) return ['both-refuse'];
    if (traps.length > 0) return ['trap-refused'];
    const exception = exceptions.find((one) => (
      one.by === server.by && (one.kind === undefined || one.kind === kindIn(text)) && one.message.test(server.message ?? '')));
    return exception ? ['excepted', exception] : ['missed'];
  }
}

/** The kind that a text names, if it can be read. */
export function kindIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? groupKind(value as ManifestObject) : undefined;
  } catch {
    return undefined;
  }
}
