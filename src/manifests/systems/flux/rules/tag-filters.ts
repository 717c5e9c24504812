import { IMAGE_POLICY } from './image-automations';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { goPattern, patternFault } from '../../../schema/formats';
import { stringAt } from '../../../values/fields';

const TEXT = `apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: web, namespace: flux-system}
spec:
  imageRepositoryRef: {name: web}
  filterTags: {pattern: '^main-[a-f0-9]+-(?P<ts>[0-9]+)$', extract: $ts}
  policy: {numerical: {order: asc}}
`;

/** Path of the filter. */
const FILTER = ['spec', 'filterTags'] as const;

const pattern: ManifestRule = {
  id: 'TC-TRAP-FLUX-TAG-PATTERN',
  title: 'The pattern of an ImagePolicy must be a regular expression of Go, and its extract must take groups of the pattern: no tag is found otherwise.',
  source: 'fluxcd/image-reflector-controller internal/policy/filter.go (NewRegexFilter, Apply), v1.2.0; golang.org/pkg/regexp (Expand)',
  kinds: [IMAGE_POLICY],
  trap: true,
  example: replaced(TEXT, '(?P<ts>[0-9]+)', '(?P<time>[0-9]+)'),
  check: (object) => {
    const given = stringAt(object, ...FILTER, 'pattern');
    if (given === undefined || /\$\{/.test(given)) return [];
    const fault = patternFault(given);
    if (fault !== undefined) return [{ path: [...FILTER, 'pattern'], message: `${JSON.stringify(given)} is no regular expression of Go: ${fault}`, fix: 'correct the pattern' }];
    const compiled = goPattern(given);
    if (!compiled) return [];
    const [groups, count] = [Object.keys(compiled.namedGroups()), compiled.groupCount()];
    const unknown = templateNames(stringAt(object, ...FILTER, 'extract') ?? '').filter((name) => (/^\d+$/.test(name) ? Number(name) > count : !groups.includes(name)));
    return unknown.length === 0 ? [] : [{
      path: [...FILTER, 'extract'],
      message: `the pattern has no group ${unknown.map((name) => JSON.stringify(name)).join(', ')}, and nothing stands in its place`,
      ...(groups.length > 0 && { accepted: groups.map((name) => `$${name}`).join(', ') }),
      fix: 'write a group of the pattern, such as (?P<name>…), and its name',
    }];
  },
};

/** The names of groups in a template; of `$1x` the name is `1x`. */
function templateNames(template: string): string[] {
  return [...template.replaceAll('$$', '').matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, plain]) => braced ?? plain);
}

/** Rules over tags that policies choose from. */
export const TAG_FILTERS: readonly ManifestRule[] = [pattern];
