const STAGES: Readonly<Record<string, string>> = { ALPHA: 'A', BETA: 'B', GA: 'G', DEPRECATED: 'D' };

/**
 * The feature gates of all minors, one line for each: name, then one word for every minor: stage (A alpha, B beta, G general
 * availability, D deprecated), `+` or `-` for its default, `!` if it is locked to it; `.` where the gate does not exist.
 * A gate that is the same in all minors has one word only.
 */
export function gateTable(gates: Readonly<Record<string, Readonly<Record<string, string>>>>, minors: readonly string[]): string[] {
  const names = [...new Set(minors.flatMap((minor) => Object.keys(gates[minor])))].sort();
  return names.map((name) => {
    const words = minors.map((minor) => word(gates[minor][name]));
    return `${name} ${new Set(words).size === 1 ? words[0] : words.join(' ')}`;
  });
}

function word(gate: string | undefined): string {
  if (gate === undefined) {
    return '.';
  }
  const match = /^([A-Z]+)=(true|false) locked=(true|false)$/.exec(gate);
  if (!match || !(match[1] in STAGES)) {
    throw new Error(`a feature gate of an unknown form: ${gate}`);
  }
  return `${STAGES[match[1]]}${match[2] === 'true' ? '+' : '-'}${match[3] === 'true' ? '!' : ''}`;
}
