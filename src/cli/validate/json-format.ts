import { FileReport, LocatedFinding } from './check-files';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `validate --help` about the shape. */
export const JSON_SHAPE = `{ "version": 1, "objects": NUMBER,
    "findings": [FINDING], "silenced": [FINDING with "silencedBecause"],
    "unknownKinds": [{ "kind", "objects": NUMBER }], "notRead": [{ "message", PLACE }] }
  FINDING is { "rule", "severity": "error", "trap" or "warning", PLACE, "object"?: { "apiVersion", "kind", "namespace"?, "name"? },
    "field", "pointer", "message", "accepted"?, "fix", "source"? }, the field in words and as a JSON pointer.
  PLACE is "file", "line"?, "inside"?. Lists are sorted by place.`;

/** The findings for programs. */
export function jsonFormat({ findings, silenced, objectCount, unknownKinds, notRead }: FileReport): string {
  return `${JSON.stringify({
    version: VERSION,
    objects: objectCount,
    findings: findings.map(findingOf),
    silenced: silenced.map(findingOf),
    unknownKinds: [...unknownKinds].map(([kind, objects]) => ({ kind, objects })),
    notRead: notRead.map(({ message, place: { file, line, inside } }) => ({ message, file, line, inside })),
  }, undefined, 2)}\n`;
}

function findingOf(finding: LocatedFinding) {
  const { rule, severity, place, apiVersion, kind, namespace, name, field, pointer, message, accepted, fix, source, silencedBecause } = finding;
  return {
    rule,
    severity,
    file: place?.file,
    line: place?.line,
    inside: place?.inside,
    object: kind === undefined ? undefined : { apiVersion, kind, namespace, name },
    field,
    pointer,
    message,
    accepted,
    fix,
    source,
    silencedBecause,
  };
}
