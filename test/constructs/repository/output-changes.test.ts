import * as fs from 'node:fs';
import { ApiObject, Chart, Size } from 'cdk8s';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { Versions } from '../../../src/constructs/contracts/versions';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { ClusterApiInstallation } from '../../../src/constructs/management/cluster-api-installation';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementCluster } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';
import { GitOpsApp, GitOpsAppProps } from '../../../src/constructs/repository/gitops-app';
import { FileLayout } from '../../../src/constructs/repository/output-folders';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { readFiles } from '../../support/examples';
import { GitRepository } from '../../support/git-repository';
import { addCluster } from '../../support/many-clusters';

/** The texts of files that are read from now on. */
function textsRead(): () => string[] {
  const decode = jest.spyOn(TextDecoder.prototype, 'decode');
  return () => decode.mock.results.map(({ value }) => String(value));
}

type Declare = (app: GitOpsApp) => unknown;

const [OLD, NEW]: readonly Partial<TenantClusterProps>[] = [{ podCidrs: ['10.10.0.0/16'] }, { podCidrs: ['10.20.0.0/16'] }];
const REFUSED = /\[a\] TC-CHANGE-CLUSTER-NETWORK podCidrs: /;
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };

let repo: GitRepository;
let said: string[];

beforeEach(() => {
  repo = new GitRepository();
  said = [];
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => {
    said.push(String(text));
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  repo.remove();
});

function synthesize(declare: Declare, props: GitOpsAppProps = {}): void {
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet: true, ...props });
  declare(app);
  app.synth();
}

function commit(declare: Declare, props?: GitOpsAppProps): string {
  synthesize(declare, props);
  return repo.commit();
}

const cluster = (id: string, props?: Partial<TenantClusterProps>): Declare => (app) => addCluster(app, id, props);
const namespaceIn = (chart: string): Declare => (app) => new ApiObject(new Chart(app, chart), 'namespace', NAMESPACE);

