import { checkHost, checkPort, formatHostPort } from '../../../../manifests/values/dns';
import { checkIp } from '../../../../manifests/values/ip-address';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { ApiServerAddress } from '../../../contracts/api-server-address';
import { NodeSetup } from '../../../contracts/node-setup';
import { setupScript } from '../bootstrap/bootstrap-file';
import { KubeVipMode, KubeVipPeer } from '../kube-vip/kube-vip-mode';
import { isFixedImage, isInterfaceName, KUBE_VIP, KUBE_VIP_READS, kubeVipFile } from '../kube-vip/kube-vip-pod';

/** Port of the API server, to kubeadm and to infrastructures. */
export const API_SERVER_PORT = 6443;

const LARGEST_AS = 2 ** 32 - 1;

/** An endpoint that kube-vip makes on the machines of the control plane. */
export interface KubeVipEndpointOptions {
  /** The virtual IP address: a free one, in the layer 2 network of the machines unless it is announced by BGP (`TC-KUBEADM-CP-KUBE-VIP`). */
  readonly address: string;

  /** Image of kube-vip, with a digest or a tag other than `latest` (`TC-KUBEADM-CP-KUBE-VIP`). */
  readonly image: string;

  /**
   * Port of the endpoint: that of the API server, since kube-vip moves an address and listens on no port (`TC-KUBEADM-CP-KUBE-VIP`).
   *
   * @default 6443
   */
  readonly port?: number;

  /**
   * Network interface of the machines that gets the address, e.g. `ens192`; with BGP the one whose address is the router id. It is needed with
   * BGP, and where the infrastructure states the address of its nodes, which may be in another network than the default route.
   *
   * Rule: `TC-KUBEADM-CP-KUBE-VIP`.
   *
   * @default - the interface of the default route (kube-vip)
   */
  readonly networkInterface?: string;

  /**
   * Way in which the address is made known.
   *
   * @default KubeVipMode.arp()
   */
  readonly mode?: KubeVipMode;
}

/** An endpoint that exists. */
export interface ExternalEndpointOptions {
  /** IP address or DNS name of a TCP load balancer in front of the machines (`TC-KUBEADM-CP-ENDPOINT`). */
  readonly host: string;

  /**
   * Port at which it forwards to port 6443 of the machines (`TC-KUBEADM-CP-ENDPOINT`).
   *
   * @default 6443
   */
  readonly port?: number;
}

/**
 * Maker of the address at which the API server of a control plane on machines is reached.
 *
 * Except with `infrastructure()` the address is known at synthesis, and the infrastructure writes it into its object. An infrastructure whose
 * provider makes the endpoint itself refuses it.
 *
 * Rule: `TC-CLUSTER-ENDPOINT`.
 *
 * @example
 * const endpoint = ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'registry.example.com/kube-vip:v1.2.3' });
 */
export class ControlPlaneEndpoint {
  /** The infrastructure makes the endpoint, such as a load balancer, or states it. */
  public static infrastructure(): ControlPlaneEndpoint {
    return new ControlPlaneEndpoint();
  }

  /**
   * kube-vip, a static pod on the machines of the control plane: one of them carries the address, and its API server answers all requests. On the
   * first machine it uses super-admin.conf until kubeadm has given admin.conf its rights.
   *
   * Rules: `TC-KUBEADM-CP-KUBE-VIP`, `TC-KUBEADM-CP-ENDPOINT-TAKEN`. Source: kube-vip/kube-vip pkg/kubevip/config_generator.go.
   *
   * @param options the address and the image
   */
  public static kubeVip(options: KubeVipEndpointOptions): ControlPlaneEndpoint {
    return new ControlPlaneEndpoint({ host: options.address, port: options.port ?? API_SERVER_PORT }, options);
  }

  /**
   * A load balancer that exists forwards TCP connections to port 6443 of the machines. It must be there before the first machine, and must
   * learn of new machines by itself.
   *
   * Rules: `TC-KUBEADM-CP-ENDPOINT`, `TC-KUBEADM-CP-ENDPOINT-TAKEN`.
   *
   * @param options host and port
   */
  public static external(options: ExternalEndpointOptions): ControlPlaneEndpoint {
    return new ControlPlaneEndpoint({ host: options.host, port: options.port ?? API_SERVER_PORT });
  }

  private constructor(
    /**
     * Host and port of the endpoint.
     *
     * @default - the infrastructure decides them
     */
    public readonly address?: ApiServerAddress,
    /** @internal */
    public readonly _kubeVip?: KubeVipEndpointOptions,
  ) {}
}

/** Setup that the endpoint needs on each machine of the control plane. */
export function endpointSetup({ _kubeVip: options }: ControlPlaneEndpoint): NodeSetup {
  if (!options) return {};
  const { address, image, port = API_SERVER_PORT, networkInterface, mode } = options;
  const bgp = mode?.bgpOptions;
  const pod = kubeVipFile({
    address,
    image,
    port,
    networkInterface: bgp ? 'lo' : networkInterface,
    bgp: bgp && { as: bgp.as, peers: bgp.peers.map(peerText), routerInterface: networkInterface ?? '' },
  });
  const { files, commands: [command] } = setupScript(KUBE_VIP, SWITCH);
  const script = files[0].path;
  return {
    files: [{ ...pod, owner: 'root:root' }, ...files],
    preKubeadmCommands: [command.replace(script, `${script} super-admin.conf`)],
    postKubeadmCommands: [`${script} admin.conf`],
  };
}

