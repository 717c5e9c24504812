import { App, Size } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ClusterList } from '../../../src/constructs/repository/fleet/cluster-list';
import { Fleet } from '../../../src/constructs/repository/fleet/fleet';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../support/examples';
import { GitRepository } from '../../support/git-repository';
import { addCluster, CLUSTER } from '../../support/many-clusters';

type Declare = (app: GitOpsApp) => unknown;

let repo: GitRepository;

beforeEach(() => {
  repo = new GitRepository();
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
  repo.remove();
});

function synthesize(declare: Declare): void {
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet: true });
  declare(app);
  app.synth();
}

function commit(declare: Declare): void {
  synthesize(declare);
  repo.commit();
}

const cluster = (kubernetesVersion: string, freeze?: string): Declare => (app) => addCluster(app, 'a', { kubernetesVersion, freeze });

const pool = (cpu: number, freeze?: string, other = 2): Declare => (app) => {
  const tenant = addCluster(app, 'a', {}, []);
  const machine = (cores: number) => new KubevirtMachine({ cpu: cores, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:stable' }) });
  tenant.addNodePool('general', { machine: machine(cpu), size: PoolSize.fixed(2), freeze });
  tenant.addNodePool('other', { machine: machine(other), size: PoolSize.fixed(2) });
};

const fleet = (kubernetesVersion: string, freeze?: string): Declare => (app) => new Fleet(app, 'fleet', {
  clusters: ClusterList.of([{ name: 'a', ring: 'canary' }, { name: 'b' }, { name: 'c' }]),
  rings: [{ name: 'canary', kubernetesVersion }, { name: 'rest', kubernetesVersion, freeze }],
  profiles: { tenant: { props: () => CLUSTER, populate: () => undefined } },
});

test('TC-CLUSTER-FROZEN: a frozen cluster does not change, and the error says what would', () => {
  commit(cluster('1.35.3'));
  const before = readFiles(repo.at('dist'));
  synthesize(cluster('1.35.3', 'sales season'));
  expect(() => synthesize(cluster('1.35.4', 'sales season'))).toThrow(
    /\[a\] TC-CLUSTER-FROZEN freeze: nothing may change \("sales season"\), but this would: control plane: 2 pods are replaced: version v1\.35\.3 -> v1\.35\.4; pool general: 2 machines are replaced/,
  );
  expect(readFiles(repo.at('dist'))).toEqual(before);
  synthesize(cluster('1.35.4'));
});

test('a new cluster may be frozen', () => {
  commit(() => undefined);
  expect(() => synthesize(cluster('1.35.3', 'sales season'))).not.toThrow();
});

test('TC-CLUSTER-FROZEN: a frozen pool does not change, and others may', () => {
  commit(pool(2));
  synthesize(pool(2, 'audit', 4));
  expect(() => synthesize(pool(4, 'audit'))).toThrow(/\[a\/general\] TC-CLUSTER-FROZEN freeze: nothing may change \("audit"\), but this would: pool general: 2 machines are replaced, 1 at a time: cpu 2 -> 4/);
});

test('TC-CLUSTER-FROZEN: the clusters of a frozen ring do not change, and are told of together', () => {
  commit(fleet('1.35.3'));
  expect(() => synthesize(fleet('1.35.4', 'sales season'))).toThrow(
    /\[fleet\/b, fleet\/c\] TC-CLUSTER-FROZEN freeze: nothing may change \("sales season"\), but this would: control plane: 2 pods are replaced: version v1\.35\.3 -> v1\.35\.4/,
  );
});

test('TC-CLUSTER-FREEZE-REASON: a freeze has a reason', () => {
  expect(() => synthesize(cluster('1.35.3', ' '))).toThrow(/\[a\] TC-CLUSTER-FREEZE-REASON freeze: it is " "/);
  expect(() => synthesize(pool(2, ''))).toThrow(/\[a\/general\] TC-CLUSTER-FREEZE-REASON freeze: it is ""/);
});

test('TC-CLUSTER-FREEZE-APP: an App of cdk8s compares nothing, and says so', () => {
  const app = new App({ outdir: repo.at('dist') });
  addCluster(app, 'a', { freeze: 'sales season' });
  app.synth();
  expect(WARNINGS.emit).toHaveBeenCalledWith(
    '[a] TC-CLUSTER-FREEZE-APP freeze: nothing is refused, because this app compares nothing. Fix: write with a GitOpsApp, or remove freeze.', { code: 'TC-CLUSTER-FREEZE-APP' },
  );
  jest.mocked(WARNINGS.emit).mockClear();
  synthesize(cluster('1.35.3', 'sales season'));
  expect(WARNINGS.emit).not.toHaveBeenCalled();
});
