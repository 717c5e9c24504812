import { checkSecretRef } from './bootstrap-secret-ref';
import { checkPlainText } from './cloud-config-text';
import { KUBEADM_RULES } from './rules';
import { checkSshKey } from './ssh-key';
import { KubeadmConfigTemplateSpecTemplateSpecUsers as TemplateUser } from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { Problem } from '../../../../manifests/values/problem';
import { SecretKeyRef } from '../../../../manifests/values/secret-ref';

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
   * Where the hash of the password is kept, as `mkpasswd --method=SHA-512` prints it: a key of a Secret in the cluster's namespace. There
   * is no way to write a password down here: it would be readable in the output.
   *
   * Rule: `TC-KUBEADM-SECRET-REF`.
   *
   * @default - no password
   */
  readonly passwordFrom?: SecretKeyRef;
}

const NAME = /^[a-z_][a-z0-9_-]{0,31}$/;

/** The user as `KubeadmConfigTemplate` has it. */
export function templateUser(user: BootstrapUser): TemplateUser {
  const lockPassword = user.lockPassword ?? (user.passwordFrom ? false : undefined);
  return {
    name: user.name,
    ...(user.gecos !== undefined && { gecos: user.gecos }),
    ...(user.groups?.length && { groups: user.groups.join(', ') }),
    ...(user.homeDir !== undefined && { homeDir: user.homeDir }),
    ...(user.inactive !== undefined && { inactive: user.inactive }),
    ...(lockPassword !== undefined && { lockPassword }),
    ...(user.passwordFrom && { passwdFrom: { secret: { name: user.passwordFrom.name, key: user.passwordFrom.key } } }),
    ...(user.primaryGroup !== undefined && { primaryGroup: user.primaryGroup }),
    ...(user.shell !== undefined && { shell: user.shell }),
    ...(user.sshAuthorizedKeys?.length && { sshAuthorizedKeys: user.sshAuthorizedKeys }),
    ...(user.sudo !== undefined && { sudo: user.sudo }),
  };
}

/** Checks the users of a machine. */
export function checkUsers(users: readonly BootstrapUser[], property: string): Problem[] {
  return users.flatMap((user, index) => checkUser(user, users.slice(0, index), `${property}[${index}]`));
}

function checkUser(user: BootstrapUser, before: readonly BootstrapUser[], property: string): Problem[] {
  const texts: [string, string | undefined][] = [
    ['sudo', user.sudo], ['shell', user.shell], ['groups', user.groups?.length ? user.groups.join(', ') : undefined],
    ['primaryGroup', user.primaryGroup], ['homeDir', user.homeDir], ['gecos', user.gecos],
  ];
  const keys = user.sshAuthorizedKeys ?? [];
  return [
    ...checkName(user.name, before, `${property}.name`),
    ...texts.flatMap(([field, text]) => checkText(text, `${property}.${field}`)),
    ...keys.flatMap((key, index) => checkSshKey(key, `${property}.sshAuthorizedKeys[${index}]`)),
    ...(user.passwordFrom ? checkSecretRef(user.passwordFrom, `${property}.passwordFrom`) : []),
  ];
}

function checkName(name: string, before: readonly BootstrapUser[], property: string): Problem[] {
  const plain = checkPlainText(name);
  const message = before.some((other) => other.name === name) ? `${JSON.stringify(name)} is there twice`
    : (NAME.test(name) ? plain : `${JSON.stringify(name)} is not a login name`);
  if (message === undefined) return [];
  return [{
    rule: KUBEADM_RULES.userName,
    property,
    message,
    accepted: 'up to 32 lower-case letters, digits, "-" and "_", starting with a letter or "_"',
    fix: 'choose another name',
  }];
}

function checkText(text: string | undefined, property: string): Problem[] {
  const message = text === undefined ? undefined : checkPlainText(text);
  return message === undefined ? [] : [{ rule: KUBEADM_RULES.plainText, property, message, fix: 'write it without these characters, or leave it out' }];
}
