import { CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1 } from './cluster-api-kinds';
import { patchesOf } from './cluster-class-patches';
import { workersOf } from './cluster-classes';
import { clusterClassYaml, gateYaml } from './example-manifests';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { checkQualifiedName } from '../../values/labels';
import { ManifestRule } from '../manifest-rule';

const WORKERS = { machineDeploymentClass: 'machineDeployments', machinePoolClass: 'machinePools' } as const;
const WORKER_FIELDS = Object.keys(WORKERS) as (keyof typeof WORKERS)[];

/** What a patch changes. */
export const CLUSTER_CLASS_SELECTOR: ManifestRule = {
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
  return reference !== undefined && ['apiVersion', 'kind'].every((field) => fieldAt(reference, field) === fieldAt(selector, field));
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
