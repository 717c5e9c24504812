import { IConstruct } from 'constructs';
import { WrittenObject } from './construct-manifests';
import { FoundChanges, GoneFindings } from '../../../manifests/validation/change-check';
import { ConstructSlot } from '../app-state';

/** Findings in changes of objects that constructs wrote before. */
export interface ConstructChanges extends FoundChanges {
  readonly gone: readonly (GoneFindings & { readonly writer: WrittenObject })[];
}

/** Compares what constructs write with what they wrote before; undefined if nothing is known of that. */
export type FindChanges = (written: readonly WrittenObject[]) => ConstructChanges | undefined;

const FIND = new ConstructSlot<FindChanges>('FindChanges');

/** Has the validation of an app check its changes, too. */
export function checkChanges(app: IConstruct, find: FindChanges): void {
  FIND.set(app, find);
}

/** Finds the changes of the objects that a construct writes; undefined for all constructs but an app that has them checked. */
export function changesOf(construct: IConstruct): FindChanges | undefined {
  return FIND.get(construct);
}
