import { DEV_MISTAKES } from './dev';
import { METAL3_MISTAKES } from './metal3';
import { OPENSTACK_MISTAKES } from './openstack';
import { PlantedMistakes } from './planted-mistake';
import { PROXMOX_MISTAKES } from './proxmox';
import { VSPHERE_MISTAKES } from './vsphere';

/** The mistakes that are planted into the output of examples, for each infrastructure. */
export const PLANTED_MISTAKES: readonly PlantedMistakes[] = [DEV_MISTAKES, METAL3_MISTAKES, OPENSTACK_MISTAKES, PROXMOX_MISTAKES, VSPHERE_MISTAKES];
