import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { parseAllDocuments } from 'yaml';
import { entryFile } from './entry-files';
import { FormerOutput, splitTree } from './former-output';
import { deliveryHold } from '../../manifests/landscape/delivery-holds';
import { groupKind, isManifestObject, ManifestObject } from '../../manifests/objects/manifest-object';
import { CLUSTER } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { deliveryFacts } from '../../manifests/systems/providers';
import { Problem, Rule } from '../../manifests/values/problem';
import { inTree, OutputFolder, pathInTree, placeOf } from '../app/synth/output-place';
import { constructsIn } from '../app/synth/synthesis';
import { EntryPoints } from '../contracts/delivery/entry-points';

const MOVING_RULE: Rule = {
  id: 'TC-GITOPS-MOVING',
  title: 'The entry of a cluster that moves must be stopped: what the move takes away would be made again.',
  source: 'kubernetes-sigs/cluster-api cmd/clusterctl/client/cluster/mover.go (deleteGroup)',
};

/** Checks that the entry points of an app can stop the entries of clusters that move. */
export function checkMoving(app: IConstruct, entryPoints: EntryPoints | undefined): Problem[] {
  if (!entryPoints || entryPoints.stopsEntries) return [];
  return tenantFolders(app).filter(({ tenant }) => tenant?.moving).map(({ tenant }) => ({
    rule: MOVING_RULE,
    property: 'entryPoints',
    message: `"${tenant!.namespace}/${tenant!.name}" is moving, and these entry points have no entry of its own that can be stopped`,
    accepted: 'FluxEntryPoints, ArgoCdEntryPoints',
    fix: 'use one of these, or stop the tool for this cluster in its own way, and remove moving',
  }));
}

const MOVED_RULE: Rule = {
  id: 'TC-GITOPS-MOVED',
  title: 'A cluster must not come to another management cluster while the former one still delivers it: controllers of both would work on its infrastructure.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/clusterctl/commands/move.md',
};

/**
 * Checks that a cluster whose folder is in another tree than before was stopped in the former one.
 *
 * @param app an app with a tree for each management cluster
 * @param entryPoints its entry points; without them it is not known what delivers
 * @param former the former output
 */
export function checkMoved(app: IConstruct, entryPoints: EntryPoints | undefined, former: FormerOutput | undefined): Problem[] {
  if (!entryPoints || !former) return [];
  const folders = tenantFolders(app).filter(({ tree }) => tree !== undefined);
  const now = new Set(folders.map(({ path }) => path));
  const lists = former.lists();
  const gone = new Map<string, string[]>();
  for (const list of lists.keys()) {
    const [tree, path] = splitTree(list);
    if (!now.has(list)) gone.set(path, [...gone.get(path) ?? [], tree]);
  }
  return folders.filter(({ path }) => !lists.has(path)).flatMap((folder) => {
    const own = pathInTree(folder);
    const isThere = (tree: string) => {
      const path = inTree(tree, own);
      return isDelivered(former, lists.get(path)!, entryFile(entryPoints, { ...folder, tree, path }));
    };
    return (gone.get(own) ?? []).filter(isThere).map((tree) => movedProblem(folder, tree));
  });
}

/** True if a folder has a Cluster, and an entry that is not stopped. */
function isDelivered(former: FormerOutput, files: ReadonlyMap<string, unknown>, entry: string): boolean {
  const below = [...files.keys()].filter((file) => file !== entry);
  if (!objectsIn(former, below).some((object) => groupKind(object) === CLUSTER)) return false;
  return objectsIn(former, [entry]).some((object) => deliveryFacts(object) !== undefined && !deliveryHold(object));
}

function objectsIn(former: FormerOutput, files: readonly string[]): ManifestObject[] {
  return [...former.read(files)].flatMap(([, content]) => (
    parseAllDocuments(content.toString()).map((document) => document.toJS() as unknown).filter(isManifestObject)));
}

function movedProblem({ tree, tenant }: OutputFolder, former: string): Problem {
  const name = `${tenant!.namespace}/${tenant!.name}`;
  return {
    rule: MOVED_RULE,
    property: 'managementCluster',
    message: `"${name}" was written for ${former}, which still delivers it, and would be delivered by ${tree!} as well`,
    fix: `write it for ${former} with moving: true, and commit that; move it by the steps of "cdk8s-cluster-api move"; then write it for ${tree!} `
      + `without moving; if these are two clusters, decommission the one in ${former} first`,
  };
}

function tenantFolders(app: IConstruct): OutputFolder[] {
  const charts = constructsIn(app).filter((construct) => Chart.isChart(construct));
  const folders = new Map(charts.map((chart) => placeOf(chart).folder).filter(({ tenant }) => tenant).map((folder) => [folder.path, folder]));
  return [...folders.values()];
}
