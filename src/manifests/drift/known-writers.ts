import { KUBERNETES_FIELDS, KUBERNETES_MANAGERS } from '../kubernetes/controller-fields';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { CLUSTER_API_FIELDS, CLUSTER_API_MANAGERS } from '../rules/cluster-api/controller-fields';
import { CLUSTER_API_PROPERTIES } from '../rules/cluster-api/page-properties';
import { ControllerField, FieldManager } from '../rules/field-managers';
import { providers } from '../systems/providers';
import { propertyOf } from '../values/field-sources';
import { FieldPath, fieldText } from '../values/fields';

/** Programs and fields of controllers that are known. */
export class KnownWriters {
  private readonly managers: readonly FieldManager[];
  private readonly fields: readonly Readonly<Record<string, readonly ControllerField[]>>[];
  private readonly byKind = new Map<string, readonly ControllerField[]>();

  /** @param controllers names of more controllers, as managed fields have them */
  public constructor(controllers: readonly string[] = []) {
    const others = controllers.map((name): FieldManager => ({ name, role: 'controller', title: name, source: '' }));
    this.managers = [...others, ...providers().flatMap(({ managers = [] }) => managers), ...CLUSTER_API_MANAGERS, ...KUBERNETES_MANAGERS];
    this.fields = [...providers().map(({ controllerFields = {} }) => controllerFields), CLUSTER_API_FIELDS, KUBERNETES_FIELDS];
  }

  /** A program by its name in managed fields. */
  public manager(name: string): FieldManager | undefined {
    return this.managers.find((known) => fits(known.name, name));
  }

  /** The delivery that leaves a label or an annotation as its mark; undefined if none does. */
  public marker(path: FieldPath): FieldManager | undefined {
    return this.managers.find((manager) => isMark(path, manager));
  }

  /** The entry of a field that a controller writes on an object. */
  public controllerField(object: ManifestObject, path: FieldPath): ControllerField | undefined {
    const kind = groupKind(object);
    let known = this.byKind.get(kind);
    if (!known) this.byKind.set(kind, known = this.fields.flatMap((table) => [...table[kind] ?? [], ...table['*'] ?? []]));
    if (known.length === 0) return undefined;
    const texts = path.map((_, index) => fieldText(path.slice(0, index + 1)));
    return known.find(({ field, when }) => texts.some((text) => fitsField(field, text)) && when?.(object) !== false);
  }
}

/** The property of a page that writes a field, with the construct that has it; undefined if none is known to. */
export function pageProperty(object: ManifestObject, path: FieldPath): string | undefined {
  const kind = groupKind(object);
  const ofProviders = providers().map(({ pageProperties }) => pageProperties?.[kind]).find((properties) => properties !== undefined);
  const known = ofProviders ?? CLUSTER_API_PROPERTIES[kind];
  const property = known && propertyOf(known.properties, path);
  return property === undefined ? undefined : `${property} of ${known!.of}`;
}

/** True of a label or an annotation that a delivery adds to what it applies. */
export function isMark([first, place, key]: FieldPath, { adds = [] }: FieldManager): boolean {
  return first === 'metadata' && (place === 'labels' || place === 'annotations') && typeof key === 'string' && adds.some((start) => key.startsWith(start));
}

/** True if a name is another one, or begins with what comes before its `*`. */
function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** A `*` stands for any text. */
function fitsField(pattern: string, field: string): boolean {
  if (!pattern.includes('*')) return pattern === field;
  const [start, end] = pattern.split('*');
  return field.startsWith(start) && field.endsWith(end) && field.length >= start.length + end.length;
}
