import { Chart, Duration } from 'cdk8s';
import { Addon, AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

/** The definitions of the Gateway API that are installed. */
export enum GatewayApiChannel {
  /** Stable kinds and fields. */
  STANDARD = 'standard',

  /** Stable and experimental kinds and fields. Must not be applied over the standard definitions. */
  EXPERIMENTAL = 'experimental',
}

/** Folders of kubernetes-sigs/gateway-api v1.6.1, each with a kustomization.yaml. */
const FOLDERS = { [GatewayApiChannel.STANDARD]: 'config/crd', [GatewayApiChannel.EXPERIMENTAL]: 'config/crd/experimental' };

/** The definitions of the project. */
export const GATEWAY_API = { repository: 'https://github.com/kubernetes-sigs/gateway-api', tag: 'v1.6.1' };

/** The definitions beside the chart gateway-helm of the same tag, as plain files. */
export const ENVOY_GATEWAY = {
  repository: 'https://github.com/envoyproxy/gateway', tag: 'v1.9.0', path: 'charts/gateway-helm/charts/crds/crds/generated',
};

/** Options of the definitions of the Gateway API. */
export interface GatewayApiProps {
  /**
   * Name of the addon, a DNS label that is unique within a cluster (`TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`).
   *
   * @default gateway-api
   */
  readonly name?: string;

  /**
   * The definitions that are installed. A policy that comes with them refuses experimental ones over standard ones
   * (kubernetes-sigs/gateway-api v1.6.1, `safe-upgrades.gateway.networking.k8s.io`).
   *
   * @default GatewayApiChannel.STANDARD
   */
  readonly channel?: GatewayApiChannel;

  /**
   * True if the definitions of Envoy Gateway are installed as well, which `EnvoyGateway` needs.
   *
   * @default true
   */
  readonly envoyGateway?: boolean;

  /**
   * Mirror of the Git repository kubernetes-sigs/gateway-api, with its tags: an `https://…` address (`TC-DELIVERY-REPOSITORY`).
   *
   * @default https://github.com/kubernetes-sigs/gateway-api
   */
  readonly repository?: string;

  /**
   * Mirror of the Git repository envoyproxy/gateway, with its tags: an `https://…` address (`TC-DELIVERY-REPOSITORY`).
   *
   * @default https://github.com/envoyproxy/gateway
   */
  readonly envoyGatewayRepository?: string;

  /**
   * Time that an apply may take before it counts as failed and is tried again.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Addons that this one is installed after (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/**
 * The definitions of the Gateway API, release 1.6.1, and those of Envoy Gateway 1.9.0 beside them.
 *
 * Flux or Argo CD applies them from the Git repositories of the two projects. They fit into no Helm release, which Helm keeps in a Secret
 * of at most 1 MiB. For other deliveries add a copy of the release's `standard-install.yaml` instead: `new
 * ManifestFileAddon('gateway-api', file, { provides: [AddonCapability.GATEWAY_API], requires: [] })`. A ClusterResourceSet has no room for
 * Envoy Gateway's own definitions.
 *
 * They stay in the tenant when the addon is removed, and with them every Gateway and route.
 *
 * Rules: `TC-DELIVERY-GIT-UNSUPPORTED`, `TC-DELIVERY-MANIFEST-SIZE`. Source: envoyproxy/gateway charts/gateway-crds-helm/README.md,
 * v1.9.0.
 *
 * @example
 * acme.addAddon(new GatewayApi({ channel: GatewayApiChannel.STANDARD }));
 */
export class GatewayApi extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the definitions provide. */
  public override readonly provides: string[] = [AddonCapability.GATEWAY_API];

  /** Required capabilities: none, because the definitions have no pods. */
  public override readonly requires: string[] = [];

  /** Addons that this one is installed after. */
  public override readonly after: Addon[];

  public constructor(private readonly props: GatewayApiProps = {}) {
    super();
    this.name = props.name ?? 'gateway-api';
    this.after = props.after ?? [];
  }

  /**
   * Gives the definitions to the delivery.
   *
   * @param _tenant a chart whose objects go to the tenant; nothing is put there
   * @param _context the cluster that the addon is for
   */
  public bind(_tenant: Chart, _context: ClusterContext): AddonConfig {
    const { channel = GatewayApiChannel.STANDARD, envoyGateway = true, repository, envoyGatewayRepository, timeout } = this.props;
    const gatewayApi = { ...GATEWAY_API, ...(repository !== undefined && { repository }), name: this.name, path: FOLDERS[channel], timeout };
    const envoy = {
      ...ENVOY_GATEWAY, ...(envoyGatewayRepository !== undefined && { repository: envoyGatewayRepository }), name: `${this.name}-envoy`, timeout,
    };
    return { gitManifests: envoyGateway ? [gatewayApi, envoy] : [gatewayApi] };
  }
}
