import { Rule } from '../../../manifests/values/problem';

/** Rules of pod networks. */
export const CNI_RULES = {
  apiServerAddress: {
    id: 'TC-CNI-API-SERVER-ADDRESS',
    title: 'A pod network that replaces kube-proxy needs the address of the API server.',
    source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
  },
  mtu: {
    id: 'TC-CNI-MTU',
    title: 'An MTU must be a whole number of bytes from 576 (IPv4) or 1280 (IPv6) to 65535.',
    source: 'RFC 791, RFC 8200 section 5',
  },
  port: {
    id: 'TC-CNI-PORT',
    title: 'The tunnel port must be a UDP port from 1 to 65535.',
  },
  contradiction: {
    id: 'TC-CNI-VALUES',
    title: 'Values of a pod network must not contradict its properties, which the control plane and the other addons follow.',
  },
  gatewayApi: {
    id: 'TC-CNI-GATEWAY-API',
    title: 'Cilium must replace kube-proxy to implement the Gateway API.',
    source: 'cilium/cilium Documentation/network/servicemesh/gateway-api/installation.rst, operator/pkg/gateway-api/cell.go; '
      + 'cilium/charts cilium 1.20.0 values.yaml (NodePort has no switch of its own)',
  },
  replicas: {
    id: 'TC-CNI-REPLICAS',
    title: 'The number of replicas of a pod network\'s operator must be a whole number of at least 1.',
  },
} satisfies Record<string, Rule>;
