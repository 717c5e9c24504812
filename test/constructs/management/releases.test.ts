import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Size } from 'cdk8s';
import { FLUX, manage } from './managed';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ClusterApiFeatureGates } from '../../../src/constructs/management/cluster-api-feature-gates';
import { ClusterApiInstallation } from '../../../src/constructs/management/cluster-api-installation';
import { testedVersions } from '../../../src/constructs/management/version-matrix';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { readFiles } from '../../support/examples';
import { problemsOf } from '../../support/problems';

/** Releases in the management cluster, and the settings that depend on them. */
interface Releases {
  readonly clusterApi: string;
  readonly kamajiProvider?: string;
  readonly featureGates?: ClusterApiFeatureGates;
  readonly podCidrs?: string[];
  readonly serviceCidrs?: string[];
}

/** A management cluster of these releases with one tenant: what is refused, else what is written, all in one text. */
function written({ clusterApi, kamajiProvider, featureGates, ...networks }: Releases): string {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'releases-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    const management = manage(app, {
      allowUntestedVersions: true,
      clusterApi: ClusterApiInstallation.operator({ version: clusterApi, featureGates, kamajiControlPlane: { version: kamajiProvider } }),
    });
    const tenant = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
      infrastructure: new KubevirtInfrastructure(),
      managementCluster: management,
      cni: Cni.none(),
      delivery: FLUX,
      ...networks,
    });
    tenant.addNodePool('general', {
      machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) }),
      size: PoolSize.fixed(3),
    });
    const problems = problemsOf(app);
    if (problems.length > 0) return problems.map(({ id, text }) => `${id} ${text}`).join('\n');
    app.synth();
    return Object.values(readFiles(outdir)).join('---\n');
  } finally {
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}

const DUAL_STACK = { podCidrs: ['10.244.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.96.0.0/16', 'fd00:2::/112'] };

describe('what differs between releases of Cluster API', () => {
  test.each([
    // release, conditions of machines in health checks, rights that the Kamaji provider leaves out, gates since 1.12
    ['v1.11.4', false, false, false],
    ['v1.12.3', true, false, true],
    ['v1.13.6', true, false, true],
    ['v1.14.2', true, true, true],
  ])('%s', (clusterApi, conditions, access, gates) => {
    const text = written({ clusterApi });
    expect(text).toContain(`version: ${clusterApi}`);
    expect(text.includes('type: InfrastructureReady')).toBe(conditions);
    expect(text.includes('capi-kubeadm-bootstrap-kamaji-control-planes')).toBe(access);
    expect(written({ clusterApi, featureGates: { machineTaintPropagation: true } }).includes('TC-MANAGEMENT-FEATURE-GATE')).toBe(!gates);
  });

  test('each tested release is looked at', () => {
    expect(testedVersions().find(({ title }) => title === 'Cluster API')?.tested).toBe('1.11.x to 1.14.x');
  });
});

describe('what differs between releases of the Kamaji provider', () => {
  test('v0.20.0 hands on one address family, and leaves out a right that Cluster API 1.14 needs', () => {
    expect(written({ clusterApi: 'v1.14.2', kamajiProvider: 'v0.20.0', ...DUAL_STACK })).toContain('TC-NETWORK-DUAL-STACK podCidrs: the Kamaji provider v0.20.0');
    expect(written({ clusterApi: 'v1.14.2', kamajiProvider: 'v0.20.0' })).toContain('capi-kubeadm-bootstrap-kamaji-control-planes');
  });

  test('v0.21.0 hands on both, and has the right', () => {
    const text = written({ clusterApi: 'v1.14.2', kamajiProvider: 'v0.21.0', ...DUAL_STACK });
    expect(text).toContain('- fd00:1::/56');
    expect(text).not.toContain('capi-kubeadm-bootstrap-kamaji-control-planes');
  });
});
