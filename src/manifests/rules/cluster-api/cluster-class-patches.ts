import { BUILT_IN_VARIABLES } from './built-in-variables';
import { CLUSTER_CLASS, CORE_WEBHOOKS } from './cluster-api-kinds';
import { clusterClassYaml, gateYaml } from './example-manifests';
import { ManifestObject } from '../../objects/manifest-object';
import { FieldPath, Fields, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { indented } from '../example-text';
import { unclosedAction } from '../go-template-actions';
import { ManifestRule } from '../manifest-rule';

const SOURCE = `${CORE_WEBHOOKS}/patch_validation.go`;
const GATE_ON = gateYaml('ClusterTopology');
const DEFINITION = `    definitions:
      - selector:
          apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
          kind: KamajiControlPlaneTemplate
          matchResources:
            controlPlane: true
        jsonPatches:`;

const NAME: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-NAME',
  title: 'The name of a patch must be unique in its ClusterClass, and must not be "inline".',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: { failing: patched('/spec/template/spec/registry', 'value: r.example.com', 'inline'), corrected: patched('/spec/template/spec/registry', 'value: r.example.com') },
  check: (object) => {
    const names = patchesOf(object).map(({ patch, path }) => ({ name: stringAt(patch, 'name'), path }));
    return names.flatMap(({ name, path }, index) => {
      const isTaken = names.slice(0, index).some((other) => other.name === name);
      if (name === undefined || !(isTaken || name === 'inline')) return [];
      return [{ path: [...path, 'name'], message: isTaken ? `there are two patches ${JSON.stringify(name)}` : '"inline" cannot be the name of a patch', fix: 'choose another name' }];
    });
  },
};

const KIND: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-SOURCE',
  title: 'A patch of a ClusterClass must be inline, or come from an extension that generates patches or validates the result.',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: clusterClassYaml('patches:\n  - name: registry\n    enabledIf: "true"') + GATE_ON,
    corrected: patched('/spec/template/spec/registry', 'value: r.example.com'),
  },
  check: (object) => patchesOf(object).flatMap(({ patch, path }) => {
    const [isWritten, isExternal] = [isSet(patch, 'definitions'), isSet(patch, 'external')];
    if (isWritten === isExternal) return [{ path, message: isWritten ? 'it has both definitions and external' : 'it has neither definitions nor external', fix: 'write one of them' }];
    const extensions = ['generateExtension', 'generatePatchesExtension', 'validateExtension', 'validateTopologyExtension'];
    if (!isExternal || extensions.some((field) => stringAt(patch, 'external', field) !== undefined)) return [];
    return [{ path: [...path, 'external'], message: 'it names no extension that generates or validates', fix: 'name generatePatchesExtension or validateTopologyExtension' }];
  }),
};

const PATH: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-PATH',
  title: 'A patch of a ClusterClass must change the spec of templates, and can only add entries at the ends of lists.',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: { failing: patched('/registry', 'value: r.example.com'), corrected: patched('/spec/template/spec/registry', 'value: r.example.com') },
  check: (object) => jsonPatches(object).flatMap(({ patch, path }) => {
    const place = stringAt(patch, 'path');
    if (place === undefined) return [];
    const at = [...path, 'path'];
    const numbers = place.split('/').filter((part) => /^[+-]?\d+$/.test(part));
    return [
      ...(place.startsWith('/spec') ? [] : [{ path: at, message: `${JSON.stringify(place)} is not in the spec`, accepted: 'paths that start with "/spec"', fix: 'write the path from the top of the template, such as "/spec/template/spec/…"' }]),
      ...(patch.op === 'add' && numbers.some((number) => Number(number) !== 0) ? [{
        path: at, message: `${JSON.stringify(place)} reaches into a list`, accepted: '"0" for before the first item, "-" for behind the last', fix: 'add at an end of the list, or replace the whole list',
      }] : []),
      ...((patch.op === 'replace' || patch.op === 'remove') && numbers.length > 0 ? [{
        path: at, message: `${JSON.stringify(place)} reaches into a list, which ${patch.op} cannot`, fix: 'replace the whole list',
      }] : []),
    ];
  }),
};

