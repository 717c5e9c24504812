// Clusters without Cluster API, on hosts that run already.

export { HostFile } from './host-file';
export { KubeadmCluster } from './kubeadm-cluster';
export { KubeadmClusterProps } from './kubeadm-cluster-props';
export { KubeadmHost, KubeadmHostRole } from './kubeadm-host';
export { KubeadmNode } from './kubeadm-node';
export { KubeadmNodes, KubeadmPlatform, KubeadmPlatformConfig, RequiredSecret } from './kubeadm-platform';
export { HaproxyHostsOptions, KubeadmLoadBalancerHost } from './load-balancer/haproxy';
export { KubeVipOptions } from './load-balancer/kube-vip';
export { KubeadmLoadBalancer } from './load-balancer/kubeadm-load-balancer';
export { KubeadmVirtualAddress } from './load-balancer/virtual-address';
