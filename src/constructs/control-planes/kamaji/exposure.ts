import { parseIp } from '../../../manifests/values/ip-address';
import { ApiServerAddress } from '../../contracts/api-server-address';

/** Type of the Service behind an Ingress or Gateway. */
export enum KamajiServiceType {
  /** Inside the management cluster only. */
  CLUSTER_IP = 'ClusterIP',

  /** Through a load balancer as well, which konnectivity agents outside of the management cluster need. */
  LOAD_BALANCER = 'LoadBalancer',
}

/** Options of the Service of the API server, for every exposure. */
export interface KamajiServiceOptions {
  /**
   * IP address that the tenant's side (nodes, konnectivity agents, the `kubernetes` Service) uses, where it differs from the one that the
   * management cluster uses. The published kubeconfig then holds the in-cluster name of the Service.
   *
   * An IP address of the family of the primary Service range, without which the API server does not start.
   *
   * Rules: `TC-TRAP-KAMAJI-ADVERTISE-ADDRESS`, `TC-KAMAJI-ADDRESS`.
   *
   * @default - the address of the Service
   */
  readonly advertiseAddress?: string;

  /**
   * Labels of the Service (`TC-KAMAJI-METADATA`).
   *
   * @default - Kamaji's own only
   */
  readonly serviceLabels?: { [key: string]: string };

  /**
   * Annotations of the Service, e.g. what a load balancer's controller reads (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly serviceAnnotations?: { [key: string]: string };
}

/** Options of a load balancer in front of the API server. */
export interface KamajiLoadBalancerOptions extends KamajiServiceOptions {
  /**
   * Port of the API server, on the load balancer and in the pod: 1 to 32767 (`TC-KAMAJI-API-PORT`).
   *
   * @default 6443
   */
  readonly port?: number;

  /**
   * IP address that the load balancer will have. Kamaji only believes it; what makes the load balancer take it is an annotation of its
   * own implementation (`metallb.io/loadBalancerIPs` for MetalLB) in `serviceAnnotations`. `TC-KAMAJI-ADDRESS` if it is not an IP
   * address, `TC-KAMAJI-ENDPOINT-TAKEN` if another cluster has the same with the same port.
   *
   * @default - the address that the Service gets. A load balancer that offers a host name only, as on AWS, does not work
   * (clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go)
   */
  readonly address?: string;

  /**
   * Class of the load balancer, where the management cluster has several; fixed once the control plane exists
   * (`TC-KAMAJI-LOAD-BALANCER-CLASS`, `TC-KAMAJI-CLASS-UNKNOWN`).
   *
   * @default - the management cluster's default implementation
   */
  readonly loadBalancerClass?: string;

  /**
   * CIDR blocks that may connect, at most 16. They cover konnectivity's port too, so the nodes must be among them.
   *
   * Rules: `TC-TRAP-KAMAJI-SOURCE-RANGES`, `TC-KAMAJI-NODE-SOURCES`.
   *
   * @default - all addresses
   */
  readonly sourceRanges?: string[];
}

/** Options of a NodePort Service in front of the API server. */
export interface KamajiNodePortOptions extends KamajiServiceOptions {
  /** IP address at which the management cluster's nodes are reached (`TC-KAMAJI-ADDRESS`). */
  readonly address: string;

  /**
   * Port of the API server, on every node and in the pod: 30000 to 32767. Two clusters cannot have the same.
   *
   * Rules: `TC-TRAP-KAMAJI-NODE-PORT`, `TC-KAMAJI-NODE-PORT-TAKEN`.
   */
  readonly port: number;

