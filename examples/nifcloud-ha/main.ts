// A highly available cluster at Nifcloud, as a guide of 2019 built it by hand: kubeadm, HAProxy and keepalived on two machines, three nodes of
// the control plane in three zones, workers, the cloud controller manager and the CSI driver; with the versions of today.
//
// `dist/nifcloud-ha/hosts.md` says what to do with the files.

import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Calico, GitOpsApp, hosts, nifcloud } from 'cdk8s-cluster-api';

const app = new GitOpsApp();

const ZONES = ['east-11', 'east-12', 'east-13'];

/** A machine by its instance id, at its address in the private network that a private bridge spans over the zones. */
function machine(name: string, zone: string, host: number): hosts.KubeadmNode {
  return { name, zone, address: `192.168.10.${host}` };
}

const cluster = new hosts.KubeadmCluster(app, 'nifcloud-ha', {
  kubernetesVersion: '1.34.1',
  controlPlaneEndpoint: 'kubernetes.example.com:6443',
  loadBalancer: hosts.KubeadmLoadBalancer.haproxyHosts({
    vip: '192.168.10.10',
    subnet: '192.168.10.0/24',
    networkInterface: 'ens192',
    virtualRouterId: 51,
    hosts: [machine('lb01', 'east-11', 11), machine('lb02', 'east-12', 12)],
  }),
  controlPlaneNodes: ZONES.map((zone, index) => machine(`master0${index + 1}`, zone, 21 + index)),
  // Two in each zone: a disk stays in its zone, and its pod needs another node there while one is drained.
  workers: [...ZONES, ...ZONES].map((zone, index) => machine(`worker0${index + 1}`, zone, 31 + index)),
  platform: new nifcloud.NifcloudPlatform({
    region: 'jp-east-1',
    zones: ZONES,
    credentials: { secretName: 'nifcloud-api' },
    storageClasses: [{ name: 'nifcloud-standard', type: nifcloud.NifcloudDiskType.STANDARD, isDefault: true }],
  }),
  machineCidrs: ['192.168.10.0/24'],
  // Nodes talk to each other at their addresses in the private network, which the cloud controller manager reports as InternalIP.
  cni: new Calico(),
});

// A website behind a load balancer of Nifcloud.
const web = new kplus.Deployment(cluster.workloads, 'web', {
  metadata: { namespace: 'default' },
  replicas: 3,
  containers: [{
    image: 'registry.example.com/team-a/web:1.0.0',
    portNumber: 8080,
    securityContext: { user: 1000, group: 1000 },
  }],
});
const service = web.exposeViaService({ serviceType: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80, targetPort: 8080 }] });
// The price follows the usage.
nifcloud.NifcloudLoadBalancer.publish(service, { 'accounting-type': '2' });

// A program that keeps its data on a disk, which outlives its pods.
const claim = new kplus.PersistentVolumeClaim(cluster.workloads, 'data', {
  metadata: { name: 'data', namespace: 'default' },
  accessModes: [kplus.PersistentVolumeAccessMode.READ_WRITE_ONCE],
  storage: Size.gibibytes(100),
  storageClassName: 'nifcloud-standard',
});
new kplus.Deployment(cluster.workloads, 'store', {
  metadata: { namespace: 'default' },
  replicas: 1,
  // The disk is for one node, so that the old pod ends before the new one starts.
  strategy: kplus.DeploymentStrategy.recreate(),
  securityContext: { fsGroup: 1000 },
  containers: [{
    image: 'registry.example.com/team-a/store:1.0.0',
    securityContext: { user: 1000, group: 1000 },
    volumeMounts: [{ path: '/data', volume: kplus.Volume.fromPersistentVolumeClaim(cluster.workloads, 'data-volume', claim) }],
  }],
});

app.synth();
