import { controlPlaneExample } from './examples';
import { KAMAJI_CONTROL_PLANE, placeOf, TENANT_CONTROL_PLANE, valueOf } from './kamaji-objects';
import { ManifestObject } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, Fields, objectsAt, pathOf, stringAt } from '../../../values/fields';
import { checkKubeletConfiguration } from '../../../values/kubelet-configuration';
import { checkEvictionSettings, checkReservedResources } from '../../../values/kubelet-eviction';
import { checkKubeletSettings, KUBELET_VALIDATION } from '../../../values/kubelet-settings';
import { patchedFields } from '../../../values/merged-fields';
import { parseSemanticVersion } from '../../../values/semantic-version';

const PATCHES: readonly string[] = ['kubelet', 'configurationJSONPatches'];

const VALUE: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-KUBELET-VALUE',
  title: 'Patches of the kubelets\' configuration must set fields that exist, to values that the kubelet accepts: no node of the cluster gets ready otherwise.',
  source: `${KUBELET_VALIDATION}, clastix/kamaji internal/kubeadm/uploadconfig.go`,
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(patches('imageGCHighThresholdPercent', '70'), patches('imageGCHighThresholdPercent', '90')),
  check: (object) => {
    const fields = patchedFields({}, valueOf(object, ...PATCHES));
    const version = parseSemanticVersion(stringAt(object, ...placeOf(object, 'version')) ?? '');
    const minor = version && `${version.major}.${version.minor}`;
    return [
      ...checkKubeletConfiguration(minor, fields),
      ...checkKubeletSettings(minor, fields),
      ...checkEvictionSettings(fields),
      ...checkReservedResources(fields),
    ].map((finding) => ({ ...finding, path: placeIn(object, finding.path) }));
  },
};

/** The value of the last patch that sets a field, or what it is in. */
function placeIn(object: ManifestObject, path: FieldPath): FieldPath {
  const list = placeOf(object, ...PATCHES);
  const text = path.join('/');
  const isAt = (patch: Fields) => {
    const names = pathOf(stringAt(patch, 'path') ?? '').join('/');
    return text === names || text.startsWith(`${names}/`) || names.startsWith(`${text}/`);
  };
  const index = objectsAt(object, ...list).filter(([patch]) => isAt(patch)).at(-1)?.[1];
  return index === undefined ? list : [...list, index, 'value'];
}

function patches(field: string, value: string): string {
  return `  kubelet:
    configurationJSONPatches:
      - {op: add, path: /cgroupDriver, value: systemd}
      - {op: add, path: /${field}, value: ${value}}
`;
}

/** Values that kubelets of the cluster get. */
export const KUBELET_VALUES: readonly ManifestRule[] = [VALUE];
