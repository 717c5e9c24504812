import { ARGUMENTS } from './arguments';
import { CONTROL_PLANE_CERTIFICATES } from './control-plane-certificates';
import { CONTROL_PLANE_IMAGES } from './control-plane-images';
import { CONTROL_PLANE_MACHINES } from './control-plane-machines';
import { DISKS } from './disks';
import { FILES_AND_USERS } from './files-and-users';
import { IGNITION } from './ignition';
import { REMOVED_FIELDS } from './removed-fields';
import { ManifestRule } from '../../../rules/manifest-rule';

/** Rules of kubeadm's providers: the checks of their webhooks and schemas, and further errors that these accept. */
export const KUBEADM_MANIFEST_RULES: readonly ManifestRule[] = [
  ...FILES_AND_USERS,
  ...DISKS,
  ...IGNITION,
  ...ARGUMENTS,
  REMOVED_FIELDS,
  ...CONTROL_PLANE_MACHINES,
  ...CONTROL_PLANE_CERTIFICATES,
  CONTROL_PLANE_IMAGES,
];
