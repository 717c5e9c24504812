import { IConstruct } from 'constructs';
import { BootstrapNtp, NodeHttpProxy, RegistryMirror, TrustedCa } from './node-network';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { hostAndPath, parseImageReference, plainRegistryHost } from '../../../manifests/values/image-reference';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { comparedAddress } from '../../../manifests/values/repository-address';
import { ConstructSlot } from '../../app/app-state';
import { checkRepositoryAccess, REPOSITORY_ACCESS_RULE } from '../delivery/repository-access';

/** A registry that requires a login. The library writes no credentials: the Secrets are made by you. */
export interface PrivateRegistry {
  /**
   * Registry, or a part of it, without scheme: `registry.example.com`, `registry.example.com:5000/platform`. Of several that match an
   * image, the longest one counts.
   *
   * Rule: `TC-COMPANY-NETWORK-REGISTRY`.
   */
  readonly registry: string;

  /**
   * Name of the Secret of type `kubernetes.io/dockerconfigjson` with the credentials. It must exist in the namespace of each tenant
   * cluster, in those of the providers of a management cluster, and in the namespace of the CSI driver in the tenant:
   * `kubevirt-csi-driver`, on Vultr `kube-system`.
   *
   * Rule: `TC-COMPANY-NETWORK-REGISTRY`.
   */
  readonly pullSecret: string;

  /**
   * Name of the Secret with the keys `accessKeyId` and `secretKey`, in the namespace of each tenant cluster, for disks that CDI imports from
   * the registry (`RootDisk.registry`). Such a disk requires it (`TC-COMPANY-NETWORK-IMPORT-SECRET`).
   *
   * @default - none
   */
  readonly importSecret?: string;
}

/** A chart repository that requires a login, or has a certificate authority of its own. The library writes no credentials. */
export interface PrivateChartRepository {
  /**
   * Address of the repository, or of all repositories below it: `oci://registry.example.com/charts`, `https://charts.example.com`. Of
   * several that match a chart, the longest one counts.
   *
   * Rules: `TC-DELIVERY-REPOSITORY`, `TC-DELIVERY-REPOSITORY-ACCESS`.
   */
  readonly repository: string;

  /**
   * Name of the Secret with the credentials, in the namespace of each cluster: for Flux, keys `username` and `password` of a Helm
   * repository, an image pull secret of a registry; for a HelmChartProxy, a Docker configuration under `config.json` of a registry. A
   * HelmChartProxy cannot log in to an https repository (`TC-DELIVERY-CHART-UNSUPPORTED`).
   *
   * @default - no credentials
   */
  readonly secretName?: string;

  /**
   * Name of the Secret with the certificate authority under `ca.crt`, in the namespace of each cluster.
   *
   * @default - authorities that the delivery's controller knows
   */
  readonly certSecretName?: string;
}

/** The network of a company. Everything is optional. */
export interface CompanyNetworkProps {
  /**
   * Registries that require a login. Their pull secrets reach container disks of KubeVirt machines, the controllers beside the control
   * plane, the CSI driver on the nodes, and in a management cluster the providers, KubeVirt and CDI.
   *
   * @default - none
   */
  readonly registries?: PrivateRegistry[];

  /**
   * Chart repositories that require a login or have an authority of their own. They reach the deliveries by Flux and by HelmChartProxies;
   * Argo CD has Secrets of its own for them (`TC-COMPANY-NETWORK-DELIVERY`).
   *
   * @default - none
   */
  readonly chartRepositories?: PrivateChartRepository[];

  /**
   * Proxy of containerd and the kubelet on all machines, which reach their API server, pods and Services without it, and of CDI's imports
   * in a management cluster. Excepted from that are names of Services, and the `podCidrs` and `serviceCidrs` of its `capabilities`.
   *
   * @default - none
   */
  readonly httpProxy?: NodeHttpProxy;

  /**
   * Certificate authorities that all machines trust, and with `httpProxy` CDI's imports of their disks, too.
   *
   * @default - none
   */
  readonly trustedCas?: TrustedCa[];