/**
 * Only the machine that runs `kubeadm init` has a super-admin.conf. Cluster API writes the configuration of kubeadm to the first of the paths with
 * cloud-init, to the second with Ignition, and moves the latter when kubeadm has ended (bootstrap/kubeadm/pkg/cloudinit/controlplane_init.go,
 * bootstrap/kubeadm/pkg/ignition/clc/clc.go).
 */
const SWITCH = `#!/bin/sh
# Has kube-vip read another kubeconfig, on the first machine: until kubeadm init ends, admin.conf has no rights.
set -eu

grep -qs '^kind: InitConfiguration' /run/kubeadm/kubeadm.yaml /etc/kubeadm.yml /tmp/kubeadm.yml || exit 0

${KUBE_VIP_READS}

kube_vip_reads "$1"
`;

function peerText({ address, as, multihop = false }: KubeVipPeer): string {
  return `${address.includes(':') ? `[${address}]` : address}:${as}::${multihop}`;
}

const ENDPOINT_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ENDPOINT',
  title: 'The endpoint of a control plane must be an IP address or a DNS name, and a port.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go (ValidateHostPort)',
};

export const ENDPOINT_TAKEN_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ENDPOINT-TAKEN',
  title: 'Two clusters must not have the same endpoint.',
};

const KUBE_VIP_RULE: Rule = {
  id: 'TC-KUBEADM-CP-KUBE-VIP',
  title: 'The options of kube-vip must have an IP address, an image of a fixed version, the port of the API server, and a network interface where that of the default route may be the wrong one.',
  source: 'kube-vip/kube-vip cmd/kube-vip.go, pkg/kubevip/config_environment.go, pkg/kubevip/config_bgp.go, pkg/vip/util.go (GetDefaultGatewayInterface)',
};

/**
 * Checks an endpoint.
 *
 * @param endpoint the endpoint
 * @param property the property that holds it
 * @param hasNodeAddress true if the infrastructure states the address of nodes
 */
export function checkEndpoint({ address, _kubeVip }: ControlPlaneEndpoint, property: string, hasNodeAddress: boolean): Problem[] {
  if (_kubeVip) return checkKubeVip(_kubeVip, property, hasNodeAddress);
  if (!address) return [];
  const { host, port } = address;
  return [
    ...problemIf(ENDPOINT_RULE, `${property}.host`, checkHost(host), 'write the address or the name of the load balancer'),
    ...problemIf(ENDPOINT_RULE, `${property}.port`, checkPort(port), 'correct the port'),
  ];
}

function checkKubeVip(options: KubeVipEndpointOptions, property: string, hasNodeAddress: boolean): Problem[] {
  const { address, image, port = API_SERVER_PORT, networkInterface, mode } = options;
  const rule = KUBE_VIP_RULE;
  const bgp = mode?.bgpOptions;
  return [
    ...problemIf(rule, `${property}.address`, checkIp(address), 'write a free address of the network of the machines'),
    ...(isFixedImage(image) ? [] : [{
      rule, property: `${property}.image`, message: `"${image}" is not an image of a fixed version`, accepted: 'images with a tag other than latest, or a digest', fix: 'name the version that you have tested',
    }]),
    ...(port === API_SERVER_PORT ? [] : [{
      rule, property: `${property}.port`, message: `the port is ${port}, and the API servers listen on ${API_SERVER_PORT}: kube-vip moves an address, and listens on no port`, accepted: `${API_SERVER_PORT}`, fix: 'leave it out',
    }]),
    ...(networkInterface === undefined || isInterfaceName(networkInterface) ? [] : [{
      rule, property: `${property}.networkInterface`, message: `${JSON.stringify(networkInterface)} is not the name of a network interface`, accepted: '1 to 15 letters, digits, ".", "-" and "_", such as "ens192"', fix: 'write it as "ip link" shows it',
    }]),
    ...(networkInterface === undefined && (bgp || hasNodeAddress) ? [{
      rule,
      property: `${property}.networkInterface`,
      message: bgp ? 'BGP needs the interface whose address is the router id'
        : 'the infrastructure states the address of its nodes, and kube-vip would take the interface of the default route, which may be in another network',
      fix: 'name the interface that has the addresses of the machines',
    }] : []),
    ...(bgp ? [...checkAs(bgp.as, `${property}.mode.as`), ...checkPeers(bgp.peers, `${property}.mode.peers`)] : []),
  ];
}

function checkPeers(peers: readonly KubeVipPeer[], property: string): Problem[] {
  return [
    ...problemIf(KUBE_VIP_RULE, property, peers.length > 0 ? undefined : 'there is no router to announce the address to', 'name one router or more'),
    ...peers.flatMap(({ address, as }, index) => [
      ...problemIf(KUBE_VIP_RULE, `${property}[${index}].address`, checkIp(address), 'write the address of the router'),
      ...checkAs(as, `${property}[${index}].as`),
    ]),
  ];
}

function checkAs(as: number, property: string): Problem[] {
  return problemIf(
    KUBE_VIP_RULE, property, Number.isInteger(as) && as >= 1 && as <= LARGEST_AS ? undefined : `${as} is not the number of an autonomous system; accepted are whole numbers from 1 to ${LARGEST_AS}`, 'correct the number',
  );
}

/** The endpoint as the key of a claim: an address of kube-vip is taken with all its ports. */
export function endpointKey({ address, _kubeVip }: ControlPlaneEndpoint): string | undefined {
  return _kubeVip ? _kubeVip.address : address && formatHostPort(address.host, address.port);
}