  /**
   * Port of the konnectivity server, on every node and in the pod: 30000 to 32767, another than the API server's and than those of other
   * clusters.
   *
   * Rules: `TC-TRAP-KAMAJI-NODE-PORT`, `TC-KAMAJI-NODE-PORT-TAKEN`.
   *
   * @default - none, for a control plane without konnectivity
   */
  readonly konnectivityPort?: number;
}

/** Options of a Service that is reached inside the management cluster. */
export interface KamajiClusterIpOptions extends KamajiServiceOptions {
  /**
   * Port of the API server: 1 to 32767 (`TC-KAMAJI-API-PORT`).
   *
   * @default 6443
   */
  readonly port?: number;

  /**
   * IP address at which the API server is reached, where something else leads to the Service (`TC-KAMAJI-ADDRESS`).
   *
   * @default - the address of the Service
   */
  readonly address?: string;
}

/** Options of an Ingress in front of the API server. */
export interface KamajiIngressOptions extends KamajiServiceOptions {
  /**
   * DNS name of the API server, without a port. It becomes a name in its certificate. Fixed for ever, and no other cluster's.
   *
   * Rules: `TC-KAMAJI-HOSTNAME`, `TC-KAMAJI-ENDPOINT-TAKEN`.
   */
  readonly hostname: string;

  /**
   * Port at which the Ingress controller takes TLS connections: 1 to 65535.
   *
   * @default 443
   */
  readonly port?: number;

  /**
   * Port of the API server in the management cluster, behind the Ingress: 1 to 32767 (`TC-KAMAJI-API-PORT`).
   *
   * @default 6443
   */
  readonly servicePort?: number;

  /**
   * Name of the IngressClass (`TC-KAMAJI-ROUTE`, `TC-KAMAJI-CLASS-UNKNOWN`).
   *
   * @default - the management cluster's default class
   */
  readonly className?: string;

  /**
   * Annotations of the Ingress. The controller must pass TLS through untouched, since clients show certificates to the API server:
   * `nginx.ingress.kubernetes.io/ssl-passthrough: "true"` for ingress-nginx, which is warned of where the class is `nginx`
   * (`TC-KAMAJI-PASSTHROUGH`, `TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the Ingress (`TC-KAMAJI-METADATA`).
   *
   * @default - Kamaji's own only
   */
  readonly labels?: { [key: string]: string };

  /**
   * Type of the Service behind the Ingress.
   *
   * @default KamajiServiceType.CLUSTER_IP
   */
  readonly serviceType?: KamajiServiceType;
}

/** Options of a Gateway in front of the API server. */
export interface KamajiGatewayOptions extends KamajiServiceOptions {
  /** Name of the Gateway (`TC-KAMAJI-ROUTE`). */
  readonly name: string;

  /** Namespace of the Gateway (`TC-KAMAJI-ROUTE`). */
  readonly namespace: string;

  /**
   * DNS name of the API server, without a port. It becomes a name in its certificate. Fixed for ever, and no other cluster's.
   *
   * Rules: `TC-KAMAJI-HOSTNAME`, `TC-KAMAJI-ENDPOINT-TAKEN`.
   */
  readonly hostname: string;

  /**
   * Name of the Gateway's listener for the API server (`TC-KAMAJI-ROUTE`).
   *
   * @default 'kube-apiserver', as in clastix/kamaji docs/content/guides/gateway-api.md
   */
  readonly sectionName?: string;

  /**
   * Port of that listener, and of the API server behind it: 1 to 32767. They are one number, because Kamaji tells joining machines the API
   * server's own port and Cluster API the listener's.
   *
   * Rule: `TC-KAMAJI-API-PORT`.
   *
   * @default 6443
   */
  readonly port?: number;

  /**
   * Annotations of the TLSRoutes (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the TLSRoutes (`TC-KAMAJI-METADATA`).
   *
   * @default - Kamaji's own only
   */
  readonly labels?: { [key: string]: string };