  /**
   * Mirrors that containerd pulls images from, on all machines.
   *
   * @default - images come from their registries
   */
  readonly registryMirrors?: RegistryMirror[];

  /**
   * Time servers of all machines.
   *
   * @default - those of the images
   */
  readonly ntp?: BootstrapNtp;
}

const NETWORK = new ConstructSlot<CompanyNetwork>('CompanyNetwork');

/** Makes a network that of an app. */
export function setAppNetwork(app: IConstruct, network: CompanyNetwork): void {
  NETWORK.set(app, network);
}

/** The network of the app around a construct, where it was given one. */
export function appNetwork(scope: IConstruct): CompanyNetwork | undefined {
  return NETWORK.get(scope.node.root);
}

/** The field of a pod with the pull secrets of all registries; empty without private registries. */
export function pullSecretsField(network: CompanyNetwork | undefined): { imagePullSecrets?: { name: string }[] } {
  const names = network?.pullSecrets ?? [];
  return names.length > 0 ? { imagePullSecrets: names.map((name) => ({ name })) } : {};
}

/**
 * The network of a company, given once: private registries and chart repositories, proxy, certificate authorities, mirrors, time servers.
 *
 * Give it to the `GitOpsApp`, to the management cluster, or to one tenant cluster or blueprint. The nearest one counts: that of the tenant,
 * then that of its management cluster, then that of the app. A property of a part, such as `imagePullSecret` of a disk or `httpProxy` of a
 * `KubeadmBootstrap`, replaces what would come from here. A change of what reaches machines replaces the machines.
 *
 * An instance is plain data: clusters can share it.
 *
 * @example
 * const app = new GitOpsApp({
 *   companyNetwork: new CompanyNetwork({
 *     registries: [{ registry: 'registry.example.com', pullSecret: 'registry' }],
 *     httpProxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
 *   }),
 * });
 */
export class CompanyNetwork {
  /** Registries that require a login. */
  public readonly registries: PrivateRegistry[];

  /** Chart repositories that require a login or have an authority of their own. */
  public readonly chartRepositories: PrivateChartRepository[];

  /**
   * Proxy of machines and imports.
   *
   * @default - none
   */
  public readonly httpProxy?: NodeHttpProxy;

  /** Certificate authorities that machines and imports trust. */
  public readonly trustedCas: TrustedCa[];

  /** Mirrors that machines pull images from. */
  public readonly registryMirrors: RegistryMirror[];

  /**
   * Time servers of all machines.
   *
   * @default - those of the images
   */
  public readonly ntp?: BootstrapNtp;

  private movedTo?: (image: string) => string;

  public constructor(private readonly props: CompanyNetworkProps) {
    this.registries = props.registries ?? [];
    this.chartRepositories = props.chartRepositories ?? [];
    this.httpProxy = props.httpProxy;
    this.trustedCas = props.trustedCas ?? [];
    this.registryMirrors = props.registryMirrors ?? [];
    this.ntp = props.ntp;
  }

  /** Names of the pull secrets of all registries, each once. */
  public get pullSecrets(): string[] {
    return [...new Set(this.registries.map(({ pullSecret }) => pullSecret))];
  }

  /**
   * The private registry that an image is pulled from, after `images` of the cluster has been applied; undefined if it is none of them.
   *
   * @param image name of the image
   */
  public registryOf(image: string): PrivateRegistry | undefined {
    const name = parseImageReference(this.movedTo?.(image) ?? image)?.name;
    return name === undefined ? undefined : longest(this.registries, ({ registry }) => comparedRegistry(registry), comparedImage(name));
  }

  /**
   * Access to the repository of a chart; undefined if the network does not declare it.
   *
   * @param repository address of the repository
   */
  public chartRepositoryOf(repository: string): PrivateChartRepository | undefined {
    return longest(this.chartRepositories, (entry) => comparedAddress(entry.repository), comparedAddress(repository));
  }

