import { BootstrapFile } from './bootstrap-file';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';

// k8s.io/api core/v1 MaxSecretSize.
const MAX_BYTES = 1024 * 1024;
const INDENTATION = 6;

/** Checks that what is known of a machine's cloud-config fits into the Secret that Cluster API keeps it in. */
export function checkDataSize(files: readonly BootstrapFile[], commands: readonly string[], property: string): Problem[] {
  const contents = files.map(({ content = '' }) => Buffer.byteLength(content) + INDENTATION * content.split('\n').length);
  const total = [...contents, ...commands.map((command) => Buffer.byteLength(command))].reduce((sum, bytes) => sum + bytes, 0);
  if (total <= MAX_BYTES) return [];
  return [{
    rule: KUBEADM_RULES.dataSize,
    property,
    message: `files and commands are ${total} bytes together`,
    accepted: `at most ${MAX_BYTES} bytes, content from Secrets included`,
    fix: 'put large files into the image of the machine, or let a command download them',
  }];
}
