import * as fs from 'node:fs';
import * as path from 'node:path';
import { Chart } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { IManagementCluster, ImportedManagementCluster } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementCluster } from '../../../src/constructs/management/management-cluster';
import { GitOpsApp, GitOpsAppProps } from '../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../support/examples';
import { GitRepository } from '../../support/git-repository';
import { KNOWN_CAPABILITIES } from '../../support/management';
import { addCluster, ENTRY_POINTS } from '../../support/many-clusters';
import { REMOTE } from '../management/managed';

const HALLS = [1, 2].map((n) => new ImportedManagementCluster({ name: `hall-${n}`, podCidrs: [`10.24${n}.0.0/16`] }));

let repo: GitRepository;
let said: string[];

beforeEach(() => {
  repo = new GitRepository();
  said = [];
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => { said.push(String(text)); });
});

afterEach(() => {
  jest.restoreAllMocks();
  repo.remove();
});

/** A management cluster that the app makes. */
function hallIn(app: GitOpsApp, name: string): ManagementCluster {
  return new ManagementCluster(app, name, {
    namespace: 'flux-system',
    delivery: FROM_REPOSITORY,
    kubevirt: KubevirtInstallation.operator({ operator: REMOTE }),
    cdi: CdiInstallation.operator({ operator: REMOTE }),
  });
}

/** Reads the manifests of tenants from the repository. */
const FROM_REPOSITORY = new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system' } });

function withoutPaths(text: string): string {
  return text.replace(/^[0-9a-f]{64} /gm, '').replace(/path\.segments \d/g, 'path.segments');
}

type Files = { [file: string]: string };

/** Writes an app to `dist`, and returns its files. */
function synthesize(fill: (app: GitOpsApp) => void, props: GitOpsAppProps = {}): Files {
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet: true, folderPerManagementCluster: true, publishedElsewhere: true, ...props });
  fill(app);
  app.synth();
  return readFiles(repo.at('dist'));
}

function refused(fill: (app: GitOpsApp) => void, props: GitOpsAppProps = {}): string[] {
  try {
    synthesize(fill, props);
  } catch (error) {
    return (error as Error).message.split('\n').slice(1).map((line) => line.trim());
  }
  return [];
}

function below(files: Files, folder: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([file]) => file.startsWith(`${folder}/`)).map(([file, text]) => [file.slice(folder.length + 1), text]));
}

function twoTenants(app: GitOpsApp): void {
  HALLS.forEach((managementCluster, index) => addCluster(app, `acme-${index + 1}`, { managementCluster }));
}

describe('one folder for all', () => {
  const ONE = { folderPerManagementCluster: false };

  test('tenants of two management clusters are refused', () => {
    expect(refused(twoTenants, ONE)).toEqual([
      'TC-GITOPS-MANAGEMENT-CLUSTERS folderPerManagementCluster: "acme-1" and "acme-2" are in different management clusters, and each of these would apply both. '
      + 'Fix: set folderPerManagementCluster: true, with a name for each ImportedManagementCluster, or give each management cluster a GitOpsApp with an outdir of its own; '
      + 'if it is the same one, give both the same object.',
    ]);
  });

  test('two management clusters are refused', () => {
    expect(refused((app) => ['hall-1', 'hall-2'].forEach((name) => hallIn(app, name)), { ...ONE, entryPoints: ENTRY_POINTS.flux })).toEqual([expect.stringContaining('TC-GITOPS-MANAGEMENT-CLUSTERS folderPerManagementCluster: "hall-1" and "hall-2" are in different')]);
  });

  test('several objects of the same content are one management cluster, and tenants that name none are in it', () => {
    const write = (managementCluster: () => IManagementCluster) => synthesize((app) => {
      ['a', 'b'].forEach((id) => addCluster(app, id, { managementCluster: managementCluster() }));
      addCluster(app, 'c');
    }, ONE);
    const [hall] = HALLS;
    const shared = write(() => hall);
    expect(Object.keys(shared)).toContain('clusters/tenant-a/a/cluster.yaml');
    expect(write(() => new ImportedManagementCluster({ name: 'hall-1', podCidrs: ['10.241.0.0/16'] }))).toEqual(shared);
    expect(write(() => new ImportedManagementCluster(KNOWN_CAPABILITIES))).toEqual(shared);
  });
});

