/** Stages of a server that refuse. */
export const REFUSERS = ['decoding', 'schema', 'cel', 'webhook', 'other'] as const;

/** Answer of a server to a case: a line of the file that the program in conformance/ writes. */
export interface ServerVerdict {
  readonly id: string;
  readonly accepted: boolean;
  readonly code?: number;
  readonly reason?: string;
  readonly by?: typeof REFUSERS[number];

  /** The webhook that refuses, if one does. */
  readonly webhook?: string;
  readonly message?: string;
  readonly causes?: readonly { readonly reason?: string; readonly field?: string; readonly message?: string }[];
  readonly warnings?: readonly string[];

  /** Reason for which the case could not be run. */
  readonly error?: string;
}

/** Reads verdicts; there must be one for each case, and none for anything else. */
export function readVerdicts(text: string, ids: readonly string[]): Map<string, ServerVerdict> {
  const verdicts = new Map(text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as ServerVerdict).map((verdict) => [verdict.id, verdict]));
  const missing = ids.filter((id) => !verdicts.has(id));
  const unknown = [...verdicts.keys()].filter((id) => !ids.includes(id));
  if (missing.length > 0) throw new Error(`the server was not asked about ${missing.length} of ${ids.length} cases, e.g. ${missing[0]}`);
  if (unknown.length > 0) throw new Error(`there are verdicts about ${unknown.length} cases that there are not, e.g. ${unknown[0]}`);
  return verdicts;
}
