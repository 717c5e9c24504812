import { FileFault, HostList, hostsIn } from '../../manifests/capacity/hosts-file';
import { decode, readText } from '../../manifests/objects/manifest-text';
import { CommandError } from '../command';
import { readFiles, STANDARD_INPUT } from '../manifests/read-files';
import { Surroundings } from '../surroundings';

/** The command that prints the hosts of a cluster. */
export const HOSTS_EXPORT = 'kubectl get nodes,pods --all-namespaces --output json';

/** Reads the hosts of a management cluster, and the pods that run on them. */
export async function readHosts(files: readonly string[], surroundings: Surroundings): Promise<HostList> {
  const lists: HostList[] = [];
  for (const file of files) lists.push(await readOwn('--hosts', file, hostsIn, surroundings));
  const list = { hosts: lists.flatMap(({ hosts }) => hosts), pods: lists.flatMap(({ pods }) => pods) };
  if (list.hosts.length === 0) throw new CommandError([`--hosts: ${files.join(', ')} has no hosts`], `get them with "${HOSTS_EXPORT}"`);
  const names = new Set<string>();
  const twice = list.hosts.map(({ name }) => name).find((name) => names.size === names.add(name).size);
  if (twice !== undefined) throw new CommandError([`--hosts: the host ${twice} is there twice`], 'give each host a name of its own');
  return list;
}

/** Reads a file that is no list of manifests. */
export async function readOwn<T>(option: string, file: string, read: (values: readonly unknown[]) => T, surroundings: Surroundings): Promise<T> {
  const shown = file === STANDARD_INPUT ? 'standard input' : file;
  const contents = await readFiles([file], surroundings);
  const values = contents.flatMap(({ file: name, bytes }) => {
    const decoded = decode(bytes);
    if ('fault' in decoded) throw new CommandError([`${option}: ${name}: ${decoded.fault}`]);
    const { documents, faults } = readText(decoded.text);
    if (faults.length > 0) throw new CommandError([`${option}: ${name}: line ${faults[0].line}: ${faults[0].message}`], 'correct the file');
    return documents.map(({ value }) => value).filter((value) => value !== null && value !== undefined);
  });
  try {
    return read(values);
  } catch (error) {
    if (error instanceof FileFault) throw new CommandError([`${option}: ${shown}: ${error.message}`], error.fix);
    throw error;
  }
}
