import { ruleRooms } from './catalog';
import { renderRules } from './render';
import { renderManifestRules } from './render-manifests';
import { EXPLAINED_ROOMS } from '../../src/validation/manifests/manifest-rules';

/** Every page about rules, by its path below docs/. */
export function pages(): Map<string, string> {
  return new Map([
    ['rules.md', renderRules(ruleRooms(), EXPLAINED_ROOMS)],
    ...EXPLAINED_ROOMS.map((room) => [`rules/${room.name}.md`, renderManifestRules(room)] as const),
  ]);
}
