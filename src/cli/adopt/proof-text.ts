import { counted } from './adopt-report';
import { Proof, proofCounts, ProvenObject } from '../../manifests/adopt/proof';
import { placeText } from '../../manifests/landscape/place';
import { nameOf, namespaceOf, objectName } from '../../manifests/objects/manifest-object';
import { planJson } from '../../manifests/plan/plan-json';
import { planText } from '../../manifests/plan/plan-text';

const LONGEST_VALUE = 60;

/** A proof for people. */
export function proofText(proof: Proof): string {
  const { equal, converted, stored, different, missing } = proofCounts(proof);
  const otherVersion = converted === 0 ? '' : `${converted} equal in another version of the API, `;
  return [
    `${counted(proof.objects.length, 'object')}: ${equal} equal to the value, ${otherVersion}${stored} stored as equal, `
      + `${different} different, ${missing} missing; ${proof.added.length} added`,
    ...proof.objects.filter(({ result }) => result === 'missing').map(({ read }) => `  missing: ${objectName(read.object)} (${placeText(read.place)})`),
    ...proof.objects.filter(({ result }) => result === 'different').flatMap(differenceLines),
    ...proof.added.map((object) => `  added: ${objectName(object)}`),
    proof.isEmpty ? 'plan: nothing changes' : `\n${planText(proof.plan, { colors: false, objects: false }).trimEnd()}`,
    '',
  ].join('\n');
}

function differenceLines({ read, differences }: ProvenObject): string[] {
  const fields = differences.map(({ field, before, after }) => `    ${field}: ${shown(before)} -> ${shown(after)}`);
  return [`  different: ${objectName(read.object)} (${placeText(read.place)})`, ...fields];
}

function shown(value: unknown): string {
  if (value === undefined) return 'unset';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** A proof for programs. */
export function proofJson(proof: Proof): string {
  return `${JSON.stringify({
    objects: proof.objects.map(({ read: { object, place }, result, differences }) => ({
      kind: object.kind,
      namespace: namespaceOf(object),
      name: nameOf(object),
      place: placeText(place),
      result,
      ...(differences.length > 0 && { differences }),
    })),
    added: proof.added.map((object) => objectName(object)),
    plan: planJson(proof.plan),
  }, undefined, 2)}\n`;
}
