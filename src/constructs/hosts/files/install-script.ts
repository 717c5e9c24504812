import { KubeadmHost } from './host-bundle';

/**
 * The script for a running host, the counterpart of cloud-init on a new host. It runs as root in the host's folder, with the files below
 * `files/`, and is idempotent.
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
