import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { filledProperty, leadsTo, namedPart, segments, Sources } from '../../../manifests/values/field-sources';
import { FieldPath } from '../../../manifests/values/fields';
import { ConstructSlot } from '../app-state';
import { Problems } from '../problems/problems';

/** The property that a field came from, and the construct that it was given to. */
interface FieldSource {
  /** The construct, or a strategy's scope in it. */
  readonly scope: IConstruct;

  /** The property as the user wrote it. */
  readonly property: string;
}

interface RecordedSource {
  readonly scope: IConstruct;
  readonly field: readonly string[];
  readonly property: string;
}

/** A field of an object that is a field of another one. */
interface SameField {
  readonly field: readonly string[];
  readonly object: IConstruct;
  readonly other: readonly string[];
}

const SAME = new ConstructSlot<SameField[]>('SameFields');

/** Functions that return the sources: few are ever asked for. */
const RECORDED = new ConstructSlot<{ readonly scope: IConstruct; readonly sources: () => Sources }[]>('FieldSources');

/** Functions that return the one source of all fields of an object, if it has one now. */
const WHOLE = new ConstructSlot<{ readonly scope: IConstruct; readonly property: () => string | undefined }>('ObjectSource');

/** Records the properties of the user's page that the fields of an object came from: a problem of a field is reported for the property. */
export class FieldSources {
  /**
   * Records sources of an object's fields.
   *
   * ```ts
   * FieldSources.record(template, scope, {
   *   'spec.template.spec.memory': 'memory',
   *   'spec.template.spec.disks[*].size': 'disks[*].size',
   *   'spec.template.spec.rootVolume.*': 'rootVolume.*',
   *   'spec.template.spec.cloudInit.**': 'cloudInit.**',
   * });
   * ```
   *
   * @param object the object
   * @param scope the construct that was given the properties, or the scope that a strategy was given
   * @param sources property by field. A property is the source of everything below its field. `*` stands for an index or key, which the property
   *   may repeat; `**` at the end of both for a path below, which is the same in the property
   */
  public static record(object: ApiObject, scope: IConstruct, sources: Sources): void {
    FieldSources._record(object, scope, () => sources);
  }

  /**
   * Records sources that are put together when a field is asked about.
   *
   * @param object the object
   * @param scope the construct that was given the properties, or the scope that a strategy was given
   * @param sources gives the property by field
   *
   * @internal
   */
  public static _record(object: ApiObject, scope: IConstruct, sources: () => Sources): void {
    // Before anything is validated, since findings are reported there.
    Problems.of(scope);
    RECORDED.ensure(object, () => []).push({ scope, sources });
  }

  /**
   * Records that fields of an object are those of another one, and have its sources.
   *
   * @param object the object
   * @param other the other object
   * @param fields fields of the other one by fields of the object
   *
   * @internal
   */
  public static _recordSame(object: ApiObject, other: IConstruct, fields: { readonly [field: string]: string }): void {
    const same = Object.entries(fields).map(([field, of]) => ({ field: segments(field), object: other, other: segments(of) }));
    SAME.ensure(object, () => []).push(...same);
  }

  /**
   * Records a property that gives an object as a whole at times: its fields have no other source then.
   *
   * @param object the object
   * @param scope the construct that was given the property
   * @param property gives the property; undefined as long as the fields have their own sources
   *
   * @internal
   */
  public static _recordWhole(object: ApiObject, scope: IConstruct, property: () => string | undefined): void {
    Problems.of(scope);
    WHOLE.set(object, { scope, property });
  }

  /**
   * The source of a field: of several that were recorded, that of the field nearest to it, and the last one for that field.
   *
   * @param object the object
   * @param path the path of the field
   *
   * @internal
   */
  public static _find(object: IConstruct, path: FieldPath): FieldSource | undefined {
    const whole = WHOLE.get(object);
    const given = whole?.property();
    if (whole && given !== undefined) return { scope: whole.scope, property: given };
    let nearest: RecordedSource | undefined;
    for (const source of recordedSources(object)) {
      if (leadsTo(source.field, path) && (!nearest || namedPart(source.field).length >= namedPart(nearest.field).length)) nearest = source;
    }
    const same = SAME.get(object)?.find(({ field }) => leadsTo(field, path) && (!nearest || field.length > namedPart(nearest.field).length));
    const source = same && FieldSources._find(same.object, [...same.other, ...path.slice(same.field.length)]);
    return source ?? (nearest && { scope: nearest.scope, property: filledProperty(nearest.field, nearest.property, path) });
  }

  private constructor() {}
}

function recordedSources(object: IConstruct): RecordedSource[] {
  return (RECORDED.get(object) ?? []).flatMap(({ scope, sources }) =>
    Object.entries(sources()).map(([field, property]) => ({ scope, field: segments(field), property })));
}
