import { CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1 } from './cluster-api-kinds';
import { workersOf } from './cluster-classes';
import { clusterClassYaml, gateYaml } from './example-manifests';
import { templateFault } from '../../go-template/go-template';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { checkQualifiedName } from '../../values/labels';
import { indented } from '../example-text';
import { unclosedAction } from '../go-templates';
import { ManifestRule } from '../manifest-rule';

const OF_OBJECTS = ['metadata.labels', 'metadata.annotations', 'name', 'replicas', 'version'];
const OF_POOLS = [...OF_OBJECTS, 'class', 'topologyName', 'bootstrap.configRef.name', 'infrastructureRef.name'];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'cluster': ['metadata.labels', 'metadata.annotations', 'name', 'namespace', 'uid'],
  'cluster.topology': ['class', 'classNamespace', 'classRef.name', 'classRef.namespace', 'version'],
  'cluster.network': ['pods', 'serviceDomain', 'services'],
  'controlPlane': [...OF_OBJECTS, 'machineTemplate.infrastructureRef.name'],
  'machineDeployment': OF_POOLS,
  'machinePool': OF_POOLS,
};

/**
 * Variables that patches of a ClusterClass have without defining them.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/admission/patch_validation.go.
 */
const BUILT_IN_VARIABLES: readonly string[] = Object.entries(FIELDS)
  .flatMap(([owner, fields]) => [`builtin.${owner}`, ...fields.map((field) => `builtin.${owner}.${field}`)]);

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
    const isEmpty = isWritten && !isExternal && isV1beta1(object) && objectsAt(patch, 'definitions').length === 0;
    if (isEmpty || isWritten === isExternal) return [{ path, message: isWritten && !isEmpty ? 'it has both definitions and external' : 'it has neither definitions nor external', fix: 'write one of them' }];
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
  title: 'A Go template in a patch of a ClusterClass must be readable, with every action closed and every function known.',
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
    if (text === undefined) return [];
    const line = unclosedAction(text);
    if (line !== undefined) return [{ path, message: `the action that starts in line ${line} is not closed`, fix: 'close it with "}}"' }];
    const fault = templateFault(text);
    return fault === undefined ? [] : [{ path, message: fault, fix: 'correct the template: its functions are those of Go and sprig without dates, random values and the environment' }];
  }),
};

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

const WORKERS = { machineDeploymentClass: 'machineDeployments', machinePoolClass: 'machinePools' } as const;
const WORKER_FIELDS = Object.keys(WORKERS) as (keyof typeof WORKERS)[];

const CLUSTER_CLASS_SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-CLASS-PATCH-SELECTOR',
  title: 'A patch of a ClusterClass must select templates of the class, with the same apiVersion and kind.',
  source: `${CORE_WEBHOOKS}/patch_validation.go (validateSelectors)`,
  kinds: [CLUSTER_CLASS],
  example: { failing: selecting('v1alpha1'), corrected: selecting('v1alpha2') },
  check: (object) => patchesOf(object).flatMap(({ patch, path }) => objectsAt(patch, 'definitions').flatMap(([{ selector }, index]) => (
    selectorFaults(object, selector, [...path, 'definitions', index, 'selector'])
  ))),
};

function selecting(version: string): string {
  return clusterClassYaml(`patches:
  - name: registry
    definitions:
      - selector:
          apiVersion: controlplane.cluster.x-k8s.io/${version}
          kind: KamajiControlPlaneTemplate
          matchResources:
            controlPlane: true
        jsonPatches:
          - op: add
            path: /spec/template/spec/registry
            value: registry.example.com`) + gateYaml('ClusterTopology');
}

function selectorFaults(object: ManifestObject, selector: unknown, path: FieldPath): Finding[] {
  const match = fieldAt(selector, 'matchResources');
  const [isInfrastructure, isControlPlane] = ['infrastructureCluster', 'controlPlane'].map((field) => fieldAt(match, field) === true);
  const at = [...path, 'matchResources'];
  const names = WORKER_FIELDS.flatMap((field) => stringsAt(match, field, 'names').map(([name, index]) => ({ field, name, index })));
  if (!isInfrastructure && !isControlPlane && names.length === 0) {
    return [{ path, message: 'it selects nothing', accepted: 'one of controlPlane, infrastructureCluster, machineDeploymentClass, machinePoolClass', fix: 'say whose templates are changed' }];
  }
  const controlPlane = fieldAt(object, 'spec', 'controlPlane');
  const meets = (...parts: unknown[]) => parts.some((part) => isMet(object, selector, part));
  return [
    ...(isInfrastructure && !meets(fieldAt(object, 'spec', 'infrastructure')) ? [unmet([...at, 'infrastructureCluster'])] : []),
    ...(isControlPlane && !meets(controlPlane, fieldAt(controlPlane, 'machineInfrastructure')) ? [unmet([...at, 'controlPlane'])] : []),
    ...names.flatMap(({ field, name, index }) => {
      const place = [...at, field, 'names', index];
      const fault = checkPattern(name);
      if (fault !== undefined) return [{ path: place, message: fault, accepted: 'a name, with one "*" at its start or its end', fix: 'write such a name' }];
      const classes = workersOf(object, WORKERS[field]).filter(([worker]) => isMatch(name, stringAt(worker, 'class') ?? ''));
      return classes.some(([worker]) => meets(...templatesOf(object, worker))) ? [] : [unmet(place)];
    }),
  ];
}

function unmet(path: FieldPath): Finding {
  return { path, message: 'no template of this part has apiVersion and kind of the selector', fix: 'write apiVersion and kind as the reference of the class has them, letter by letter' };
}

function templatesOf(object: ManifestObject, worker: Fields): unknown[] {
  const owner = isV1beta1(object) ? worker.template : worker;
  return ['bootstrap', 'infrastructure'].map((part) => fieldAt(owner, part));
}

function isMet(object: ManifestObject, selector: unknown, part: unknown): boolean {
  const reference = fieldAt(part, isV1beta1(object) ? 'ref' : 'templateRef');
  // A part without its reference is a finding of its own.
  if (reference === undefined) return isFields(part);
  return ['apiVersion', 'kind'].every((field) => fieldAt(reference, field) === fieldAt(selector, field));
}

function checkPattern(name: string): string | undefined {
  if (!name.includes('*')) return undefined;
  if (name.split('*').length > 2) return `${JSON.stringify(name)} has more than one "*"`;
  if (!name.startsWith('*') && !name.endsWith('*')) return `${JSON.stringify(name)} has its "*" in the middle`;
  return checkQualifiedName(name.replace('*', 'a')) === undefined ? undefined : `${JSON.stringify(name)} is not a name of a class`;
}

function isMatch(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Rules for the patches of a ClusterClass, and for what they select. */
export const CLUSTER_CLASS_PATCHES: readonly ManifestRule[] = [NAME, KIND, PATH, VALUE, TEMPLATE, CLUSTER_CLASS_SELECTOR];
