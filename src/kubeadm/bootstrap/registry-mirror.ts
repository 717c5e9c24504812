import { BootstrapFile } from './bootstrap-file';
import { checkSecretRef } from './bootstrap-secret-ref';
import { CERTS_DIRECTORY, REGISTRY_MIRRORS_SCRIPT } from './containerd-script';
import { NodeSetup, setupScript } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';
import { checkHost, parseHostPort } from '../../values/dns';
import { checkUrl } from '../../values/plain-url';
import { SecretKeyRef } from '../../values/secret-ref';

/** The trusted operations of a mirror. */
export enum MirrorCapability {
  /** Serve the content of a digest. It needs no trust: the digest verifies the content. */
  PULL = 'pull',

  /** Resolve a tag to a digest. Only for mirrors that you trust like the registry. */
  RESOLVE = 'resolve',
}

/** Where containerd looks first for the images of a registry. */
export interface RegistryMirror {
  /**
   * The registry as image references name it: `docker.io`, `registry.example.com:5000`; or `_default` for every registry that has no
   * entry of its own. Each once (`TC-KUBEADM-MIRROR-REGISTRY`).
   */
  readonly registry: string;

  /**
   * URLs of the mirrors, http or https, in the order in which they are tried; the registry itself comes last, where no mirror
   * answers. Without credentials (`TC-KUBEADM-MIRROR-ENDPOINT`): those are for the pods' image pull secrets.
   */
  readonly endpoints: string[];

  /**
   * The trusted operations of the mirrors.
   *
   * @default - MirrorCapability.PULL and MirrorCapability.RESOLVE
   */
  readonly capabilities?: MirrorCapability[];

  /**
   * Where the certificate authority of the mirrors is kept: a key of a Secret in the cluster's namespace, PEM
   * (`TC-KUBEADM-SECRET-REF`). One that the whole machine may trust can stand in `trustedCas` instead.
   *
   * @default - the machine's own certificate authorities
   */
  readonly caSecret?: SecretKeyRef;

  /**
   * Whether the certificates of the mirrors are not verified. An attacker on the network can then serve other images.
   *
   * @default false
   */
  readonly skipVerify?: boolean;

  /**
   * Whether the paths of the endpoints are whole, so that containerd does not add `/v2`: for registries that serve a mirror below
   * a path of their own, e.g. `https://harbor.example.com/v2/docker-hub`. Every endpoint has a path then
   * (`TC-KUBEADM-MIRROR-ENDPOINT`).
   *
   * @default false
   */
  readonly overridePath?: boolean;
}

const DEFAULT_CAPABILITIES = [MirrorCapability.PULL, MirrorCapability.RESOLVE];
const EVERY_REGISTRY = '_default';
const DOCKER_HUB = 'docker.io';

/**
 * The files that make containerd use mirrors, and the script that makes it read them.
 *
 * Source: containerd/containerd docs/hosts.md.
 */
export function registryMirrorSetup(mirrors: readonly RegistryMirror[]): NodeSetup {
  if (mirrors.length === 0) return { files: [], commands: [] };
  return setupScript('registry-mirrors', REGISTRY_MIRRORS_SCRIPT);
}

/** The files of one mirror. */
export function registryMirrorFiles(mirror: RegistryMirror): BootstrapFile[] {
  const directory = `${CERTS_DIRECTORY}/${mirror.registry}`;
  return [
    { path: `${directory}/hosts.toml`, content: hostsToml(mirror), owner: 'root:root', permissions: '0644' },
    ...(mirror.caSecret ? [{ path: caPath(mirror), secret: mirror.caSecret, owner: 'root:root', permissions: '0644' }] : []),
  ];
}

/** Checks the mirrors. */
export function checkRegistryMirrors(mirrors: readonly RegistryMirror[], property: string): Problem[] {
  return mirrors.flatMap((mirror, index) => [
    ...checkRegistry(mirror.registry, `${property}[${index}].registry`),
    ...checkEndpoints(mirror, `${property}[${index}].endpoints`),
    ...(mirror.caSecret ? checkSecretRef(mirror.caSecret, `${property}[${index}].caSecret`) : []),
  ]);
}

function checkRegistry(registry: string, property: string): Problem[] {
  const isHost = (checkHost(registry) === undefined && !registry.includes(':')) || parseHostPort(registry) !== undefined;
  if (registry === EVERY_REGISTRY || isHost) return [];
  return [{
    rule: KUBEADM_RULES.mirrorRegistry,
    property,
    message: `${JSON.stringify(registry)} is not the name of a registry`,
    accepted: `a host such as "docker.io" or "registry.example.com:5000", or "${EVERY_REGISTRY}"`,
    fix: 'write the part of the image reference before the first "/"',
  }];
}

function checkEndpoints(mirror: RegistryMirror, property: string): Problem[] {
  const rule = KUBEADM_RULES.mirrorEndpoint;
  const { endpoints } = mirror;
  if (endpoints.length === 0) {
    return [{ rule, property, message: `${JSON.stringify(mirror.registry)} has no endpoint`, fix: 'name a mirror, or remove the entry' }];
  }
  return endpoints.flatMap((endpoint, index) => {
    const twice = endpoints.indexOf(endpoint) < index ? `"${endpoint}" is there twice` : undefined;
    const bare = mirror.overridePath && /^\w+:\/\/[^/]*\/?$/.test(endpoint) ? `"${endpoint}" has no path, and with overridePath containerd adds none` : undefined;
    const message = checkUrl(endpoint, ['https', 'http']) ?? twice ?? bare;
    return message === undefined ? [] : [{
      rule, property: `${property}[${index}]`, message, accepted: 'URLs such as "https://mirror.example.com"', fix: 'correct or remove it',
    }];
  });
}

function hostsToml(mirror: RegistryMirror): string {
  const { registry, capabilities = DEFAULT_CAPABILITIES } = mirror;
  // Docker Hub's images are named docker.io, but its registry is not there. "_default" has no registry of its own.
  const server = registry === DOCKER_HUB ? 'registry-1.docker.io' : registry;
  const host = (endpoint: string) => [
    `[host.${tomlText(endpoint)}]`,
    `capabilities = [${capabilities.map(tomlText).join(', ')}]`,
    ...(mirror.caSecret ? [`ca = ${tomlText(caPath(mirror))}`] : []),
    ...(mirror.skipVerify === undefined ? [] : [`skip_verify = ${mirror.skipVerify}`]),
    ...(mirror.overridePath === undefined ? [] : [`override_path = ${mirror.overridePath}`]),
  ].join('\n');
  return `${[
    ...(registry === EVERY_REGISTRY ? [] : [`server = ${tomlText(`https://${server}`)}`]),
    ...mirror.endpoints.map(host),
  ].join('\n\n')}\n`;
}

function caPath(mirror: RegistryMirror): string {
  return `${CERTS_DIRECTORY}/${mirror.registry}/ca.crt`;
}

/** TOML's basic strings know JSON's escapes. */
function tomlText(text: string): string {
  return JSON.stringify(text);
}
