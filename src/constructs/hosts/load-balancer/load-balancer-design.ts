import { HostPort } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { OwnedHostFile } from '../host-file';
import { HostSetup } from '../kubeadm-host';

/** A host with its address. */
export interface AddressedHost {
  readonly name: string;
  readonly address: string;
}

/** The API servers behind a load balancer. */
export interface ApiServers {
  /** The endpoint of the control plane. */
  readonly endpoint: HostPort;

  /** Port that the API servers listen on. */
  readonly port: number;

  /** The nodes of the control plane, the first one first. */
  readonly nodes: readonly AddressedHost[];
}

/** A host that is a load balancer and nothing else. */
export interface LoadBalancerHost extends AddressedHost {
  readonly zone?: string;
  readonly files: readonly OwnedHostFile[];
}

/** A connection that firewalls must allow. */
export interface Opening {
  /** Destination hosts. */
  readonly to: string;

  /** Protocol and ports. */
  readonly what: string;

  /** Source hosts. */
  readonly from: string;
}

/** The connections to an endpoint. */
export function endpointOpening(to: string, { endpoint: { port } }: ApiServers): Opening {
  return { to, what: `TCP ${port} (the endpoint)`, from: 'all nodes, clients of the API' };
}

/** The connections to the API servers behind a load balancer. Pods of all nodes reach them without it, by the Service `kubernetes`. */
export function apiServerOpening({ port }: ApiServers, balancer = 'load balancer'): Opening {
  return { to: 'control plane', what: `TCP ${port} (API servers)`, from: `${balancer}, all nodes` };
}

/** Rule for the endpoint of a cluster. */
export const ENDPOINT_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-ENDPOINT',
  title: 'The endpoint of the control plane must be a host and a port, at which the load balancer answers.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
};

/** Rule for the ports of load balancers and API servers. */
export const PORT_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LB-PORT',
  title: 'A load balancer and an API server on the same host must listen on different ports; kube-vip must use the port of the API server.',
  source: 'kubernetes/kubeadm docs/ha-considerations.md',
};

/** A way to give the API servers one address. */
export interface LoadBalancerDesign {
  /** The virtual address. */
  readonly vip?: string;

  /** A key that must be unique in the app: the router id in its subnet. */
  readonly claim?: string;

  /** Hosts of its own. */
  readonly hosts?: readonly LoadBalancerHost[];

  /** Static pods of the control plane that read `admin.conf` only at their start. */
  readonly adminPods?: readonly string[];

  /** Commands that run on the first node before `kubeadm init`, with a cleanup when the script ends. */
  readonly beforeInit?: readonly string[];

  /** Connections that lead to the API servers, and those of its own. */
  openings(servers: ApiServers): Opening[];

  /** Checks its options. */
  check(servers: ApiServers): Problem[];

  /** The setup of one of its own hosts; set if `hosts` is. */
  hostSetup?(servers: ApiServers, name: string): HostSetup;

  /** The setup of a control plane node. */
  nodeSetup?(servers: ApiServers, name: string): HostSetup;
}