const VALUE: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-VALUE',
  title: 'An add or replace operation of a ClusterClass patch must have one value: a literal, a template, or an existing variable.',
  source: SOURCE,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: patched('/spec/template/spec/registry', 'valueFrom:\n  variable: registry'),
    corrected: patched('/spec/template/spec/registry', 'valueFrom:\n  variable: builtin.cluster.name'),
  },
  check: (object) => {
    const variables = objectsAt(object, 'spec', 'variables').map(([{ name }]) => name);
    return jsonPatches(object).filter(({ patch }) => patch.op === 'add' || patch.op === 'replace').flatMap(({ patch, path }) => valueFaults(patch, path, variables));
  },
};

const TEMPLATE: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-TEMPLATE',
  title: 'Every action of a Go template in a patch of a ClusterClass must be closed.',
  source: `${SOURCE}, pkg.go.dev/text/template`,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: patched('/spec/template/spec/registry', 'valueFrom:\n  template: "{{ .builtin.cluster.name }.example.com"'),
    corrected: patched('/spec/template/spec/registry', 'valueFrom:\n  template: "{{ .builtin.cluster.name }}.example.com"'),
  },
  check: (object) => [
    ...patchesOf(object).map(({ patch, path }) => ({ text: stringAt(patch, 'enabledIf'), path: [...path, 'enabledIf'] })),
    ...jsonPatches(object).map(({ patch, path }) => ({ text: stringAt(patch, 'valueFrom', 'template'), path: [...path, 'valueFrom', 'template'] })),
  ].flatMap(({ text, path }) => {
    const line = text === undefined ? undefined : unclosedAction(text);
    return line === undefined ? [] : [{ path, message: `the action that starts in line ${line} is not closed`, fix: 'close it with "}}"' }];
  }),
};

export const CLUSTER_CLASS_PATCHES: readonly ManifestRule[] = [NAME, KIND, PATH, VALUE, TEMPLATE];

/** A patch, or one of its changes, and where it stands. */
interface PlacedPatch {
  readonly patch: Fields;
  readonly path: FieldPath;
}

function patched(path: string, value: string, name = 'registry'): string {
  const lines = indented(`- op: add\n  path: ${path}\n${indented(value, 2)}`, 10);
  return clusterClassYaml(`patches:\n  - name: ${name}\n${DEFINITION}\n${lines}`) + GATE_ON;
}

/** The patches of a ClusterClass. */
export function patchesOf(object: ManifestObject): PlacedPatch[] {
  return objectsAt(object, 'spec', 'patches').map(([patch, index]) => ({ patch, path: ['spec', 'patches', index] }));
}

function jsonPatches(object: ManifestObject): PlacedPatch[] {
  return patchesOf(object).flatMap(({ patch, path }) => objectsAt(patch, 'definitions').flatMap(([definition, at]) => (
    objectsAt(definition, 'jsonPatches').map(([change, index]) => ({ patch: change, path: [...path, 'definitions', at, 'jsonPatches', index] }))
  )));
}

function valueFaults(patch: Fields, path: FieldPath, variables: readonly unknown[]): Finding[] {
  const [hasValue, hasSource] = [isSet(patch, 'value'), isSet(patch, 'valueFrom')];
  const [template, variable] = [stringAt(patch, 'valueFrom', 'template'), stringAt(patch, 'valueFrom', 'variable')];
  return [
    ...(hasValue === hasSource ? [{ path, message: hasValue ? 'it has both value and valueFrom' : 'it has neither value nor valueFrom', fix: 'write one of them' }] : []),
    ...(hasSource && (template === undefined) === (variable === undefined) ? [{
      path: [...path, 'valueFrom'], message: `it names ${template === undefined ? 'neither a template nor a variable' : 'both a template and a variable'}`, fix: 'name one of them',
    }] : []),
    ...(variable === undefined || isKnown(variable, variables) ? [] : [{
      path: [...path, 'valueFrom', 'variable'], message: `there is no variable ${JSON.stringify(variable)}`, fix: 'define it in spec.variables, or name a built-in one',
    }]),
  ];
}

function isKnown(variable: string, variables: readonly unknown[]): boolean {
  if (variable.startsWith('builtin.')) return BUILT_IN_VARIABLES.includes(variable);
  return variables.includes(variable.split(/[[.]/).find((part) => part !== ''));
}
