import * as fs from 'node:fs';
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { splitTree } from './former-output';
import { CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { MANAGEMENT_CLUSTER_FILE } from '../../manifests/objects/own-folder';
import { checkDnsLabel } from '../../manifests/values/dns';
import { Problem, Rule } from '../../manifests/values/problem';
import { OutputFiles } from '../app/synth/output-files';
import { OutputOwner, placeOf } from '../app/synth/output-place';
import { constructsIn } from '../app/synth/synthesis';
import { LISTS } from '../app/synth/tree/file-lists';
import { ofFileSystem } from '../app/synth/tree/tree-error';

const PROPERTY = 'folderPerManagementCluster';

/** Names that folders inside a tree have. */
const RESERVED: readonly string[] = ['clusters', 'charts', 'rings'];

/** A chart, and the management cluster that it is applied to. */
interface Placed {
  readonly chart: Chart;
  readonly owner: OutputOwner;
}

const MANAGEMENT_CLUSTERS_RULE: Rule = {
  id: 'TC-GITOPS-MANAGEMENT-CLUSTERS',
  title: 'Clusters of different management clusters must not share a folder of entry points: each management cluster would apply all of them.',
};

/** Checks that no folder of entry points is that of two management clusters: each would apply the objects of the other. */
export function checkOneManagementCluster(app: IConstruct): Problem[] {
  const [first, other] = distinctOwners(ownedCharts(app));
  return other === undefined ? [] : [{
    rule: MANAGEMENT_CLUSTERS_RULE,
    property: PROPERTY,
    message: `${shown(first)} and ${shown(other)} are in different management clusters, and each of these would apply both`,
    fix: 'set folderPerManagementCluster: true, with a name for each ImportedManagementCluster, or give each management cluster a GitOpsApp with an outdir of its own; if it is the same one, give both the same object',
  }];
}

const MANAGEMENT_NAME_RULE: Rule = {
  id: 'TC-GITOPS-MANAGEMENT-NAME',
  title: 'In an output with a folder for each management cluster, every chart must be in one with a name, and names must be unique.',
};

/** Checks that every chart has the management cluster in whose folder it is written. */
export function checkManagementClusters(app: IConstruct): Problem[] {
  const charts = ownedCharts(app);
  const homeless = chartsIn(app).filter((chart) => placeOf(chart).folder.tree === undefined);
  const named = charts.filter(({ owner }) => owner.name !== undefined);
  const wrongNames = distinctOwners(named).flatMap(({ owner }) => {
    const message = checkDnsLabel(owner.name!) ?? (RESERVED.includes(owner.name!) ? `"${owner.name!}" is the name of a folder in each tree` : undefined);
    return message === undefined ? [] : [{ rule: MANAGEMENT_NAME_RULE, property: PROPERTY, message, fix: 'give the management cluster another name' }];
  });
  return [
    ...homeless.map((chart) => ({
      rule: MANAGEMENT_NAME_RULE,
      property: PROPERTY,
      message: `"${chart.node.path}" is in no management cluster that has a name`,
      fix: placeOf(chart).folder.tenant ? 'give the cluster a managementCluster with a name' : 'make it below a management.ManagementCluster, or in a GitOpsApp of its own',
    })),
    ...(OutputFiles.of(app).expected ? [{
      rule: MANAGEMENT_NAME_RULE,
      property: PROPERTY,
      message: 'files of hosts are in no management cluster',
      fix: 'make clusters of hosts in a GitOpsApp of their own',
    }] : []),
    ...wrongNames,
    ...namesakes(named),
  ];
}

const MANAGEMENT_MOVED_RULE: Rule = {
  id: 'TC-GITOPS-MANAGEMENT-MOVED',
  title: 'An output must not have files of management clusters both at its top and in a folder for each.',
};

/** Checks that an output with a tree for each management cluster has none at its top. */
export function checkTopTree(outdir: string): Problem[] {
  return fs.existsSync(path.join(outdir, LISTS)) ? [{
    rule: MANAGEMENT_MOVED_RULE,
    property: PROPERTY,
    message: `${outdir} has the files of one management cluster at its top`,
    fix: 'move all of them, .cdk8s-cluster-api too, into a folder with the name of that management cluster, by git mv, and have its tool read them there',
  }] : [];
}

/**
 * Checks that an output with one tree has none for each management cluster: all of them would stay beside it.
 *
 * @param outdir the output
 * @param committed its last commit, which counts where the output was removed
 */
export function checkManagementTrees(outdir: string, committed: CommittedFolder | undefined): Problem[] {
  const names = ofFileSystem(() => (fs.existsSync(outdir) ? fs.readdirSync(outdir) : []));
  const files = names.length > 0
    ? names.map((name) => `${name}/${MANAGEMENT_CLUSTER_FILE}`).filter((file) => fs.existsSync(path.join(outdir, file)))
    : committed?.paths.filter((file) => splitTree(file)[1] === MANAGEMENT_CLUSTER_FILE) ?? [];
  const trees = files.map((file) => splitTree(file)[0]).sort();
  if (trees.length === 0) return [];
  return [{
    rule: MANAGEMENT_MOVED_RULE,
    property: PROPERTY,
    message: `${outdir} has a folder for each management cluster: ${trees.join(', ')}`,
    fix: trees.length > 1
      ? `give each management cluster a GitOpsApp of its own, such as with outdir: ${JSON.stringify(path.join(outdir, trees[0]))}, or set folderPerManagementCluster: true`
      : `move all files of ${trees[0]}, .cdk8s-cluster-api too, to the top of the output by git mv, and have its tool read them there; or set folderPerManagementCluster: true`,
  }];
}

/** Management clusters of one name that are not the same. */
function namesakes(charts: readonly Placed[]): Problem[] {
  const known = new Map<string, Placed>();
  return distinctOwners(charts).flatMap((placed) => {
    const other = known.get(placed.owner.name!);
    known.set(placed.owner.name!, other ?? placed);
    return other === undefined ? [] : [{
      rule: MANAGEMENT_NAME_RULE,
      property: PROPERTY,
      message: `the management clusters of ${shown(other)} and ${shown(placed)} are both called "${placed.owner.name!}", and differ`,
      fix: 'give both the same management cluster, or each another name',
    }];
  });
}

/** For each management cluster that differs from the others, the first chart that is applied to it. */
function distinctOwners(charts: readonly Placed[]): Placed[] {
  const seen = new Set<OutputOwner>();
  const distinct: Placed[] = [];
  for (const placed of charts) {
    if (seen.has(placed.owner)) continue;
    seen.add(placed.owner);
    if (!distinct.some(({ owner }) => isSame(owner, placed.owner))) distinct.push(placed);
  }
  return distinct;
}

function isSame(one: OutputOwner, other: OutputOwner): boolean {
  return one.name === other.name && isDeepStrictEqual(one.capabilities, other.capabilities);
}

function ownedCharts(app: IConstruct): Placed[] {
  return chartsIn(app).flatMap((chart) => {
    const { management } = placeOf(chart).folder;
    return management ? [{ chart, owner: management }] : [];
  });
}

function chartsIn(app: IConstruct): Chart[] {
  return constructsIn(app).filter((construct): construct is Chart => Chart.isChart(construct));
}

function shown({ chart }: Placed): string {
  return `"${chart.node.path}"`;
}
