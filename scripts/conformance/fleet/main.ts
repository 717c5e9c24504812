/**
 * Writes the page of a fleet on one Flux, for conformance/internal/gitops/fleet_test.go and lockdown_test.go.
 *
 *   node -r ./scripts/esbuild-register.js scripts/conformance/fleet/main.ts OUTDIR REPOSITORY NAMES REVISION
 *
 * All tenants may be on one API server: their releases and workloads are in namespaces of their own. REPOSITORY is the address of the charts, NAMES
 * are those of the tenants, with commas between, and REVISION is a value that reaches each tenant by a chart and by manifests. The tenant named
 * `unready` has a release whose objects never become ready.
 */
import { ApiObject, Duration } from 'cdk8s';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { AddonCapability } from '../../../src/constructs/contracts/addon';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { FluxMode } from '../../../src/constructs/deliveries/flux/flux-mode';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';

/** Settings of Flux from the time when releases of tenants waited, to compare with. */
const FORMER = process.env.FLUX_FLEET_FORMER === 'true';
const MINUTES = Duration.minutes(10);

/** True for a Flux with multi-tenancy lockdown. */
const LOCKED = process.env.FLUX_FLEET_LOCKED === 'true';

const [outdir, repository, names, revision] = process.argv.slice(2);
const app = new GitOpsApp({
  outdir,
  quiet: true,
  publishedElsewhere: true,
  entryPoints: new FluxEntryPoints({
    sourceName: 'flux-system', path: 'tenants', ...(FORMER && { timeout: Duration.minutes(5) }), ...(LOCKED && { serviceAccountName: 'kustomize-controller' }),
  }),
});
const locked = { mode: FluxMode.lockdown(), manifestSource: { name: 'fleet', path: 'tenants' } };
const former = { wait: true, interval: MINUTES, sourceInterval: MINUTES, retryInterval: Duration.seconds(30) };
const delivery = new FluxDelivery(LOCKED ? locked : FORMER ? former : {});

for (const name of names.split(',')) {
  const tenant = new TenantCluster(app, name, {
    namespace: `tenant-${name}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(),
    cni: Cni.none(),
    delivery,
  });
  const chart = (id: string) => ({ chart: id, repository, chartVersion: '1.0.0', releaseName: id, namespace: `${id}-${name}`, images: [] });
  tenant.addAddon(new HelmAddon('network', {
    ...chart('network'),
    provides: [AddonCapability.POD_NETWORK],
    requires: [],
    values: name === 'unready' ? { conformanceUnready: true } : {},
  }));
  tenant.addAddon(new HelmAddon('agent', { ...chart('agent'), values: { revision } }));
  new ApiObject(tenant.workloads, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${name}` } });
  new ApiObject(tenant.workloads, 'Settings', {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: `team-${name}` }, data: { revision },
  } as never);
}
app.synth();
