import { CLUSTERS } from './rules/clusters';
import { MACHINES } from './rules/machines';
import { TENANT_OBJECTS } from './rules/services';
import { PLAN_SIZE, VULTR_CLUSTER, VULTR_CLUSTER_TEMPLATE, VULTR_MACHINE, VULTR_MACHINE_TEMPLATE } from './vultr-objects';
import { Effect } from '../../rules/changes/effects';
import { MachineSize } from '../../rules/cluster-facts';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';

/** Releases of Cluster API's provider for Vultr. */
export const VULTR_RELEASE: ProviderRelease = {
  kind: 'InfrastructureProvider',
  name: 'vultr-vultr',
  image: 'docker.io/vultr/cluster-api-provider-vultr',
  releases: 'https://github.com/vultr/cluster-api-provider-vultr/releases',
  // metadata.yaml and go.mod (Cluster API v1.10.5) of v0.4.0, the last release
  onlyV1Beta1: /^v0\.[0-4]\./,
  // config/default/manager_auth_proxy_patch.yaml of v0.1.0 to v0.4.0 names gcr.io/kubebuilder/kube-rbac-proxy:v0.15.0, which the Kubebuilder
  // project deleted (kubernetes-sigs/kubebuilder discussion 3907). The same release is at the registry of its own project
  // (brancz/kube-rbac-proxy .github/workflows/build.yml, v0.15.0).
  deletedImages: [{ versions: /^v0\.[1-4]\./, container: 'kube-rbac-proxy', replacement: 'quay.io/brancz/kube-rbac-proxy:v0.15.0' }],
  faults: [{
    versions: /^v0\.4\./,
    reason: 'the metadata of the Vultr provider\'s release has no series 0.4, and the operator refuses a version without a series',
    source: 'vultr/cluster-api-provider-vultr metadata.yaml of v0.4.0',
    fix: 'install v0.3.0, which has neither a VPC for load balancers nor machines without public address, '
      + 'or name in ociArtifact an artifact of the release whose metadata has the series',
  }],
};

/** Rules for the objects of Vultr's provider, cloud controller manager and CSI driver. */
export const VULTR_MANIFEST_RULES: readonly ManifestRule[] = [...CLUSTERS, ...MACHINES, ...TENANT_OBJECTS];

/** Cluster API's provider for Vultr. */
export const VULTR: Provider = {
  name: 'vultr',
  title: 'Vultr',
  kinds: [
    { kind: VULTR_CLUSTER, role: 'cluster' },
    { kind: VULTR_CLUSTER_TEMPLATE, role: 'clusterTemplate' },
    { kind: VULTR_MACHINE, holdsState: true },
    // Source: vultr/cluster-api-provider-vultr cloud/scope/machine.go.
    { kind: VULTR_MACHINE_TEMPLATE, role: 'machineTemplate', providerId: { scheme: 'vultr' } },
  ],
  namespaces: { 'capvultr-system': 'Cluster API\'s provider for Vultr runs there' },
  rules: VULTR_MANIFEST_RULES,
  components: [{
    title: 'Vultr provider',
    providers: [VULTR_RELEASE],
    effects: () => ({ effect: Effect.IN_PLACE, notes: ['its controllers restart; machines stay as they are'] }),
  }],
  templateWords: {
    [VULTR_MACHINE_TEMPLATE]: { 'template.spec.planID': 'plan', 'template.spec.region': 'region', 'template.spec.snapshot_id': 'snapshot', 'template.spec': 'machine' },
  },
  machineSizes: { [VULTR_MACHINE_TEMPLATE]: (template) => sizeOfPlan(stringAt(template, 'spec', 'template', 'spec', 'planID')) },
};

const GIBIBYTE = 1024 ** 3;

/** The size in the code of a plan. */
function sizeOfPlan(plan: string | undefined): MachineSize {
  const [, cpus, gibibytes] = PLAN_SIZE.exec(plan ?? '') ?? [];
  return { instanceType: plan, ...(cpus !== undefined && { cpu: Number(cpus), memory: Number(gibibytes) * GIBIBYTE }) };
}