  /**
   * Type of the Service behind the Gateway.
   *
   * @default KamajiServiceType.CLUSTER_IP
   */
  readonly serviceType?: KamajiServiceType;
}

/** Default port of the API server. */
const API_PORT = 6443;

/** Default port of an Ingress. */
export const INGRESS_PORT = 443;

/** Stands in for a refused address, so that the address is not read as a host name. */
const PLACEHOLDER_ADDRESS = '0.0.0.0';

/**
 * Address and Service of the API server of a hosted control plane.
 *
 * One choice for each way, so that an Ingress and a Gateway can never come together (clastix/kamaji charts/kamaji/crds).
 *
 * @example
 * new KamajiControlPlane({ exposure: KamajiExposure.loadBalancer({ address: '192.0.2.10' }) });
 */
export class KamajiExposure {
  /**
   * A Service of type LoadBalancer. It opens konnectivity's port beside the API server's.
   *
   * @param options port, address, class, allowed sources
   */
  public static loadBalancer(options: KamajiLoadBalancerOptions = {}): KamajiExposure {
    return new KamajiExposure(options.port ?? API_PORT, { loadBalancer: options });
  }

  /**
   * A Service of type NodePort. The API server and konnectivity listen on the node ports' own numbers.
   *
   * @param options address of the nodes, ports
   */
  public static nodePort(options: KamajiNodePortOptions): KamajiExposure {
    return new KamajiExposure(options.port, { nodePort: options });
  }

  /**
   * A Service of type ClusterIP, for nodes that run in the management cluster as pods or are routed to its Services.
   *
   * @param options port and address
   */
  public static clusterIp(options: KamajiClusterIpOptions = {}): KamajiExposure {
    return new KamajiExposure(options.port ?? API_PORT, { clusterIp: options });
  }

  /**
   * An Ingress, told apart from others by its host name.
   *
   * The Ingress carries the API server only. Konnectivity's agents still dial the Service's address (`advertiseAddress` if given), so
   * nodes that cannot reach it need `serviceType: KamajiServiceType.LOAD_BALANCER`, or a control plane without konnectivity.
   *
   * @param options host name, class, annotations
   */
  public static ingress(options: KamajiIngressOptions): KamajiExposure {
    return new KamajiExposure(options.servicePort ?? API_PORT, { ingress: options });
  }

  /**
   * A TLSRoute on an existing Gateway, told apart from others by its host name.
   *
   * The listener takes TLS in mode Passthrough. With konnectivity the Gateway needs a second one for the same host name, called
   * `konnectivity-server`, on konnectivity's port (clastix/kamaji docs/content/guides/gateway-api.md).
   *
   * @param options Gateway, listener, host name
   */
  public static gateway(options: KamajiGatewayOptions): KamajiExposure {
    return new KamajiExposure(options.port ?? API_PORT, { gateway: options });
  }

  /** Port of the API server in the pod and on its Service. */
  public readonly apiServerPort: number;

  /** @internal */
  public readonly _choice: ExposureChoice;

  private constructor(apiServerPort: number, choice: ExposureChoice) {
    this.apiServerPort = apiServerPort;
    this._choice = choice;
  }

  /**
   * Published address of the API server; undefined if only the load balancer will have it.
   *
   * @internal
   */
  public _published(): ApiServerAddress | undefined {
    const { loadBalancer, nodePort, clusterIp, ingress, gateway } = this._choice;
    if (ingress) return { host: ingress.hostname, port: ingress.port ?? INGRESS_PORT };
    if (gateway) return { host: gateway.hostname, port: this.apiServerPort };
    const address = (nodePort ?? loadBalancer ?? clusterIp)?.address;
    return address === undefined ? undefined : { host: parseIp(address) ? address : PLACEHOLDER_ADDRESS, port: this.apiServerPort };
  }
}

/**
 * The options of the way that was chosen; exactly one is there.
 *
 * @internal
 */
export interface ExposureChoice {
  readonly loadBalancer?: KamajiLoadBalancerOptions;
  readonly nodePort?: KamajiNodePortOptions;
  readonly clusterIp?: KamajiClusterIpOptions;
  readonly ingress?: KamajiIngressOptions;
  readonly gateway?: KamajiGatewayOptions;
}