describe('a folder for each', () => {
  test.each([['on disk', false], ['in the commit alone', true]])('switching it off is refused while the folders stay: %s', (_, removed) => {
    synthesize(twoTenants);
    repo.commit();
    if (removed) fs.rmSync(repo.at('dist'), { recursive: true });
    const one = (app: GitOpsApp) => { addCluster(app, 'acme-1', { managementCluster: HALLS[0] }); };
    expect(refused(one, { folderPerManagementCluster: false })).toEqual([
      `TC-GITOPS-MANAGEMENT-MOVED folderPerManagementCluster: ${repo.at('dist')} has a folder for each management cluster: hall-1, hall-2. `
      + `Fix: give each management cluster a GitOpsApp of its own, such as with outdir: "${repo.at('dist/hall-1')}", or set folderPerManagementCluster: true.`,
    ]);
    synthesize(one, { outdir: repo.at('dist/hall-1'), folderPerManagementCluster: false });
  });

  test('one folder moves to the top, and synthesis goes on there', () => {
    const one = (app: GitOpsApp) => { addCluster(app, 'acme-1', { managementCluster: HALLS[0] }); };
    synthesize(one);
    repo.commit();
    expect(refused(one, { folderPerManagementCluster: false })).toEqual([expect.stringContaining('Fix: move all files of hall-1, .cdk8s-cluster-api too, to the top of the output by git mv')]);
    repo.git('mv', 'dist/hall-1', 'moved');
    fs.rmSync(repo.at('dist'), { recursive: true });
    repo.git('mv', 'moved', 'dist');
    expect(refused(one, { folderPerManagementCluster: false })).toEqual([]);
  });

  test.each(Object.keys(ENTRY_POINTS))('each folder is what an app of its own writes there: %s', (name) => {
    const fill = (app: GitOpsApp, hall: string) => {
      const managementCluster = hallIn(app, hall);
      const delivery = FROM_REPOSITORY;
      addCluster(app, `${hall}-acme`, { name: 'acme', namespace: 'tenant-acme', managementCluster, delivery });
      addCluster(app, `${hall}-beta`, { managementCluster, delivery });
    };
    const options = { entryPoints: ENTRY_POINTS[name], recordConstructMetadata: true };
    const together = synthesize((app) => ['hall-1', 'hall-2'].forEach((hall) => fill(app, hall)), options);
    expect(Object.keys(together).filter((file) => !/^hall-[12]\//.test(file))).toEqual([]);
    for (const hall of ['hall-1', 'hall-2']) {
      synthesize((app) => fill(app, hall), { ...options, outdir: repo.at('own'), folderPerManagementCluster: false });
      const own = readFiles(repo.at('own'));
      fs.rmSync(repo.at('own'), { recursive: true });
      // But for paths of the repository, and hashes of the files that have them.
      const { '.cdk8s-cluster-api/management-cluster': stated, ...tree } = below(together, hall);
      expect(stated).toBe(`${hall}\n`);
      expect(Object.fromEntries(Object.entries(tree).map(([file, text]) => [file, withoutPaths(text.replaceAll(`${hall}/clusters/`, 'clusters/'))])))
        .toEqual(Object.fromEntries(Object.entries(own).map(([file, text]) => [file, withoutPaths(text)])));
    }
  });

  test('a change of one touches nothing of the other', () => {
    const before = synthesize(twoTenants);
    const after = synthesize((app) => {
      addCluster(app, 'acme-1', { managementCluster: HALLS[0] }, ['general', 'gpu']);
      addCluster(app, 'acme-2', { managementCluster: HALLS[1] });
    });
    expect(below(after, 'hall-2')).toEqual(below(before, 'hall-2'));
    expect(Object.keys(after)).toContain('hall-1/clusters/tenant-acme-1/acme-1/pools/gpu.yaml');
    expect(Object.keys(after)).toContain('hall-1/.cdk8s-cluster-api/files/clusters/tenant-acme-1/acme-1.sha256');
  });

  test('each chart needs a management cluster with a name, and names differ', () => {
    const rule = 'TC-GITOPS-MANAGEMENT-NAME folderPerManagementCluster:';
    expect(refused((app) => {
      addCluster(app, 'a');
      addCluster(app, 'b', { managementCluster: new ImportedManagementCluster({ podCidrs: ['10.1.0.0/16'] }) });
      new Chart(app, 'platform');
      addCluster(app, 'c', { managementCluster: new ImportedManagementCluster({ name: 'Hall 3' }) });
      addCluster(app, 'd', { managementCluster: new ImportedManagementCluster({ name: 'clusters' }) });
      addCluster(app, 'e', { managementCluster: HALLS[0] });
      addCluster(app, 'f', { managementCluster: new ImportedManagementCluster({ name: 'hall-1', podCidrs: ['10.3.0.0/16'] }) });
    })).toEqual([
      `${rule} "a" is in no management cluster that has a name. Fix: give the cluster a managementCluster with a name.`,
      `${rule} "b" is in no management cluster that has a name. Fix: give the cluster a managementCluster with a name.`,
      `${rule} "platform" is in no management cluster that has a name. Fix: make it below a management.ManagementCluster, or in a GitOpsApp of its own.`,
      expect.stringMatching(/^TC-GITOPS-MANAGEMENT-NAME folderPerManagementCluster: "Hall 3" /),
      `${rule} "clusters" is the name of a folder in each tree. Fix: give the management cluster another name.`,
      `${rule} the management clusters of "e" and "f" are both called "hall-1", and differ. Fix: give both the same management cluster, or each another name.`,
    ]);
  });

  test('what one management cluster may have once, another one may have, too', () => {
    const twice = (halls: readonly IManagementCluster[]) => (app: GitOpsApp) => halls.forEach((managementCluster, index) => {
      addCluster(app, `acme-${index}`, { name: 'acme', namespace: 'tenant-acme', managementCluster });
    });
    expect(refused(twice(HALLS))).toEqual([]);
    expect(refused(twice([HALLS[0], HALLS[0]])).join()).toContain('TC-CLUSTER-NAME-TAKEN');
  });

  test('a cluster that disappears from the code is kept in its folder, and so is all of a management cluster that disappears', () => {
    const before = synthesize(twoTenants, { entryPoints: ENTRY_POINTS['application-set'] });
    expect(synthesize((app) => { addCluster(app, 'acme-1', { managementCluster: HALLS[0] }); }, { entryPoints: ENTRY_POINTS['application-set'] })).toEqual(before);
    expect(said).toEqual([expect.stringContaining('TC-GITOPS-KEPT the cluster "acme-2" in namespace "tenant-acme-2" is in hall-2/clusters/tenant-acme-2/acme-2')]);
  });

  test('a cluster that moves to another management cluster is kept where it was, if it is not known what delivers it', () => {
    const before = synthesize(twoTenants);
    const after = synthesize((app) => ['acme-1', 'acme-2'].forEach((id) => addCluster(app, id, { managementCluster: HALLS[0] })));
    expect(Object.keys(after)).toEqual(expect.arrayContaining([...Object.keys(before), 'hall-1/clusters/tenant-acme-2/acme-2/cluster.yaml']));
    expect(said).toEqual([expect.stringContaining('hall-2/clusters/tenant-acme-2/acme-2')]);
  });

  test('a selection names the management cluster, too', () => {
    synthesize(twoTenants);
    const grow = (app: GitOpsApp) => HALLS.forEach((managementCluster, index) => addCluster(app, `acme-${index + 1}`, { managementCluster }, ['general', 'gpu']));
    expect(refused(grow, { only: ['tenant-acme-1/acme-1'] })).toEqual([
      expect.stringMatching(/^TC-GITOPS-ONLY only: the app has no cluster .*did you mean "hall-1\/tenant-acme-1\/acme-1"\?/),
    ]);
    const files = Object.keys(synthesize(grow, { only: ['hall-2/tenant-acme-2/acme-2'] }));
    expect(files.filter((file) => file.endsWith('/gpu.yaml'))).toEqual(['hall-2/clusters/tenant-acme-2/acme-2/pools/gpu.yaml']);
  });

  test('the output comes back from the last commit, and changes are compared with it', () => {
    const before = synthesize(twoTenants);
    repo.commit();
    fs.rmSync(repo.at('dist'), { recursive: true });
    expect(synthesize((app) => { addCluster(app, 'acme-1', { managementCluster: HALLS[0] }); })).toEqual(before);
    expect(said.map((text) => text.split(' ')[0])).toEqual(['TC-GITOPS-EMPTIED', 'TC-GITOPS-KEPT']);
    expect(refused((app) => {
      addCluster(app, 'acme-1', { managementCluster: HALLS[0] });
      addCluster(app, 'acme-2', { managementCluster: HALLS[1], podCidrs: ['10.77.0.0/16'] });
    })).toEqual([expect.stringMatching(/^\[acme-2\] TC-CHANGE-/)]);
  });

  test('nothing is written if one folder cannot be', () => {
    const before = synthesize(twoTenants);
    repo.write('dist/hall-2/clusters/tenant-b/b/cluster.yaml', 'ours: true\n');
    expect(() => synthesize((app) => {
      addCluster(app, 'a', { managementCluster: HALLS[0] });
      addCluster(app, 'b', { managementCluster: HALLS[1] });
    })).toThrow('TC-OUTPUT-FOREIGN');
    expect(readFiles(repo.at('dist'))).toEqual({ ...before, 'hall-2/clusters/tenant-b/b/cluster.yaml': 'ours: true\n' });
  });

  test('the folder of one management cluster is moved by hand, and then stays as it was', () => {
    const fill = (app: GitOpsApp) => { addCluster(app, 'acme', { managementCluster: HALLS[0] }); };
    const before = synthesize(fill, { folderPerManagementCluster: false });
    repo.commit();
    expect(refused(fill)).toEqual([
      `TC-GITOPS-MANAGEMENT-MOVED folderPerManagementCluster: ${repo.at('dist')} has the files of one management cluster at its top. Fix: move all of them, `
      + '.cdk8s-cluster-api too, into a folder with the name of that management cluster, by git mv, and have its tool read them there.',
    ]);
    fs.mkdirSync(repo.at('dist/hall-1'));
    for (const name of fs.readdirSync(repo.at('dist')).filter((one) => one !== 'hall-1')) fs.renameSync(repo.at(`dist/${name}`), repo.at(path.join('dist/hall-1', name)));
    expect(below(synthesize(fill), 'hall-1')).toEqual({ ...before, '.cdk8s-cluster-api/management-cluster': 'hall-1\n' });
  });
});

describe('a tenant that moves', () => {
  const FLUX = { entryPoints: ENTRY_POINTS.flux };
  const write = (hall: number, moving?: boolean) => (app: GitOpsApp) => { addCluster(app, 'acme', { managementCluster: HALLS[hall], moving }); };
  const entryOf = (files: Files) => files['hall-1/flux/tenant-acme.acme.yaml'];
  const notStopped = 'TC-GITOPS-MOVED managementCluster: "tenant-acme/acme" was written for hall-1, which still delivers it, and would be delivered by hall-2 as well. '
    + 'Fix: write it for hall-1 with moving: true, and commit that; move it by the steps of "cdk8s-cluster-api move"; then write it for hall-2 without moving; '
    + 'if these are two clusters, decommission the one in hall-1 first.';

  test('has its entry stopped in the former management cluster, and nothing else changes', () => {
    const before = synthesize(write(0), FLUX);
    const moving = synthesize(write(0, true), FLUX);
    expect(Object.keys(moving).filter((file) => moving[file] !== before[file] && !file.includes('.cdk8s-cluster-api/'))).toEqual(['hall-1/flux/tenant-acme.acme.yaml']);
    expect(entryOf(moving).match(/^kind: Kustomization$/gm)!.length).toBe(entryOf(moving).match(/^ {2}suspend: true$/gm)!.length);
  });

  test('does not sync by itself with Argo CD', () => {
    const files = synthesize(write(0, true), { entryPoints: new ArgoCdEntryPoints({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main', path: 'dist' }) });
    expect(files['hall-1/argocd/tenant-acme.acme.yaml']).toContain('syncPolicy:');
    expect(files['hall-1/argocd/tenant-acme.acme.yaml']).not.toContain('automated:');
  });

  test.each([['in one step', false], ['with its folder deleted', true]])('is refused %s, without being stopped before', (_, deleted) => {
    synthesize(write(0), FLUX);
    repo.commit();
    if (deleted) fs.rmSync(repo.at('dist/hall-1'), { recursive: true });
    expect(refused(write(1), FLUX)).toEqual([notStopped]);
  });

  test('comes to the other one when it was stopped, while the former folder is kept until it is deleted', () => {
    synthesize(write(0, true), FLUX);
    repo.commit();
    const both = synthesize(write(1), FLUX);
    expect(entryOf(both)).toContain('suspend: true');
    expect(both['hall-2/flux/tenant-acme.acme.yaml']).not.toContain('suspend: true');
    expect(said.filter((text) => text.includes('TC-GITOPS-KEPT'))).toHaveLength(1);
    repo.commit();
    fs.rmSync(repo.at('dist/hall-1'), { recursive: true });
    expect(Object.keys(synthesize(write(1), FLUX)).filter((file) => file.startsWith('hall-1/'))).toEqual([]);
  });

  test('needs entry points with an entry of its own', () => {
    expect(refused(write(0, true), { entryPoints: ENTRY_POINTS['application-set'] })).toEqual([expect.stringContaining('TC-GITOPS-MOVING entryPoints: "tenant-acme/acme" is moving')]);
  });
});
