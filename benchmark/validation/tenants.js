/**
 * Manifests to measure with: tenant clusters of this library, written as a GitOps repository has them, a file for each.
 */
const fs = require('node:fs');
const path = require('node:path');

const NAME = 'acme';

/**
 * @param {string} root folder of the compiled library
 * @param {string} folder where to write to
 * @param {number} wanted how many objects
 * @returns {{ objects: number, bytes: number }} what was written
 */
function writeTenants(root, folder, wanted) {
  const { Size, Testing, Yaml } = require(require.resolve('cdk8s', { paths: [root] }));
  const library = require(root);
  const objects = tenant(library, Testing, Size);
  const text = Yaml.stringify(...objects);
  let [count, bytes] = [0, 0];
  for (let index = 0; count < wanted; index++, count += objects.length) {
    const name = `${NAME}-${index}`;
    // Each tenant has a namespace of its own, and names that no other one has.
    const own = text.replaceAll(NAME, name);
    fs.writeFileSync(path.join(folder, `${name}.k8s.yaml`), own);
    bytes += Buffer.byteLength(own);
  }
  return { objects: count, bytes };
}

/** One tenant as a platform team has it: two pools, storage, isolation, a few addons. */
function tenant(library, Testing, Size) {
  const app = Testing.app();
  const cluster = new library.TenantCluster(app, NAME, {
    namespace: `tenant-${NAME}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new library.KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new library.KubevirtInfrastructure({
      storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      csiDriver: library.KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2' }),
    }),
    cni: new library.Cilium(),
    delivery: new library.FluxDelivery(),
    isolation: new library.TenantIsolation({ quota: { 'requests.storage': '2Ti' } }),
    managementCluster: new library.ImportedManagementCluster({
      podCidrs: ['10.244.0.0/16'],
      serviceCidrs: ['10.96.0.0/16'],
      nodeCidrs: ['192.168.100.0/24'],
      networkPlugin: library.ManagementNetworkPlugin.CALICO,
      dataStorePeers: { default: [library.IsolationPeer.pods({ namespace: 'kamaji-system', ports: [library.IsolationPort.tcp(2379)] })] },
    }),
  });
  const machine = new library.KubevirtMachine({
    cpu: 4, memory: Size.gibibytes(16), rootDisk: library.RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  });
  cluster.addNodePool('general', { machine, size: library.PoolSize.between(1, 10) });
  cluster.addNodePool('ingress', { machine, size: library.PoolSize.fixed(2) });
  [new library.CertManager(), new library.MetricsServer()].forEach((addon) => cluster.addAddon(addon));
  return cluster.toJson();
}

module.exports = { writeTenants };
