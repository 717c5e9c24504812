import { App, Size } from 'cdk8s';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Addon } from '../../../src/constructs/contracts/addon';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ImageSources, ImageSourcesProps } from '../../../src/constructs/images/image-sources';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';

export const DISK_IMAGE = 'quay.io/team/node:v1.35.4';
export const DIGEST = `sha256:${'a'.repeat(64)}`;
export const REGISTRY = 'registry.internal:5000/mirror';

/** Cluster `acme` with everything that brings images: controllers, machines, a pod network. */
export function clusterIn(app: App, images?: ImageSourcesProps | ImageSources, props: Partial<TenantClusterProps> = {}, addons: Addon[] = [], id = 'acme'): TenantCluster {
  const cluster = new TenantCluster(app, id, {
    namespace: `tenant-${id}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(),
    infrastructure: new KubevirtInfrastructure(),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    images: images && (images instanceof ImageSources ? images : new ImageSources(images)),
    ...props,
  });
  addons.forEach((addon) => cluster.addAddon(addon));
  cluster.addNodePool('general', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: DISK_IMAGE }) }),
    size: PoolSize.between(1, 3),
  });
  return cluster;
}
