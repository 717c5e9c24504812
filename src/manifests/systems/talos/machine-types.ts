import { configsOf, TALOS_KINDS, WORKERS_TEXT } from './patches';
import { valuesIn } from '../../objects/manifest-text';
import { fieldAt, FieldPath, Finding, ManifestObject, ManifestRule, objectsAt, replaced, stringAt, stringsAt } from '../../rules/contract';

const TEXT = `${WORKERS_TEXT}      configPatches: [{op: replace, path: /machine/install/disk, value: /dev/vda}]
`;

const machineType: ManifestRule = {
  id: 'TC-TRAP-TALOS-MACHINE-TYPE',
  title: 'Patches of a machine configuration must not change the type of the machine: its certificates and tokens are those of the type that it was made for.',
  source: 'siderolabs/cluster-api-bootstrap-provider-talos controllers/talosconfig_controller.go (reconcileGenerate, genConfigs)',
  kinds: TALOS_KINDS,
  trap: true,
  example: replaced(TEXT, 'path: /machine/install/disk, value: /dev/vda', 'path: /machine/type, value: controlplane'),
  check: (object) => configsOf(object).flatMap((path) => typePatches(object, path)),
};

function typePatches(object: ManifestObject, path: FieldPath): Finding[] {
  const config = fieldAt(object, ...path.map(String));
  const type = stringAt(config, 'generateType');
  if (type === undefined || type === 'none') return [];
  const fault = (place: FieldPath, other: string): Finding[] => (other === type ? [] : [{
    path: [...path, ...place], message: `the machine is made as ${type}, and becomes ${other} by this patch`, fix: `write generateType: ${other}, and remove the patch`,
  }]);
  return [
    ...objectsAt(config, 'configPatches').flatMap(([patch, index]) => {
      const value = stringAt(patch, 'value');
      return stringAt(patch, 'path') === '/machine/type' && value !== undefined ? fault(['configPatches', index], value) : [];
    }),
    ...stringsAt(config, 'strategicPatches').flatMap(([text, index]) => valuesIn(text).flatMap((value) => {
      const given = stringAt(value, 'machine', 'type');
      return given === undefined ? [] : fault(['strategicPatches', index], given);
    })),
  ];
}

/** Rules over the types of machines. */
export const MACHINE_TYPES: readonly ManifestRule[] = [machineType];
