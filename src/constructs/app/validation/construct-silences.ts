import { IConstruct } from 'constructs';
import { WrittenObject } from './construct-manifests';
import { ManifestSilence, SilencedPart } from '../../../manifests/validation/silences';
import { ConstructSlot } from '../app-state';
import { constructsIn } from '../synth/synthesis';
import { tenantCharts } from '../tenant-trees';

const SILENCES = new ConstructSlot<ManifestSilence[]>('ManifestSilences');

/** Silences for everything below a construct. */
export interface SilencedPlace {
  readonly place: IConstruct;
  readonly silences: readonly ManifestSilence[];
}

/** Silences rules for everything below a construct. */
export function silenceBelow(scope: IConstruct, silences: readonly ManifestSilence[]): void {
  SILENCES.ensure(scope, () => []).push(...silences);
}

/**
 * The silences of constructs, the innermost construct first.
 *
 * @param scope whose silences, and those of what is below it
 * @param objects what constructs write, by the object
 * @param further silences that count after those of constructs
 */
export function silencedParts(
  scope: IConstruct, objects: ReadonlyMap<unknown, WrittenObject>, further: readonly SilencedPlace[] = [],
): SilencedPart[] {
  const constructs = constructsIn(scope).flatMap((construct) => [construct, ...tenantCharts(construct).flatMap(({ node }) => node.findAll())]);
  const own = constructs.map((place) => ({ place, silences: SILENCES.get(place) ?? [] })).reverse();
  return [...own, ...further].filter(({ silences }) => silences.length > 0)
    .map(({ place, silences }) => ({
      name: `anything in ${place.node.path === '' ? 'the app' : place.node.path}`,
      silences,
      holds: (object) => {
        const found = objects.get(object);
        return found !== undefined && [...found.construct.node.scopes, ...found.owner.node.scopes].includes(place);
      },
    }));
}
