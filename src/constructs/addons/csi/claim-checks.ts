import { CLAIM_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity, parseQuantity } from '../../../manifests/values/quantity';
import { VolumeClass } from '../../contracts/volume-class';

/** The checked fields of a claim. */
export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly resources?: { readonly requests?: { readonly storage?: string | number } };
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly volumeName?: string;
  readonly dataSource?: { readonly kind?: string };
  readonly dataSourceRef?: { readonly kind?: string };
}

/**
 * Checks a claim against the capabilities of its storage class.
 *
 * @param property path of the claim's fields
 * @param spec the claim
 * @param classes the known storage classes of the cluster; claims of other classes, and claims for existing volumes, are not checked
 */
export function checkClaim(property: string, spec: ClaimSpec, classes: readonly VolumeClass[]): Problem[] {
  const { storageClassName: name, volumeName } = spec;
  const volumeClass = classes.find((one) => (name === undefined ? one.isDefault : one.name === name));
  if (!volumeClass || volumeName) return [];
  return [
    ...checkAccessModes(`${property}.accessModes`, spec, volumeClass),
    ...checkSize(`${property}.resources.requests.storage`, spec.resources?.requests?.storage, volumeClass),
    ...checkSource(property, spec, volumeClass),
  ];
}

function checkAccessModes(property: string, { accessModes = [], volumeMode }: ClaimSpec, volumeClass: VolumeClass): Problem[] {
  const raw = volumeMode === 'Block';
  const { name, accessModes: plain, blockAccessModes = plain } = volumeClass;
  const possible: readonly string[] = raw ? blockAccessModes : plain;
  const impossible = accessModes.filter((mode) => !possible.includes(mode));
  return impossible.length === 0 ? [] : [{
    rule: CLAIM_RULES.accessMode,
    property,
    message: `${raw ? 'raw block volumes' : 'volumes'} of the storage class "${name}" cannot be ${impossible.join(', ')}`,
    accepted: possible.join(', '),
    fix: 'choose one of these, or another storage class',
  }];
}

function checkSize(property: string, storage: string | number | undefined, { name, least, most, step }: VolumeClass): Problem[] {
  if (storage === undefined) return [];
  const text = `${storage}`;
  const at = { rule: CLAIM_RULES.size, property };
  const fault = checkQuantity(text, { positive: true });
  if (fault !== undefined) return [{ ...at, message: fault, fix: 'write a size such as "10Gi"' }];
  const size = parseQuantity(text)!;
  const accepted = [least && `from ${least}`, most && `up to ${most}`, step && `in multiples of ${step}`].filter(Boolean).join(', ');
  const said = (what: string): Problem => ({ ...at, message: `${text} is ${what} of the storage class "${name}"`, accepted, fix: 'write a size that volumes of the class can have' });
  return [
    ...(least !== undefined && size < parseQuantity(least)! ? [said('less than the smallest volume')] : []),
    ...(most !== undefined && size > parseQuantity(most)! ? [said('more than the largest volume')] : []),
    ...(step !== undefined && size % parseQuantity(step)! !== 0n ? [said('between two sizes')] : []),
  ].slice(0, 1);
}

function checkSource(property: string, { dataSource, dataSourceRef }: ClaimSpec, { name, copies = true }: VolumeClass): Problem[] {
  const field = dataSource ? 'dataSource' : 'dataSourceRef';
  const kind = (dataSource ?? dataSourceRef)?.kind;
  return copies || kind === undefined ? [] : [{
    rule: CLAIM_RULES.source,
    property: `${property}.${field}`,
    message: `volumes of the storage class "${name}" cannot be copies, but this claim is a copy of a ${kind}`,
    fix: 'start with an empty volume, or choose another storage class',
  }];
}
