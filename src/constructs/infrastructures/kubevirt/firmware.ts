import { DomainFields } from './template-types';

/** What starts the guest's operating system. */
export enum Firmware {
  /** A BIOS. Not on arm64. */
  BIOS = 'bios',

  /** UEFI that starts any boot loader. */
  UEFI = 'uefi',

  /** UEFI that starts signed boot loaders only. Not on arm64. */
  UEFI_SECURE_BOOT = 'uefi-secure-boot',
}

/** A TPM that KubeVirt emulates. */
export enum VirtualTpm {
  /** One that forgets its secrets whenever the virtual machine stops. */
  EPHEMERAL = 'ephemeral',

  /** One that keeps its secrets; needs `vmStateStorageClass` in the KubeVirt object. */
  PERSISTENT = 'persistent',
}

/**
 * Firmware fields of a domain. KubeVirt takes UEFI for secure boot unless told otherwise, and refuses secure boot without system
 * management mode (kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go).
 */
export function renderFirmware(firmware: Firmware | undefined): Pick<DomainFields, 'firmware' | 'features'> {
  switch (firmware) {
    case Firmware.BIOS:
      return { firmware: { bootloader: { bios: {} } } };
    case Firmware.UEFI:
      return { firmware: { bootloader: { efi: { secureBoot: false } } } };
    case Firmware.UEFI_SECURE_BOOT:
      return { firmware: { bootloader: { efi: { secureBoot: true } } }, features: { smm: { enabled: true } } };
    default:
      return {};
  }
}

/** The TPM of a domain. */
export function renderTpm(tpm: VirtualTpm | undefined): DomainFields['devices']['tpm'] {
  return tpm && { enabled: true, persistent: tpm === VirtualTpm.PERSISTENT ? true : undefined };
}
