import { SecretKeyRef } from '../../../manifests/values/secret-ref';

/**
 * The proxy through which containerd and the kubelet reach what is outside: registries, and what image credential plugins ask.
 *
 * The settings are systemd drop-ins. A proxy that wants a password cannot be given here, where it would be readable in the output: put the
 * drop-ins `/etc/systemd/system/{containerd,kubelet}.service.d/http-proxy.conf` into a Secret, write them with `files`, and restart
 * containerd in `preKubeadmCommands`.
 *
 * Rule: `TC-KUBEADM-PROXY-URL`.
 */
export interface NodeHttpProxy {
  /**
   * Proxy for http URLs, e.g. `http://proxy.example.com:3128`. One of the two proxies is given at least (`TC-KUBEADM-PROXY-URL`).
   *
   * @default - http goes without proxy
   */
  readonly httpProxy?: string;

  /**
   * Proxy for https URLs, which registries have; mostly the same as `httpProxy`.
   *
   * @default - https goes without proxy
   */
  readonly httpsProxy?: string;

  /**
   * Destinations without the proxy: hosts, domains with a leading dot, addresses, ranges.
   *
   * The machine itself, the pod and Service ranges, `.svc` and the cluster's domain are always among them, and for the kubelet the API
   * server, whose address the machine knows when it starts.
   *
   * Rule: `TC-KUBEADM-NO-PROXY`.
   *
   * @default - nothing else
   */
  readonly noProxy?: string[];
}

/** The trusted operations of a mirror. */
export enum MirrorCapability {
  /** Serve the content of a digest. It needs no trust: the digest verifies the content. */
  PULL = 'pull',

  /** Resolve a tag to a digest. Only for mirrors that you trust like the registry. */
  RESOLVE = 'resolve',
}

/** The place from which containerd first pulls the images of a registry. */
export interface RegistryMirror {
  /**
   * The registry as image references name it: `docker.io`, `registry.example.com:5000`; or `_default` for every registry that has no
   * entry of its own. Each once (`TC-KUBEADM-MIRROR-REGISTRY`).
   */
  readonly registry: string;

  /**
   * URLs of the mirrors, http or https, in the order in which they are tried; the registry itself comes last, where no mirror answers.
   * Without credentials: those are for the pods' image pull secrets.
   *
   * Rule: `TC-KUBEADM-MIRROR-ENDPOINT`.
   */
  readonly endpoints: string[];

  /**
   * The trusted operations of the mirrors.
   *
   * @default - MirrorCapability.PULL and MirrorCapability.RESOLVE
   */
  readonly capabilities?: MirrorCapability[];

  /**
   * Certificate authority of the mirrors: a key of a Secret in the cluster's namespace, PEM. One that the whole machine
   * may trust can stand in `trustedCas` instead.
   *
   * Rule: `TC-KUBEADM-SECRET-REF`.
   *
   * @default - the machine's own certificate authorities
   */
  readonly caSecret?: SecretKeyRef;

  /**
   * True if the certificates of the mirrors are not verified. An attacker on the network can then serve other images.
   *
   * @default false
   */
  readonly skipVerify?: boolean;

  /**
   * True if the paths of the endpoints are whole, so that containerd does not add `/v2`: for registries that serve a mirror below
   * a path of their own, e.g. `https://harbor.example.com/v2/docker-hub`. Every endpoint has a path then
   * (`TC-KUBEADM-MIRROR-ENDPOINT`).
   *
   * @default false
   */
  readonly overridePath?: boolean;
}

/** A certificate authority that the machine trusts, for registries and proxies of one's own. */
export interface TrustedCa {
  /**
   * Name of the certificate's file: lower-case letters, digits and `-`; each once.
   *
   * Rules: `TC-KUBEADM-CA-NAME`, `TC-ADMIT-KUBEADM-FILE-PATH`.
   */
  readonly name: string;

  /**
   * The certificate in PEM, one in each entry. It is public; its private key has no place here.
   *
   * Rule: `TC-KUBEADM-CA-CERTIFICATE`.
   */
  readonly certificate: string;
}

/** Time servers of the machine. */
export interface BootstrapNtp {
  /** Names or addresses of the time servers, at least one while `enabled` is not false (`TC-KUBEADM-NTP-SERVERS`). */
  readonly servers?: string[];

  /**
   * True if the machine's time service runs.
   *
   * @default true
   */
  readonly enabled?: boolean;
}
