// Clusters without Cluster API, on hosts that run already.

export { KubeadmHost, KubeadmHostRole } from './files/host-bundle';
export { HostFile } from './files/host-file';
export { KubeadmCluster } from './kubeadm-cluster';
export { KubeadmClusterProps } from './kubeadm-cluster-props';
export { KubeadmNode } from './kubeadm-node';
export { KubeadmNodes, KubeadmPlatform, KubeadmPlatformConfig, RequiredSecret } from './kubeadm-platform';
export { HaproxyHostsOptions, KubeadmLoadBalancerHost } from './load-balancer/haproxy-hosts';
export { HaproxyPodsOptions } from './load-balancer/haproxy-pods';
export { KubeVipOptions } from './load-balancer/kube-vip';
export { KubeadmLoadBalancer } from './load-balancer/kubeadm-load-balancer';
export { KubeadmVirtualAddress } from './load-balancer/virtual-address';