describe('a change that breaks what runs', () => {
  test('is an error at the property, and nothing is written', () => {
    commit(cluster('a', OLD));
    const before = readFiles(repo.at('dist'));
    expect(() => synthesize(cluster('a', NEW))).toThrow(REFUSED);
    expect(readFiles(repo.at('dist'))).toEqual(before);
  });

  test('is refused though cdk8s synth removed the output', () => {
    commit(cluster('a', OLD));
    fs.rmSync(repo.at('dist'), { recursive: true });
    expect(() => synthesize(cluster('a', NEW))).toThrow(REFUSED);
  });

  test('is refused again as long as it is not committed', () => {
    commit(cluster('a', OLD));
    synthesize(cluster('a', NEW), { validation: ManifestValidation.none('to be looked at later') });
    expect(() => synthesize(cluster('a', NEW))).toThrow(REFUSED);
  });

  test('is reported with everything else that is wrong', () => {
    commit(cluster('a', OLD));
    expect(() => synthesize((app) => {
      addCluster(app, 'a', NEW);
      addCluster(app, 'b', { kubernetesVersion: 'latest' });
    })).toThrow(/TC-CHANGE-CLUSTER-NETWORK podCidrs[^]*TC-CLUSTER-VERSION|TC-CLUSTER-VERSION[^]*TC-CHANGE-CLUSTER-NETWORK podCidrs/);
  });

  test('is not reported of a property that is refused anyway', () => {
    commit(cluster('a', OLD));
    let message = '';
    try {
      synthesize(cluster('a', { podCidrs: ['10.20.0.0/99'] }));
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('podCidrs');
    expect(message).not.toContain('TC-CHANGE');
  });
});

describe('acknowledged with a reason', () => {
  const RULE = { rule: 'TC-CHANGE-CLUSTER-NETWORK', reason: 'nothing runs there yet' };

  test.each<[string, (app: GitOpsApp, tenant: ReturnType<typeof addCluster>) => void, GitOpsAppProps]>([
    ['for a cluster', (_, tenant) => ManifestValidation.silence(tenant, [RULE]), {}],
    ['for the app', () => undefined, { validation: ManifestValidation.of({ silences: [RULE] }) }],
    ['in an object', (_, tenant) => tenant.cluster.metadata.addAnnotation('cdk8s-cluster-api/silence', `${RULE.rule}: ${RULE.reason}`), {}],
    ['by validation of the cluster alone', (_, tenant) => ManifestValidation.attach(tenant, { silences: [RULE] }), {}],
    ['by no validation of the cluster', (_, tenant) => ManifestValidation.skip(tenant, 'to be looked at later'), {}],
  ])('the change is made: %s', (_, acknowledge, props) => {
    commit(cluster('a', OLD));
    synthesize((app) => acknowledge(app, addCluster(app, 'a', NEW)), props);
    expect(fs.readFileSync(repo.at('dist/clusters/tenant-a/a/cluster.yaml'), 'utf8')).toContain('10.20.0.0/16');
    expect(said).toEqual([]);
  });

  test('a reason must be there', () => {
    commit(cluster('a', OLD));
    expect(() => synthesize(cluster('a', NEW), { validation: ManifestValidation.of({ silences: [{ ...RULE, reason: ' ' }] }) })).toThrow(/TC-SILENCE-REASON/);
  });

  test('what needs it no more is warned of', () => {
    const declare: Declare = (app) => ManifestValidation.silence(addCluster(app, 'a', NEW), [RULE]);
    commit(cluster('a', OLD));
    commit(declare);
    expect(said).toEqual([]);
    synthesize(declare);
    expect(said).toEqual([expect.stringMatching(/TC-SILENCE-UNUSED .*TC-CHANGE-CLUSTER-NETWORK is silenced, and does not find anything in a wrong/)]);
  });

  test('the removal of an object is one of its folder', () => {
    const declare = (add: boolean): Declare => (app) => {
      const { workloads } = addCluster(app, 'a');
      if (add) new ApiObject(workloads, 'namespace', { ...NAMESPACE, metadata: { ...NAMESPACE.metadata, annotations: { 'helm.sh/resource-policy': 'delete' } } });
    };
    commit(declare(true));
    expect(() => synthesize(declare(false))).toThrow(/TC-CHANGE-NAMESPACE-REMOVED Namespace team, which was in clusters\/tenant-a\/a\/addons\/workloads\.yaml: it is gone/);
    synthesize((app) => ManifestValidation.silence(addCluster(app, 'a'), [{ rule: 'TC-CHANGE-NAMESPACE-REMOVED', reason: 'the team has left' }]));
  });
});

describe('an upgrade of the management cluster', () => {
  const hall = (kubevirt: string, clusterApi: string): Declare => (app) => new ManagementCluster(app, 'hall', {
    namespace: 'flux-system',
    delivery: new FluxDelivery({ manifestSource: { name: 'flux-system', namespace: 'flux-system', path: 'dist' } }),
    versions: Versions.newest(),
    clusterApi: ClusterApiInstallation.operator({ version: clusterApi }),
    kubevirt: KubevirtInstallation.operator({ version: kubevirt, operator: OperatorManifest.release() }),
    cdi: CdiInstallation.existing(),
  });

  test.each([
    ['skips a minor release', hall('v1.9.0', 'v1.13.6'), /\[hall\] TC-CHANGE-KUBEVIRT-RELEASE kubevirt\.version: KubeVirt v1\.7\.0 -> v1\.9\.0/],
    ['goes back', hall('v1.7.0', 'v1.12.3'), /\[hall\] TC-CHANGE-CLUSTER-API-RELEASE clusterApi\.version: Cluster API v1\.13\.6 -> v1\.12\.3/],
  ])('is refused at the property where it %s', (_, declare, message) => {
    commit(hall('v1.7.0', 'v1.13.6'));

    expect(() => synthesize(declare)).toThrow(message);
  });

  test('is warned of where it is two upgrades', () => {
    commit(hall('v1.7.0', 'v1.13.6'));
    synthesize(hall('v1.8.1', 'v1.14.2'));

    expect(said.filter((text) => text.includes('TC-CHANGE-COMPONENTS'))).toEqual([
      expect.stringContaining('clusterApi.version: Cluster API v1.13.6 -> v1.14.2, and in the same change KubeVirt v1.7.0 -> v1.8.1'),
    ]);
  });
});

describe('what is compared with', () => {
  test('a new cluster, and a change elsewhere, are not looked at', () => {
    commit((app) => ['a', 'b'].forEach((id) => addCluster(app, id, OLD)));
    const texts = textsRead();
    synthesize((app) => {
      ['a', 'b'].forEach((id) => addCluster(app, id, OLD));
      addCluster(app, 'c');
    });
    // Text in new objects is read by validation itself.
    expect(texts().filter((text) => /^apiVersion: [^]*tenant-a/m.test(text))).toEqual([]);
    expect(said).toEqual([]);
  });

  test('only files that differ are read', () => {
    commit((app) => ['a', 'b'].forEach((id) => addCluster(app, id)));
    const texts = textsRead();
    synthesize((app) => {
      addCluster(app, 'a');
      addCluster(app, 'b', { kubernetesVersion: '1.35.5' });
    });
    const names = texts().map((text) => /^ {2}name: (.*)$/m.exec(text)?.[1]);
    expect(names).toContainEqual(expect.stringContaining('b-general'));
    expect(names.filter((name) => name?.startsWith('a'))).toEqual([]);
  });

  test('without Git, what is on disk', () => {
    fs.rmSync(repo.at('.git'), { recursive: true });
    synthesize(cluster('a', OLD));
    synthesize(cluster('a', OLD));
    expect(() => synthesize(cluster('a', NEW))).toThrow(REFUSED);
  });

  test('a base, such as the merge base of a pull request', () => {
    const base = commit(cluster('a', OLD));
    commit(cluster('a', NEW), { validation: ManifestValidation.none('to be looked at later') });
    synthesize(cluster('a', NEW));
    expect(() => synthesize(cluster('a', NEW), { base })).toThrow(REFUSED);
    synthesize(cluster('a', OLD), { base });
  });

  test('TC-GIT-BASE: a base that is not there, as in a shallow clone', () => {
    const base = commit(cluster('a'));
    repo.commit();
    expect(() => synthesize(cluster('a'), { base: 'nowhere' })).toThrow(/TC-GIT-BASE base: the repository .* has no commit "nowhere"/);
    const clone = repo.at('clone');
    repo.git('clone', '--quiet', '--depth=1', `file://${repo.folder}`, clone);
    expect(() => synthesize(cluster('a'), { outdir: `${clone}/dist`, base })).toThrow(/TC-GIT-BASE base: .* it is a shallow clone.* Fix: fetch it with "git fetch --unshallow"/);
  });

  test('TC-GIT-REPOSITORY: a base without a repository', () => {
    fs.rmSync(repo.at('.git'), { recursive: true });
    expect(() => synthesize(cluster('a'), { base: 'main' })).toThrow(/TC-GIT-REPOSITORY base: .* is in no Git repository/);
  });

  test('validation that is switched off compares nothing', () => {
    commit(cluster('a', OLD));
    synthesize(cluster('a', NEW), { validation: ManifestValidation.none('we know what we do') });
    expect(said).toEqual([]);
  });

  test('with a selection, what it has', () => {
    const both = (props: Partial<TenantClusterProps>): Declare => (app) => ['a', 'b'].forEach((id) => addCluster(app, id, props));
    commit(both(OLD));
    expect(() => synthesize(both(NEW), { only: ['tenant-a/a'] })).toThrow(/^(?![^]*\[b\])[^]*\[a\] TC-CHANGE-CLUSTER-NETWORK/);
  });
});

test.each([PoolSize.fixed(2), PoolSize.between(1, 5)])('a cluster that falls asleep and wakes up is not refused (%j)', (size) => {
  const declare = (hibernation?: Hibernation): Declare => (app) => {
    addCluster(app, 'a', { hibernation }, []).addNodePool('general', {
      machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) }), size,
    });
  };
  for (const hibernation of [undefined, Hibernation.POOLS, Hibernation.FULL, undefined]) commit(declare(hibernation));
  expect(said.filter((text) => text.includes('TC-CHANGE'))).toEqual([]);
});

