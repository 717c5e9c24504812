import { checkPlainText } from './cloud-config-text';
import { KUBEADM_RULES } from './rules';
import { holdsPrivateKey } from '../../../../manifests/values/pem';
import { Problem } from '../../../../manifests/values/problem';

const TYPES = [
  'ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa',
  'sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com',
];
const KEY = new RegExp(`(?:^|\\s)(${TYPES.map((type) => type.replaceAll('.', '\\.')).join('|')})\\s+([A-Za-z0-9+/]+={0,2})(?:\\s|$)`);

/** Checks one line of an authorized_keys file. The message never shows it: it may be a private key by mistake. */
export function checkSshKey(key: string, property: string): Problem[] {
  const message = faultOf(key);
  if (message === undefined) return [];
  return [{
    rule: KUBEADM_RULES.sshKey,
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
