import { BootstrapFile } from './bootstrap-file';
import { checkSecretRef } from './bootstrap-secret-ref';
import { CERTS_DIRECTORY, REGISTRY_MIRRORS_SCRIPT } from './containerd-script';
import { NodeSetup, setupScript } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { checkHost, parseHostPort } from '../../../../manifests/values/dns';
import { plainRegistryHost } from '../../../../manifests/values/image-reference';
import { checkUrl } from '../../../../manifests/values/plain-url';
import { Problem } from '../../../../manifests/values/problem';
import { MirrorCapability, RegistryMirror } from '../../../contracts/company-network/node-network';

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
    ...checkRegistry(mirror.registry, mirrors.slice(0, index), `${property}[${index}].registry`),
    ...checkEndpoints(mirror, `${property}[${index}].endpoints`),
    ...(mirror.caSecret ? checkSecretRef(mirror.caSecret, `${property}[${index}].caSecret`) : []),
  ]);
}

function checkRegistry(registry: string, earlier: readonly RegistryMirror[], property: string): Problem[] {
  const rule = KUBEADM_RULES.mirrorRegistry;
  if (earlier.some((other) => other.registry === registry)) {
    return [{ rule, property, message: `${JSON.stringify(registry)} has another entry`, fix: 'join the endpoints of the two in one entry' }];
  }
  const plain = plainRegistryHost(registry);
  if (registry === EVERY_REGISTRY || (isRegistryHost(registry) && registry === plain)) return [];
  if (isRegistryHost(plain)) {
    return [{ rule, property, message: `containerd finds no mirror below ${JSON.stringify(registry)}: it looks for ${JSON.stringify(plain)}`, fix: `write ${JSON.stringify(plain)}` }];
  }
  return [{
    rule,
    property,
    message: `${JSON.stringify(registry)} is not the name of a registry`,
    accepted: `a host with a dot or a port such as "docker.io" or "registry.example.com:5000", or "${EVERY_REGISTRY}"`,
    fix: 'write the part of the image reference before the first "/"',
  }];
}

/** A name without dot and port is a part of Docker Hub's path in an image reference. */
function isRegistryHost(text: string): boolean {
  return parseHostPort(text) !== undefined || (checkHost(text) === undefined && !text.includes(':') && (text.includes('.') || text === 'localhost'));
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
