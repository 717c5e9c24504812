/**
 * Tenants to synthesize: plain objects, which any app writes the same, and tenant clusters of this library.
 */
const path = require('node:path');

const NAME = 'acme';

/** How many objects a tenant of plain objects has. */
const OBJECTS = 30;

/** The compiled library and cdk8s, loaded when they are first used. */
function libraries(root) {
  return {
    get cdk8s() { return require(require.resolve('cdk8s', { paths: [root] })); },
    get library() { return require(root); },
  };
}

/**
 * Adds one tenant cluster as a platform team has it: two pools, storage, isolation, two addons.
 *
 * @param {string} root folder of the compiled library
 * @param {object} scope the app
 * @param {{ name: string, managementCluster?: object, workers?: number }} tenant what tells it from others
 */
function addTenantCluster(root, scope, { name, managementCluster, workers = 2 }) {
  const { cdk8s: { Size }, library } = libraries(root);
  const cluster = new library.TenantCluster(scope, name, {
    namespace: `tenant-${name}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new library.KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new library.KubevirtInfrastructure({
      storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
      csiDriver: library.KubevirtCsiDriver.of({ image: 'registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2' }),
    }),
    cni: new library.Cilium(),
    delivery: new library.FluxDelivery(),
    isolation: new library.TenantIsolation(),
    managementCluster: managementCluster ?? importedCluster(library),
  });
  const machine = () => new library.KubevirtMachine({
    cpu: 4, memory: Size.gibibytes(16), rootDisk: library.RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
  });
  cluster.addNodePool('general', { machine: machine(), size: library.PoolSize.between(1, 10) });
  cluster.addNodePool('ingress', { machine: machine(), size: library.PoolSize.fixed(workers) });
  [new library.CertManager(), new library.MetricsServer()].forEach((addon) => cluster.addAddon(addon));
  return cluster;
}

/** The management cluster, as the isolation of its tenants needs it. */
function importedCluster(library) {
  return new library.ImportedManagementCluster({
    podCidrs: ['10.244.0.0/16'],
    serviceCidrs: ['10.96.0.0/16'],
    nodeCidrs: ['192.168.100.0/24'],
    networkPlugin: library.ManagementNetworkPlugin.CALICO,
    dataStorePeers: { default: [library.IsolationPeer.pods({ namespace: 'kamaji-system', ports: [library.IsolationPort.tcp(2379)] })] },
  });
}

/** Adds tenant clusters that share a management cluster; the first one has another number of workers if it is to be changed. */
function addTenantClusters(root, app, tenants, changed = false) {
  const managementCluster = importedCluster(libraries(root).library);
  for (let number = 0; number < tenants; number++) {
    addTenantCluster(root, app, { name: `${NAME}-${number}`, managementCluster, workers: changed && number === 0 ? 3 : 2 });
  }
}

/** The objects of one tenant, as they are written. */
function tenantObjects(root) {
  const { cdk8s: { Testing } } = libraries(root);
  return addTenantCluster(root, Testing.app(), { name: NAME }).toJson().slice(0, OBJECTS);
}

/**
 * The objects of a tenant under another name: texts without the name are shared, as those of a program's literals are.
 *
 * @param {object[]} objects the objects of one tenant
 * @param {number} number number of the other one
 */
function renamed(objects, number) {
  const name = `${NAME}-${number}`;
  const copy = (value) => {
    if (typeof value === 'string') return value.includes(NAME) ? value.replaceAll(NAME, name) : value;
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const fields = {};
    for (const key of Object.keys(value)) fields[copy(key)] = copy(value[key]);
    return fields;
  };
  return objects.map(copy);
}

/** Adds a chart of plain objects for each tenant. */
function addObjects(root, app, objects, tenants) {
  const { cdk8s: { ApiObject, Chart } } = libraries(root);
  for (let number = 0; number < tenants; number++) {
    const chart = new Chart(app, `${NAME}-${number}`, { disableResourceNameHashes: true });
    renamed(objects, number).forEach((object, index) => new ApiObject(chart, `${index}`, object));
  }
}

module.exports = { addObjects, addTenantCluster, addTenantClusters, libraries, renamed, tenantObjects };
