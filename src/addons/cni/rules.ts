import { Rule } from '../../validation/problem';

/** What pod networks demand. */
export const CNI_RULES = {
  apiServerAddress: {
    id: 'TC-CNI-API-SERVER-ADDRESS',
    title: 'A pod network that takes the place of kube-proxy is told where the API server is.',
    source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
  },
  mtu: {
    id: 'TC-CNI-MTU',
    title: 'An MTU is a whole number of bytes from 576 (IPv4) or 1280 (IPv6) to 65535.',
    source: 'RFC 791, RFC 8200 section 5',
  },
  port: {
    id: 'TC-CNI-PORT',
    title: 'The port that nodes exchange packets of pods at is a UDP port from 1 to 65535.',
  },
  contradiction: {
    id: 'TC-CNI-VALUES',
    title: 'Values of a pod network do not contradict its properties, which the control plane and the other addons follow.',
  },
  gatewayApi: {
    id: 'TC-CNI-GATEWAY-API',
    title: 'Cilium implements the Gateway API only in place of kube-proxy.',
    source: 'cilium/cilium Documentation/network/servicemesh/gateway-api/installation.rst, operator/pkg/gateway-api/cell.go; '
      + 'cilium/charts cilium 1.20.0 values.yaml (NodePort has no switch of its own)',
  },
  replicas: {
    id: 'TC-CNI-REPLICAS',
    title: 'The operator of a pod network has a whole number of replicas, at least 1.',
  },
} satisfies Record<string, Rule>;
