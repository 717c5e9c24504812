import { checkSecretRef } from './bootstrap-file';
import { checkPlainText, PLAIN_TEXT_RULE } from './cloud-config-text';
import { KubeadmConfigTemplateSpecTemplateSpecUsers as TemplateUser } from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { holdsPrivateKey } from '../../../../manifests/values/pem';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { BootstrapUser } from '../../../contracts/bootstrap-user';

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

const USER_NAME_RULE: Rule = {
  id: 'TC-KUBEADM-USER-NAME',
  title: 'The name of a user must be valid for useradd, and unique.',
  source: 'shadow-maint/shadow lib/chkname.c',
};

function checkName(name: string, before: readonly BootstrapUser[], property: string): Problem[] {
  const plain = checkPlainText(name);
  const message = before.some((other) => other.name === name) ? `${JSON.stringify(name)} is there twice`
    : (NAME.test(name) ? plain : `${JSON.stringify(name)} is not a login name`);
  if (message === undefined) return [];
  return [{
    rule: USER_NAME_RULE,
    property,
    message,
    accepted: 'up to 32 lower-case letters, digits, "-" and "_", starting with a letter or "_"',
    fix: 'choose another name',
  }];
}

function checkText(text: string | undefined, property: string): Problem[] {
  const message = text === undefined ? undefined : checkPlainText(text);
  return message === undefined ? [] : [{ rule: PLAIN_TEXT_RULE, property, message, fix: 'write it without these characters, or leave it out' }];
}

const TYPES = [
  'ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa',
  'sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com',
];
const KEY = new RegExp(`(?:^|\\s)(${TYPES.map((type) => type.replaceAll('.', '\\.')).join('|')})\\s+([A-Za-z0-9+/]+={0,2})(?:\\s|$)`);

const SSH_KEY_RULE: Rule = {
  id: 'TC-KUBEADM-SSH-KEY',
  title: 'An authorized key is a public key as OpenSSH writes it.',
  source: 'openssh sshd(8), AUTHORIZED_KEYS FILE FORMAT',
};

/** Checks one line of an authorized_keys file. The message never shows it: it may be a private key by mistake. */
function checkSshKey(key: string, property: string): Problem[] {
  const message = faultOf(key);
  if (message === undefined) return [];
  return [{
    rule: SSH_KEY_RULE,
    property,
    message,
    accepted: `one line "type key comment" with a key of type ${TYPES.join(', ')}`,
    fix: 'paste the content of the .pub file',
  }];
}

function faultOf(key: string): string | undefined {
  if (holdsPrivateKey(key)) return 'the text is a private key';
  const match = KEY.exec(key);
  if (!match) return 'the text is not a public key of OpenSSH';
  const [, type, blob] = match;
  // The blob starts with the length and the text of its type (RFC 4253, 6.6), so that a cut or mixed-up key shows.
  const bytes = Buffer.from(blob, 'base64');
  const head = Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(type)]);
  if (!bytes.subarray(0, head.length).equals(head) || bytes.length === head.length) return `the key is not one of type ${type}`;
  return checkPlainText(key) === undefined ? undefined : 'the line has a line break, white space around it, or ": " or " #" in its comment';
}
