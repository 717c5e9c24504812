/** A server type: processors, and sizes in GiB. */
interface ServerType {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  /** Architecture in Kubernetes' words, where it is not amd64. */
  readonly arch?: string;
}

const SERVER_TYPES: Readonly<Record<string, ServerType>> = {
  cax21: { cpu: 4, memory: 8, disk: 80, arch: 'arm64' },
  cax31: { cpu: 8, memory: 16, disk: 160, arch: 'arm64' },
  cx23: { cpu: 2, memory: 4, disk: 40 },
  cx33: { cpu: 4, memory: 8, disk: 80 },
  cx43: { cpu: 8, memory: 16, disk: 160 },
  cpx32: { cpu: 4, memory: 8, disk: 160 },
};

/** Returns what is known of a server type of Hetzner Cloud (https://www.hetzner.com/cloud); undefined for a type that the table does not have. */
export function sizeOf(serverType: string): ServerType | undefined {
  return Object.hasOwn(SERVER_TYPES, serverType) ? SERVER_TYPES[serverType] : undefined;
}
