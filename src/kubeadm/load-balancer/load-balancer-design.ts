import { HostPort } from '../../network/dns';
import { Problem } from '../../validation/problem';
import { HostSetup } from '../hosts/host-bundle';
import { OwnedHostFile } from '../hosts/host-file';

/** A host with its address. */
export interface AddressedHost {
  readonly name: string;
  readonly address: string;
}

/** What a load balancer stands before. */
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

/** A connection that firewalls have to let pass. */
export interface Opening {
  /** Hosts that it goes to. */
  readonly to: string;

  /** Protocol and ports. */
  readonly what: string;

  /** Where it comes from. */
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

/** How the API servers get one address. */
export interface LoadBalancerDesign {
  /** The virtual address. */
  readonly vip?: string;

  /** Options that must be strings, by name. */
  readonly texts: Readonly<Record<string, unknown>>;

  /** What no other load balancer of the app may have: the router id in its subnet. */
  readonly claim?: string;

  /** Hosts of its own. */
  readonly hosts?: readonly LoadBalancerHost[];

  /** Static pods of the control plane that read `admin.conf` only when they start. */
  readonly adminPods?: readonly string[];

  /** Commands that run on the first node before `kubeadm init`; what has to be undone afterwards, they undo when the script ends. */
  readonly beforeInit?: readonly string[];

  /** Connections that lead to the API servers, and those of its own. */
  openings(servers: ApiServers): Opening[];

  /** What is wrong with its options. */
  check(servers: ApiServers): Problem[];

  /** What it puts on one of its own hosts; there where it has hosts. */
  hostSetup?(servers: ApiServers, name: string): HostSetup;

  /** What it puts on a node of the control plane. */
  nodeSetup?(servers: ApiServers, name: string): HostSetup;
}
