import { Addon, Cluster, ControlPlane, Machine, MachineCount, Pool } from '../../manifests/landscape/cluster-model';

/** The cell of a value that manifests do not state. */
export const NOT_KNOWN = '-';

const GIBIBYTE = 1024 ** 3;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const STEP = 1024;
const SHOWN_FOLDERS = 2;

/** A number of machines: `3`, or `1..10`. */
export function countText(count: MachineCount | undefined): string {
  if (!count) return NOT_KNOWN;
  return count.minimum === count.maximum ? `${count.minimum}` : `${count.minimum}..${count.maximum}`;
}

/** A number of things. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Bytes as people read them. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return NOT_KNOWN;
  let [size, unit] = [bytes, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${Number(size.toFixed(1))} ${UNITS[unit]}`;
}

/** Bytes of two bounds. */
export function bytesRange({ minimum, maximum }: MachineCount): string {
  return minimum === maximum ? bytesText(minimum) : `${bytesText(minimum)}..${bytesText(maximum)}`;
}

/** Bytes as a number of GiB, for sheets that calculate. */
export function gibibytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Number((bytes / GIBIBYTE).toFixed(3));
}

/** Kind and replicas of a control plane, without what all of them have in their names. */
export function controlPlaneText(controlPlane: ControlPlane | undefined): string {
  if (!controlPlane) return NOT_KNOWN;
  const kind = controlPlane.kind.replace(/(?<=.)ControlPlane$/, '');
  return `${controlPlane.replicas === undefined ? kind : `${kind} x${controlPlane.replicas}`}${controlPlane.paused ? ', paused' : ''}`;
}

/** Kind of an infrastructure, without what all of them have in their names. */
export function infrastructureText({ infrastructure }: Cluster): string {
  return infrastructure?.kind.replace(/(?<=.)Cluster$/, '') ?? NOT_KNOWN;
}

/** Devices of a machine: none is `0`. */
export function gpusText(machine: Machine | undefined): string {
  if (!machine?.gpus) return NOT_KNOWN;
  return machine.gpus.length === 0 ? '0' : machine.gpus.map(({ name, count }) => `${count} ${name}`).join(', ');
}

/** Labels of the nodes of a pool. */
export function labelsText({ labels }: Pool): string {
  return [...labels].map(([key, value]) => (value === '' ? key : `${key}=${value}`)).join(',');
}

/** What an addon is: its chart, or the end of the folder that it comes from. */
export function chartText({ chart, path }: Addon): string {
  if (chart !== undefined || path === undefined) return chart ?? NOT_KNOWN;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length > SHOWN_FOLDERS ? `…/${parts.slice(-SHOWN_FOLDERS).join('/')}` : path;
}
