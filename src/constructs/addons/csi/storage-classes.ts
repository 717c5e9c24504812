import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Problem, Rule } from '../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../manifests/values/storage-class';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** The user's value of a class, with the path of its property. */
export interface Placed<T> {
  readonly property: string;
  readonly given: T;
}

/** A class that can be the default. */
interface Defaultable {
  readonly name: string;
  readonly isDefault?: boolean;
}

/** Checks that the names of classes of a kind are unique. */
export function checkTaken(rule: Rule, what: string, classes: readonly Placed<{ readonly name: string }>[]): Problem[] {
  const names = classes.map(({ given }) => given.name);
  return classes.filter(({ given }, index) => names.indexOf(given.name) !== index).map(({ property, given }) => ({
    rule,
    property: `${property}.name`,
    message: `the ${what} ${JSON.stringify(given.name)} is already defined in ${classes[names.indexOf(given.name)].property}`,
    fix: 'give one of them another name',
  }));
}

/** A class with annotations. */
interface Annotated {
  readonly annotations?: { readonly [key: string]: string };
}

/** Checks that annotations do not have the one that `isDefault` sets. */
export function checkDefaultMark(rule: Rule, { property, given }: Placed<Annotated>, reserved: string): Problem[] {
  return given.annotations?.[reserved] === undefined ? [] : [{
    rule, property: `${property}.annotations["${reserved}"]`, message: 'isDefault sets this annotation', fix: 'set isDefault: true instead, or remove the annotation',
  }];
}

/** The options that storage classes of all drivers have. */
interface StorageClassOptions {
  readonly name: string;
  readonly isDefault?: boolean;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly reclaimPolicy?: VolumeReclaimPolicy;
  readonly volumeBindingMode?: VolumeBindingMode;
  readonly allowVolumeExpansion?: boolean;
}

/** Adds a StorageClass. The defaults of the API server are written, since it accepts no changes of a class. */
export function addStorageClass(
  scope: Construct, id: string, storageClass: StorageClassOptions, provisioner: string, parameters: { readonly [key: string]: string },
): ApiObject {
  const { name, labels, isDefault } = storageClass;
  const annotations = { ...storageClass.annotations, ...(isDefault && { [DEFAULT_CLASS_ANNOTATION]: 'true' }) };
  return new TypedApiObject(scope, id, { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', clusterScoped: true }, {
    metadata: { name, labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
    provisioner,
    parameters,
    reclaimPolicy: storageClass.reclaimPolicy ?? VolumeReclaimPolicy.DELETE,
    volumeBindingMode: storageClass.volumeBindingMode ?? VolumeBindingMode.IMMEDIATE,
    allowVolumeExpansion: canExpand(storageClass),
  });
}

/** True if volumes of a class can grow. */
export function canExpand({ allowVolumeExpansion }: { readonly allowVolumeExpansion?: boolean }): boolean {
  return allowVolumeExpansion ?? true;
}

/** The sources of the fields of a StorageClass or VolumeSnapshotClass that is made from a property. */
export function classSources(property: string): { [field: string]: string } {
  return {
    'metadata.name': `${property}.name`,
    'metadata.labels.**': `${property}.labels.**`,
    'metadata.annotations.**': `${property}.annotations.**`,
    ...Object.fromEntries(['reclaimPolicy', 'volumeBindingMode', 'deletionPolicy'].map((field) => [field, `${property}.${field}`])),
  };
}

/** Checks that exactly one storage class is the default. */
export function checkDefaultClass(rule: Rule, list: string, classes: readonly Placed<Defaultable>[]): Problem[] {
  const defaults = classes.filter(({ given }) => given.isDefault);
  if (defaults.length === 0) {
    return [{ rule, property: list, message: 'no class is the default, so that claims without a class would wait forever', fix: 'set isDefault: true on one of them' }];
  }
  return checkOneDefault(rule, classes);
}

/** Checks that at most one class is the default. */
export function checkOneDefault(rule: Rule, classes: readonly Placed<Defaultable>[]): Problem[] {
  const [first, ...others] = classes.filter(({ given }) => given.isDefault);
  return others.map(({ property, given }) => ({
    rule,
    property: `${property}.isDefault`,
    message: `${JSON.stringify(given.name)} has isDefault: true, but ${JSON.stringify(first.given.name)} is already the default`,
    fix: 'keep isDefault: true on one of them',
  }));
}
