import { checkFilesTaken, HostFile, OwnedHostFile, WholeFile, wholeFile } from './host-file';
import { Problem } from '../../validation/problem';

/** What a host is for. */
export enum KubeadmHostRole {
  /** It carries the virtual address of the control plane, and is no node. */
  LOAD_BALANCER = 'load balancer',

  /** The node that `kubeadm init` runs on. */
  FIRST_CONTROL_PLANE = 'first control plane',

  /** A node that joins the control plane. */
  CONTROL_PLANE = 'control plane',

  /** A node that runs workloads. */
  WORKER = 'worker',
}

/** What a part of the library, or the user, puts on a host. */
export interface HostSetup {
  /** Files, with who asked for them. */
  readonly files: readonly OwnedHostFile[];

  /** Packages of the distribution. */
  readonly packages?: readonly string[];

  /** Commands that put the files into effect; running them again changes nothing. */
  readonly commands?: readonly string[];
}

/** What host it is. */
export interface HostIdentity {
  readonly name: string;
  readonly address: string;
  readonly role: KubeadmHostRole;
  readonly zone?: string;
}

/** Everything of one host: its files, and what puts them into effect. */
export class KubeadmHost {
  /**
   * @param identity what host it is
   * @param setups what is put on it
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

  /** What it is for. */
  public readonly role: KubeadmHostRole;

  /**
   * Where it is.
   *
   * @default - not said
   */
  public readonly zone?: string;

  /** Files by path, with permissions and owner. */
  public readonly files: HostFile[];

  /** Packages of the distribution that it needs beside kubeadm, the kubelet and containerd. */
  public readonly packages: string[];

  /** Shell commands that put the files into effect. */
  public readonly commands: string[];

  private readonly owned: readonly OwnedHostFile[];

  private constructor({ name, address, role, zone }: HostIdentity, setups: readonly HostSetup[]) {
    this.name = name;
    this.address = address;
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

/** Files that a part of the library puts on a host. */
export function ownFiles(by: string, files: readonly HostFile[]): OwnedHostFile[] {
  return files.map((file) => ({ file, by }));
}
