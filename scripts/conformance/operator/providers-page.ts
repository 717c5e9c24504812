import * as fs from 'node:fs';
import * as path from 'node:path';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { CertManagerInstallation } from '../../../src/constructs/management/cert-manager-installation';
import { ClusterApiInstallation } from '../../../src/constructs/management/cluster-api-installation';
import { VersionedProviderOptions } from '../../../src/constructs/management/cluster-api-provider';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementCluster } from '../../../src/constructs/management/management-cluster';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TaintEffect, TolerationOperator } from '../../../src/manifests/values/taints';

/** Every option that reaches a Deployment. */
const OPTIONS: VersionedProviderOptions = {
  replicas: 3,
  resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  tolerations: [{ key: 'dedicated', operator: TolerationOperator.EQUAL, value: 'management', effect: TaintEffect.NO_SCHEDULE }],
  nodeSelector: { 'node-role.example.com/management': 'true' },
  imagePullSecrets: ['registry'],
};

/** Folder of the manifests that the operator gets. */
const PROVIDERS = 'clusters/flux-system/hall/delivered/cluster-api-providers/manifests.yaml';

/**
 * Writes a page whose providers have all options.
 *
 * @param outdir where to write
 * @returns the file with the providers
 */
export function writeProvidersPage(outdir: string): string {
  const app = new GitOpsApp({ outdir, quiet: true });
  new ManagementCluster(app, 'hall', {
    namespace: 'flux-system',
    delivery: new FluxDelivery({ manifestSource: { name: 'fleet', path: 'clusters' } }),
    // Names the images of all providers.
    images: new ImageSources({ imageRegistry: 'registry.example.com/mirror' }),
    certManager: CertManagerInstallation.existing(),
    kamaji: KamajiInstallation.existing(),
    kubevirt: KubevirtInstallation.existing(),
    cdi: CdiInstallation.existing(),
    clusterApi: ClusterApiInstallation.operator({
      featureGates: { clusterTopology: true, machinePool: false, runtimeSdk: true },
      core: { ...OPTIONS, extraArgs: { 'sync-period': '5m' } },
      kubeadmBootstrap: OPTIONS,
      kubeadmControlPlane: OPTIONS,
      kamajiControlPlane: { ...OPTIONS, featureGates: { skipInfraClusterPatch: true } },
      kubevirtInfrastructure: { ...OPTIONS, featureGates: { machinePool: false } },
      helmAddon: OPTIONS,
    }),
  });
  app.synth();
  const file = path.join(outdir, PROVIDERS);
  if (!fs.existsSync(file)) throw new Error(`the page writes no ${PROVIDERS}`);
  return file;
}