describe('nothing is removed that', () => {
  test('moved to another folder', () => {
    commit(namespaceIn('one'));
    synthesize(namespaceIn('two'));
    expect(() => synthesize(namespaceIn('two'))).not.toThrow();
    expect(() => synthesize(() => undefined)).toThrow(/TC-CHANGE-NAMESPACE-REMOVED Namespace team, which was in charts\/one\/one\.yaml/);
  });

  test('moved to other files', () => {
    commit(cluster('a'));
    synthesize(cluster('a'), { layout: FileLayout.FILE_PER_OBJECT });
    expect(said).toEqual([]);
  });

  test('goes to the tenant in another way', () => {
    const declare = (delivery: FluxDelivery): Declare => (app) => new ApiObject(addCluster(app, 'a', { delivery }).workloads, 'namespace', NAMESPACE);
    commit(declare(new FluxDelivery()));
    synthesize(declare(new FluxDelivery({ manifestSource: { name: 'flux-system', path: 'dist' } })));
    expect(said).toEqual([]);
  });

  test('is of a cluster that is kept', () => {
    commit((app) => ['a', 'b'].forEach((id) => addCluster(app, id)));
    synthesize(cluster('a'));
    expect(said).toEqual([expect.stringContaining('TC-GITOPS-KEPT')]);
  });

  test('is of a cluster that is taken down', () => {
    commit((app) => ['a', 'b'].forEach((id) => addCluster(app, id)));
    commit((app) => ['a', 'b'].forEach((id) => addCluster(app, id, { decommission: id === 'b' })));
    expect(said).toEqual([]);
    synthesize(cluster('a'));
    expect(said).toEqual([expect.stringMatching(/TC-CHANGE-KEPT-REMOVED Namespace tenant-b, .* is marked to stay in the cluster/)]);
  });

  test.each([undefined, { name: 'flux-system', path: 'dist' }])('was delivered to a cluster that is taken down (manifestSource: %j)', (manifestSource) => {
    const declare = (decommission: boolean): Declare => (app) => (
      new ApiObject(addCluster(app, 'a', { delivery: new FluxDelivery({ manifestSource }), decommission }).workloads, 'namespace', NAMESPACE));
    commit(declare(false));
    commit(declare(true));
    synthesize(() => undefined);
    expect(said).toEqual([expect.stringContaining('TC-CHANGE-KEPT-REMOVED Namespace tenant-a')]);
  });
});

test.each<[string, Declare, Declare, RegExp]>([
  ['the pod network is replaced', cluster('a', { cni: new Cilium() }), cluster('a', { cni: new Flannel() }), /TC-CHANGE-CNI HelmRelease tenant-a\/a-cilium, which was in/],
  ['a minor version is left out', cluster('a', { kubernetesVersion: '1.33.5' }), cluster('a'), /\[a\] TC-CHANGE-KAMAJI-VERSION kubernetesVersion: /],
  ['the version goes down', cluster('a'), cluster('a', { kubernetesVersion: '1.34.3' }), /errors:\n {2}\[a\] TC-CHANGE-KAMAJI-VERSION kubernetesVersion: [^\n]*$/],
])('refused: %s', (_, before, after, message) => {
  commit(before);
  expect(() => synthesize(after)).toThrow(message);
});
