import { Yaml } from 'cdk8s';
import { checkFilesTaken, HostFile, OwnedHostFile, WholeFile, wholeFile } from './host-file';
import { Problem } from '../../manifests/values/problem';
import { OutputFile } from '../app/synth/output-files';

/** Role of a host. */
export enum KubeadmHostRole {
  /** A dedicated load balancer with the virtual address of the control plane; not a node. */
  LOAD_BALANCER = 'load balancer',

  /** The node on which `kubeadm init` runs. */
  FIRST_CONTROL_PLANE = 'first control plane',

  /** A node that joins the control plane. */
  CONTROL_PLANE = 'control plane',

  /** A node that runs workloads. */
  WORKER = 'worker',
}

/** Files, packages and commands that a part of the library, or the user, adds to a host. */
export interface HostSetup {
  /** Files with their owners. */
  readonly files: readonly OwnedHostFile[];

  /** Packages of the distribution. */
  readonly packages?: readonly string[];

  /** Idempotent commands that apply the files. */
  readonly commands?: readonly string[];
}

/** Identity of a host. */
interface HostIdentity {
  readonly name: string;
  readonly address: string;
  readonly secondAddress?: string;
  readonly role: KubeadmHostRole;
  readonly zone?: string;
}

/** A host with its files, packages and commands. */
export class KubeadmHost {
  /**
   * @param identity the identity of the host
   * @param setups the setups of the host
   *
   * @internal
   */
  public static _of(identity: HostIdentity, setups: readonly HostSetup[]): KubeadmHost {
    return new KubeadmHost(identity, setups);
  }

  /** Name of the host, and of its folder. */
  public readonly name: string;

  /** Its address. */
  public readonly address: string;

  /**
   * Its address of the other family.
   *
   * @default - none
   */
  public readonly secondAddress?: string;

  /** Role of the host. */
  public readonly role: KubeadmHostRole;

  /**
   * Zone of the host.
   *
   * @default - none
   */
  public readonly zone?: string;

  /** Files by path, with permissions and owner. */
  public readonly files: HostFile[];

  /** Further packages of the distribution, besides kubeadm, the kubelet and containerd. */
  public readonly packages: string[];

  /** Shell commands that apply the files. */
  public readonly commands: string[];

  private readonly owned: readonly OwnedHostFile[];

  private constructor({ name, address, secondAddress, role, zone }: HostIdentity, setups: readonly HostSetup[]) {
    this.name = name;
    this.address = address;
    this.secondAddress = secondAddress;
    this.role = role;
    this.zone = zone;
    this.owned = setups.flatMap(({ files }) => files);
    this.files = this.owned.map(({ file }) => wholeFile(file)).sort((one, other) => (one.path < other.path ? -1 : 1));
    this.packages = [...new Set(setups.flatMap(({ packages = [] }) => packages))].sort();
    this.commands = setups.flatMap(({ commands = [] }) => commands);
  }

  /** @internal */
  public get _files(): readonly WholeFile[] {
    return this.files.map(wholeFile);
  }

  /** @internal */
  public _check(): Problem[] {
    return checkFilesTaken(this.name, this.owned);
  }
}

/** Files that a part of the library adds to a host. */
export function ownFiles(by: string, files: readonly HostFile[]): OwnedHostFile[] {
  return files.map((file) => ({ file, by }));
}

/** Files that the user adds to a host, in a property. */
export function userFiles(property: string, files: readonly HostFile[] = []): OwnedHostFile[] {
  return files.map((file, index) => ({ file, by: `${property}[${index}]` }));
}

/** The files of a host in its folder: the script, the user data of cloud-init, and its own files below `files/`. */
export function hostFiles(host: KubeadmHost): OutputFile[] {
  return [
    { path: 'install.sh', content: installScript(host), executable: true },
    { path: 'cloud-config.yaml', content: cloudConfig(host) },
    ...host._files.map(({ path, content, permissions }) => ({ path: `files${path}`, content, executable: isExecutable(permissions) })),
  ];
}

/** True if the owner may execute the file: the lowest bit of the second of the four digits. */
function isExecutable(permissions: string): boolean {
  return Number(permissions[1]) % 2 === 1;
}

const NOT_PRINTABLE = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * A host as user data of cloud-init: packages, files and commands. Content that YAML cannot express in plain form is in base64.
 *
 * Sources: canonical/cloud-init cloudinit/config/cc_write_files.py, cc_runcmd.py, cc_package_update_upgrade_install.py.
 */
function cloudConfig({ _files: files, packages, commands }: KubeadmHost): string {
  return `#cloud-config\n${Yaml.stringify({
    ...(packages.length > 0 && { package_update: true, packages: [...packages] }),
    write_files: files.map(({ path, owner, permissions, content }) => ({ path, owner, permissions, ...encoded(content) })),
    ...(commands.length > 0 && { runcmd: [...commands] }),
  })}`;
}

function encoded(content: string) {
  return NOT_PRINTABLE.test(content) ? { encoding: 'b64', content: Buffer.from(content, 'utf8').toString('base64') } : { content };
}

/**
 * The script for a running host, the counterpart of cloud-init on a new host. It runs as root in the host's folder, with the files below
 * `files/`, and is idempotent.
 */
function installScript({ name, _files: files, packages, commands }: KubeadmHost): string {
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
