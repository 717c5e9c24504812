import { checkMetadata, MetadataRules } from './object-metadata';
import { isObject, shown, StructuralSchema } from './structural-schema';
import { FaultSink, ValueCheck, ValueFault } from '../../../src/manifests/schema/check-value';
import { faultWords } from '../../../src/manifests/schema/finding-words';
import { compileSchema, JsonSchema } from '../../../src/manifests/schema/schema-node';
import { fieldText } from '../../../src/manifests/values/fields';

/**
 * The errors an API server finds in one custom resource with strict field validation, schema rules aside
 * (those are in `cel.ts`): unknown fields, types, values, duplicates in sets and maps, and metadata.
 */
export function structuralErrors(object: unknown, schema: StructuralSchema, metadata: MetadataRules): string[] {
  if (!isObject(object)) return [`object: must be an object, got ${shown(object)}`];
  const errors = new Errors();
  new ValueCheck(errors).resource(compileSchema(schema as JsonSchema), object);
  const unnamed = ['apiVersion', 'kind'].filter((key) => typeof object[key] !== 'string' || object[key] === '');
  return [
    ...unnamed.map((key) => `${key}: required, got ${shown(object[key] ?? 'nothing')}`),
    ...checkMetadata(object.metadata, metadata),
    ...errors.found,
  ];
}

class Errors implements FaultSink {
  public readonly found: string[] = [];
  private readonly place: (string | number)[] = [];

  public enter(step: string | number): void {
    this.place.push(step);
  }

  public leave(): void {
    this.place.pop();
  }

  public report(fault: ValueFault): void {
    this.found.push(`${fieldText(this.place)}: ${faultWords(fault, this.place).message}`);
  }

  public checkMetadata(metadata: unknown): void {
    this.found.push(...checkMetadata(metadata, {}, fieldText(this.place)));
  }
}
