// Clusters on an infrastructure, bootstraps and control planes that the library does not write: each folder is a package as its author would
// publish it, written with the public API alone. docs/strategies.md builds the one for Hetzner step by step.

import { join } from 'node:path';
import { HETZNER, HetznerInfrastructure, HetznerMachine } from './hetzner';
import { RKE2, Rke2Bootstrap, Rke2ControlPlane } from './rke2';
import { TALOS, TalosBootstrap, TalosControlPlane } from './talos';
import { type Bootstrap, Cilium, type ControlPlane, FluxDelivery, GitOpsApp, KubeadmControlPlane, PoolSize, TenantCluster, validation } from 'cdk8s-cluster-api';
import { registerProvider } from 'cdk8s-cluster-api/manifests';

[HETZNER, RKE2, TALOS].forEach(registerProvider);

// Objects are checked against the providers' own definitions.
const app = new GitOpsApp({
  validation: validation.ManifestValidation.of({ crds: ['hetzner', 'rke2', 'talos'].map((name) => join(__dirname, name, 'crds')) }),
});

const infrastructure = new HetznerInfrastructure({
  regions: ['fsn1', 'nbg1', 'hel1'], sshKeys: ['ops'], placementGroups: ['control-plane'],
});

/** The same cluster, whichever distribution its machines run. */
function cluster(name: string, image: string, controlPlaneOn: (machine: HetznerMachine) => ControlPlane, bootstrap?: Bootstrap): void {
  const tenant = new TenantCluster(app, name, {
    namespace: `tenant-${name}`,
    kubernetesVersion: '1.35.4',
    infrastructure,
    controlPlane: controlPlaneOn(new HetznerMachine({ serverType: 'cx33', image, placementGroup: 'control-plane' })),
    bootstrap,
    // The load balancer of the API server has no address before it exists.
    cni: new Cilium({ kubeProxyReplacement: false }),
    delivery: new FluxDelivery(),
  });
  tenant.addNodePool('general', {
    machine: new HetznerMachine({ serverType: 'cpx32', image }), size: PoolSize.between(0, 10), failureDomain: 'nbg1', labels: { 'example.com/team': 'shop' },
  });
}

cluster('kubeadm', 'ubuntu-24.04-kube-v1.35.4', (machine) => new KubeadmControlPlane({ machine, replicas: 3 }));

const talos = { talosVersion: 'v1.12', patches: [{ machine: { sysctls: { 'vm.overcommit_memory': '1' } } }] };
cluster('talos', 'talos-v1.12', (machine) => new TalosControlPlane({ machine, ...talos }), new TalosBootstrap(talos));

const rke2 = { revision: 1, cisProfile: 'cis' };
cluster('rke2', 'ubuntu-24.04', (machine) => new Rke2ControlPlane({
  machine, ...rke2, disabledComponents: ['rke2-ingress-nginx'],
}), new Rke2Bootstrap(rke2));

app.synth();
