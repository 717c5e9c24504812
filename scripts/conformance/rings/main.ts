/**
 * Writes a fleet with gates, for conformance/internal/gitops/rings_test.go.
 *
 *   node -r ./scripts/esbuild-register.js scripts/conformance/rings/main.ts OUTDIR STARTUPS EXCEPTED [TOOL]
 *
 * Four clusters have machines in the memory of Cluster API's development provider: `a` is the canary, `b` comes after it, and `c` and `d` come
 * last. STARTUPS are the seconds that their machines take to come up, in this order with commas between; another number has them replaced. EXCEPTED
 * is the name of a cluster that gates pass by, or empty. With `argo-cd` as TOOL, Argo CD applies the page from a
 * repository whose address is to be replaced, otherwise Flux.
 */
import { Duration } from 'cdk8s';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { ArgoCdApplicationSet } from '../../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { DevClusterBackend } from '../../../src/constructs/infrastructures/dev/dev-cluster-backend';
import { DevInfrastructure } from '../../../src/constructs/infrastructures/dev/dev-infrastructure';
import { DevMachine } from '../../../src/constructs/infrastructures/dev/dev-machine';
import { DevMachineBackend } from '../../../src/constructs/infrastructures/dev/dev-machine-backend';
import { ClusterList } from '../../../src/constructs/repository/fleet/cluster-list';
import { Fleet } from '../../../src/constructs/repository/fleet/fleet';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';

const RINGS = { a: 'canary', b: 'early', c: 'main', d: 'main' };

const [outdir, startups, excepted, tool] = process.argv.slice(2);
const app = new GitOpsApp({
  outdir,
  quiet: true,
  publishedElsewhere: true,
  entryPoints: tool !== 'argo-cd' ? new FluxEntryPoints({ sourceName: 'flux-system', path: 'tenants' })
    : new ArgoCdApplicationSet({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main', path: 'tenants' }),
});
const seconds = startups.split(',').map(Number);
const gate = { soak: Duration.minutes(5) };
const ring = (name: string) => ({
  name, kubernetesVersion: '1.35.8', ...(RINGS[excepted as keyof typeof RINGS] === name && { exceptFor: { [excepted]: 'its machines do not come up' } }),
});

new Fleet(app, 'fleet', {
  clusters: ClusterList.of(Object.entries(RINGS).map(([name, of], index) => ({ name, ring: of, values: { startup: seconds[index] } }))),
  rings: [{ ...ring('canary'), gate }, { ...ring('early'), gate }, ring('main')],
  profiles: {
    standard: {
      props: () => ({
        controlPlane: new KubeadmControlPlane({ replicas: 1, machine: new DevMachine({ backend: DevMachineBackend.inMemory() }) }),
        infrastructure: new DevInfrastructure({ backend: DevClusterBackend.inMemory() }),
        podCidrs: ['192.168.0.0/16'],
        cni: Cni.none(),
        delivery: new FluxDelivery(),
      }),
      populate: (tenant, cluster) => {
        const vm = { duration: Duration.seconds(cluster.integer('startup')) };
        tenant.addNodePool('workers', { machine: new DevMachine({ backend: DevMachineBackend.inMemory({ vm }) }), size: PoolSize.fixed(1) });
      },
    },
  },
});
app.synth();
