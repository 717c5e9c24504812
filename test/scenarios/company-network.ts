import { Size } from 'cdk8s';
import { Scenario } from './scenario';
import { Calico } from '../../src/constructs/addons/cni/calico';
import { HelmAddon } from '../../src/constructs/addons/helm-addon';
import { CompanyNetwork } from '../../src/constructs/contracts/company-network/company-network';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { CERTIFICATES } from '../constructs/control-planes/kubeadm/bootstrap/bound';

const IMAGE = 'registry.example.com/nodes/ubuntu-24.04:v1.35.4';

/** Whatever the network of a company changes. */
export const companyNetworkScenarios: { readonly [name: string]: Scenario } = {
  'company-network': (app) => {
    const acme = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane(),
      infrastructure: new KubevirtInfrastructure({
        storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
        csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2' }),
      }),
      cni: new Calico(),
      delivery: new FluxDelivery(),
      companyNetwork: new CompanyNetwork({
        registries: [{ registry: 'registry.example.com', pullSecret: 'registry', importSecret: 'registry-import' }],
        chartRepositories: [{ repository: 'oci://registry.example.com/charts', secretName: 'registry', certSecretName: 'company-ca' }],
        httpProxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
        trustedCas: [{ name: 'company-root', certificate: CERTIFICATES[0] }],
        registryMirrors: [{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }],
        ntp: { servers: ['ntp.example.com'] },
      }),
    });
    const imported = RootDisk.registry({ url: `docker://${IMAGE}`, size: Size.gibibytes(40) });
    const disks = { general: RootDisk.containerDisk({ image: IMAGE }), imported };
    Object.entries(disks).forEach(([pool, rootDisk]) => (
      acme.addNodePool(pool, { machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk }), size: PoolSize.between(1, 3) })
    ));
    const repository = 'oci://registry.example.com/charts';
    acme.addAddon(new HelmAddon('shop', { chart: 'shop', repository, chartVersion: '1.2.3', namespace: 'shop' }));
  },
};
