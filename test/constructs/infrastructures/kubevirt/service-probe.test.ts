import { Testing } from 'cdk8s';
import { SMALL } from './bind';
import { Calico, CalicoDataplane } from '../../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import {
  KubevirtCloudControllerManager, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { Manifest } from '../../../support/clusters';
import { addCluster } from '../../../support/many-clusters';
import { problemsOf } from '../../../support/problems';

const PUBLISHING = new KubevirtInfrastructure();
const SILENT = new KubevirtInfrastructure({
  cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }),
});

function clusterWith(cluster: Partial<TenantClusterProps>, machine: Partial<KubevirtMachineProps>) {
  const app = Testing.app();
  const tenant = addCluster(app, 'acme', { infrastructure: PUBLISHING, cni: new Cilium(), ...cluster }, []);
  tenant.addNodePool('general', { machine: new KubevirtMachine({ ...SMALL, ...machine }), size: PoolSize.fixed(2) });
  return { app, tenant };
}

function probeOf(cluster: Partial<TenantClusterProps>, machine: Partial<KubevirtMachineProps>): Manifest {
  const template = (clusterWith(cluster, machine).tenant.toJson() as Manifest[]).find(({ kind }) => kind === 'KubevirtMachineTemplate');
  return template.spec.template.spec.virtualMachineTemplate.spec.template.spec.readinessProbe;
}

test.each<[what: string, cluster: Partial<TenantClusterProps>, machine: Partial<KubevirtMachineProps>]>([
  ['Cilium', {}, {}],
  ['kube-proxy', { cni: new Calico() }, {}],
  ['kube-proxy beside Cilium', { cni: new Cilium({ kubeProxyReplacement: false }) }, {}],
  ['a machine of passt', {}, { network: PrimaryNetwork.passt() }],
  ['a plug-in, on request', {}, { network: PrimaryNetwork.bindingPlugin('own'), serviceProbe: true }],
  ['a machine without load balancers, on request', { infrastructure: SILENT }, { serviceProbe: true }],
])('a worker is ready while its Service proxy answers: %s', (_, cluster, machine) => {
  expect(probeOf(cluster, machine)).toEqual({
    httpGet: { path: '/healthz', port: 10256 }, periodSeconds: 10, timeoutSeconds: 5, successThreshold: 1, failureThreshold: 6,
  });
});

test.each<[what: string, cluster: Partial<TenantClusterProps>, machine: Partial<KubevirtMachineProps>]>([
  ['no Services are published', { infrastructure: SILENT }, {}],
  ['nothing is known to answer', { cni: new Calico({ dataplane: CalicoDataplane.BPF }) }, {}],
  ['the user installs the pod network', { cni: Cni.none() }, {}],
  ['the host does not reach the machine', {}, { network: PrimaryNetwork.multus({ networkName: 'lan' }) }],
  ['a plug-in may lead packets elsewhere', {}, { network: PrimaryNetwork.bindingPlugin('own') }],
  ['it is switched off', {}, { serviceProbe: false }],
])('a worker is not probed where %s', (_, cluster, machine) => {
  expect(probeOf(cluster, machine)).toBeUndefined();
});

test.each<[what: string, cluster: Partial<TenantClusterProps>, machine: Partial<KubevirtMachineProps>, rule: string]>([
  ['where nothing is known to answer', { cni: Cni.none() }, { serviceProbe: true }, 'TC-KUBEVIRT-SERVICE-PROBE'],
  ['without the pod network', {}, { serviceProbe: true, network: PrimaryNetwork.multus({ networkName: 'lan' }) }, 'TC-TRAP-KUBEVIRT-PROBE'],
])('%s: %s is refused', (_, cluster, machine, rule) => {
  expect(problemsOf(clusterWith(cluster, machine).app).map(({ id }) => id)).toContain(rule);
});
