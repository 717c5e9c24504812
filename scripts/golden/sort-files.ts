import { Files } from './golden-store';

const OF_TENANT = /\/delivered\/[^/]+\/[^/]+\.yaml$/;
const OF_CHART = /(^|\/)((clusters|charts|flux|argocd)\/.*\.yaml|[^/]+\.k8s\.yaml)$/;
const LIST = /(^|\/)kustomization\.yaml$/;

/** The files of an app, by who reads them. */
export interface SortedFiles {
  /** The text for the management cluster. */
  readonly management: string;

  /** The files that a delivery reads from the repository, by path `clusters/<namespace>/<cluster>/delivered/<delivery>/<file>`. */
  readonly tenants: Files;

  /** The files that list what folders hold, by path. */
  readonly lists: Files;

  /** The files of hosts and of whatever is installed by hand, by path `<cluster>/…`. */
  readonly hosts: Files;
}

/** Sorts the files of an app by who reads them. */
export function sortFiles(files: Files): SortedFiles {
  const paths = Object.keys(files);
  // A user's own list of a folder is all that is in it.
  const isList = (file: string): boolean => !OF_TENANT.test(file) || files[file.replace(LIST, '$1manifests.yaml')] !== undefined;
  const lists = paths.filter((file) => LIST.test(file) && isList(file));
  const tenants = paths.filter((file) => OF_TENANT.test(file) && !lists.includes(file));
  const management = paths.filter((file) => OF_CHART.test(file) && !lists.includes(file) && !tenants.includes(file));
  const hosts = paths.filter((file) => ![...lists, ...tenants, ...management].includes(file));
  const pick = (chosen: readonly string[]): Files => Object.fromEntries(chosen.map((file) => [file, files[file]]));
  const text = management.map((file) => files[file]).join('---\n');
  return { management: text, tenants: pick(tenants), lists: pick(lists), hosts: pick(hosts) };
}
