import { KubeadmHost } from './host-bundle';

/**
 * A script that does on a running host what cloud-init does on a new one. It is run as root in the host's folder, where the files are below
 * `files/`, and can be run again.
 */
export function installScript({ name, _files: files, packages, commands }: KubeadmHost): string {
  return `${[
    '#!/bin/sh',
    `# Puts the files of ${name} into place. Run it on that host as root; running it again changes nothing.`,
    'set -eu',
    'cd "$(dirname "$0")"',
    ...(packages.length > 0 ? [`# Needs these packages of the distribution: ${packages.join(', ')}`] : []),
    '',
    ...files.map(({ path, owner, permissions }) => {
      const [user, group] = owner.split(':');
      return `install -D -o ${user} -g ${group} -m ${permissions} files${path} ${path}`;
    }),
    ...(commands.length > 0 ? ['', ...commands] : []),
  ].join('\n')}\n`;
}
