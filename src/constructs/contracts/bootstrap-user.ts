import { SecretKeyRef } from '../../manifests/values/secret-ref';

/**
 * A user of the machine's operating system.
 *
 * Every text here is at most 256 characters long and reads as text in YAML.
 *
 * Rules: `TC-ADMIT-FIELD-VALUE`, `TC-KUBEADM-PLAIN-TEXT`.
 */
export interface BootstrapUser {
  /** Login name: up to 32 lower-case letters, digits, `-` and `_`, starting with a letter or `_`; each once (`TC-KUBEADM-USER-NAME`). */
  readonly name: string;

  /**
   * Public keys that may log in by SSH, one line of at most 2048 characters of an authorized_keys file each (`TC-KUBEADM-SSH-KEY`).
   *
   * @default - none
   */
  readonly sshAuthorizedKeys?: string[];

  /**
   * Sudo rule, e.g. `ALL=(ALL) NOPASSWD:ALL`.
   *
   * @default - no sudo
   */
  readonly sudo?: string;

  /**
   * Login shell, e.g. `/bin/bash`.
   *
   * @default - the image's
   */
  readonly shell?: string;

  /**
   * Further groups, each a group of the image.
   *
   * @default - none
   */
  readonly groups?: string[];

  /**
   * Primary group.
   *
   * @default - a group with the user's name
   */
  readonly primaryGroup?: string;

  /**
   * Home directory.
   *
   * @default - /home/<name>
   */
  readonly homeDir?: string;

  /**
   * True if login with a password is off.
   *
   * @default - true (canonical/cloud-init, module users_groups), false with `passwordFrom`
   */
  readonly lockPassword?: boolean;

  /**
   * True if the user is made but cannot log in.
   *
   * @default false
   */
  readonly inactive?: boolean;

  /**
   * Full name or remark.
   *
   * @default - none
   */
  readonly gecos?: string;

  /**
   * Hash of the password, as `mkpasswd --method=SHA-512` prints it: a key of a Secret in the cluster's namespace. There
   * is no way to write a password down here: it would be readable in the output.
   *
   * Rule: `TC-KUBEADM-SECRET-REF`.
   *
   * @default - no password
   */
  readonly passwordFrom?: SecretKeyRef;
}