  /**
   * True if machines must be set up for the network.
   *
   * @internal
   */
  public get _setsUpMachines(): boolean {
    return Boolean(this.httpProxy ?? this.ntp) || this.trustedCas.length > 0 || this.registryMirrors.length > 0;
  }

  /**
   * The same network for a cluster whose images are moved.
   *
   * @internal
   */
  public _movedBy(movedTo: (image: string) => string): CompanyNetwork {
    const moved = new CompanyNetwork(this.props);
    moved.movedTo = movedTo;
    return moved;
  }

  /**
   * Checks registries and repositories.
   *
   * @internal
   */
  public _check(property: string): Problem[] {
    const accesses = this.chartRepositories
      .map(({ repository, secretName, certSecretName }) => ({ repository, secrets: { secretName, certSecretName } }));
    return [
      ...this.registries.flatMap((entry, index) => checkRegistry(entry, this.registries.slice(0, index), `${property}.registries[${index}]`)),
      ...checkRepositoryAccess(accesses, `${property}.chartRepositories`, ['https', 'http', 'oci']),
      ...this.chartRepositories.flatMap((entry, index) => checkEffect(entry, this.chartRepositories, `${property}.chartRepositories[${index}]`)),
    ];
  }
}

const COMPANY_NETWORK_REGISTRY_RULE: Rule = {
  id: 'TC-COMPANY-NETWORK-REGISTRY',
  title: 'A private registry must be a host with an optional path, each once, with names of Secrets.',
  source: 'distribution/reference regexp.go',
};

function checkRegistry({ registry, pullSecret, importSecret }: PrivateRegistry, earlier: readonly PrivateRegistry[], property: string): Problem[] {
  const rule = COMPANY_NETWORK_REGISTRY_RULE;
  const isRegistry = parseImageReference(`${registry}/image`)?.name === `${registry}/image` && /[.:]|^localhost(?:\/|$)/.test(registry.split('/')[0]);
  const message = isRegistry ? (earlier.some((other) => comparedRegistry(other.registry) === comparedRegistry(registry)) ? `"${registry}" is there twice` : undefined)
    : `${JSON.stringify(registry)} is not a registry; accepted is a host with a dot or a port, with or without a path`;
  return [
    ...problemIf(rule, `${property}.registry`, message, isRegistry ? 'keep one of the entries' : 'leave out the scheme and the slash at the end'),
    ...Object.entries({ pullSecret, importSecret }).flatMap(([name, secret]) => (
      problemIf(rule, `${property}.${name}`, secret === undefined ? undefined : checkDnsSubdomain(secret), 'write the name of the Secret')
    )),
  ];
}

/** Reports an entry without Secrets, unless it excepts a repository from another entry. */
function checkEffect(entry: PrivateChartRepository, entries: readonly PrivateChartRepository[], property: string): Problem[] {
  const { repository, secretName, certSecretName } = entry;
  const address = comparedAddress(repository);
  const excepts = entries.some((other) => address.startsWith(`${comparedAddress(other.repository)}/`));
  return secretName !== undefined || certSecretName !== undefined || excepts ? [] : [{
    rule: REPOSITORY_ACCESS_RULE,
    property,
    message: 'the entry has no Secret, and therefore no effect',
    fix: 'set secretName or certSecretName, or remove the entry',
  }];
}

/** The name of an image in the form in which names are compared. */
function comparedImage(name: string): string {
  const { host, path } = hostAndPath(name);
  return `${plainRegistryHost(host)}/${path}`;
}

/** A registry with an optional path in the form in which names are compared. */
function comparedRegistry(registry: string): string {
  const [host, ...path] = registry.split('/');
  return [plainRegistryHost(host), ...path].join('/');
}

/** The entry with the longest text that is the name or a folder above it. */
function longest<T>(entries: readonly T[], textOf: (entry: T) => string, name: string): T | undefined {
  const texts = entries.map((entry) => ({ entry, text: textOf(entry) }));
  return texts.filter(({ text }) => name === text || name.startsWith(`${text}/`)).sort((one, other) => other.text.length - one.text.length)[0]?.entry;
}
