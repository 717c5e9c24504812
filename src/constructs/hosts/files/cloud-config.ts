import { Yaml } from 'cdk8s';
import { KubeadmHost } from './host-bundle';

const NOT_PRINTABLE = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * A host as user data of cloud-init: packages, files and commands. Content that YAML cannot express in plain form is in base64.
 *
 * Sources: canonical/cloud-init cloudinit/config/cc_write_files.py, cc_runcmd.py, cc_package_update_upgrade_install.py.
 */
export function cloudConfig({ _files: files, packages, commands }: KubeadmHost): string {
  return `#cloud-config\n${Yaml.stringify({
    ...(packages.length > 0 && { package_update: true, packages: [...packages] }),
    write_files: files.map(({ path, owner, permissions, content }) => ({ path, owner, permissions, ...encoded(content) })),
    ...(commands.length > 0 && { runcmd: [...commands] }),
  })}`;
}

function encoded(content: string) {
  return NOT_PRINTABLE.test(content) ? { encoding: 'b64', content: Buffer.from(content, 'utf8').toString('base64') } : { content };
}
