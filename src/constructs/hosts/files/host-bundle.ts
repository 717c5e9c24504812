import { checkFilesTaken, HostFile, OwnedHostFile, WholeFile, wholeFile } from './host-file';
import { Problem } from '../../../manifests/values/problem';

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
export interface HostIdentity {
  readonly name: string;
  readonly address: string;
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

/** Files that a part of the library adds to a host. */
export function ownFiles(by: string, files: readonly HostFile[]): OwnedHostFile[] {
  return files.map((file) => ({ file, by }));
}
