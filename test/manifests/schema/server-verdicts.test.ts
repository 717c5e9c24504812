import { FORMATS } from './format-verdicts';
import { DEFINITIONS, INSTANCES, Verdict } from './server-verdicts';
import { checkSchema } from '../../../src/constructs/operators/schema/check-schema';
import { checkRules } from '../../../src/manifests/cel/check-rules';
import { checkResource, checkValue } from '../../../src/manifests/schema/check-value';
import { compileSchema, JsonSchema } from '../../../src/manifests/schema/schema-node';
import { checkIdleLimits, checkStructuralSchema } from '../../../src/manifests/schema/structural-schema';

test.each(INSTANCES)('an object: %s', (_what, spec, value, verdict) => {
  expect(verdictOf(checkResource(compileSchema({ type: 'object', properties: { spec } }), { spec: value }))).toBe(verdict);
});

test.each(Object.entries(FORMATS))('strings of the format %s', (format, { accepted, refused }) => {
  const verdicts = (texts: readonly string[]) => texts.filter((text) => verdictOf(checkValue(compileSchema({ type: 'string', format }), text)) === 'accepted');
  expect(verdicts(accepted)).toEqual(accepted);
  expect(verdicts(refused)).toEqual([]);
});

test.each(DEFINITIONS.map(([what, spec, verdict, but]) => ({ what, spec, verdict, but })))('a definition: $what', ({ spec, verdict, but }) => {
  const schema: JsonSchema = { type: 'object', properties: { spec } };
  const found = [...checkStructuralSchema({ ...schema }), ...checkIdleLimits({ ...schema }), ...checkSchema(schema, 'schema')];
  const rules = found.length === 0 ? checkRules({ ...schema }) : [];

  expect(verdictOf([...found, ...rules])).toBe(but === undefined ? verdict : but === 'stricter' ? 'refused' : 'accepted');
});

test('differences from the server are those that are named', () => {
  expect(DEFINITIONS.filter(([, , verdict, but]) => (but === 'stricter' && verdict === 'refused') || (but === 'blind' && verdict === 'accepted'))).toEqual([]);
});

function verdictOf(findings: readonly unknown[]): Verdict {
  return findings.length === 0 ? 'accepted' : 'refused';
}
