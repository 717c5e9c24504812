import { checkSecretRef, FeatureSetup, setupScript } from './bootstrap-file';
import { checkHost, parseHostPort } from '../../../../manifests/values/dns';
import { plainRegistryHost } from '../../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { checkUrl } from '../../../../manifests/values/repository-address';
import { BootstrapFile } from '../../../contracts/bootstrap-file';
import { MirrorCapability, RegistryMirror } from '../../../contracts/company-network/node-network';

const DEFAULT_CAPABILITIES = [MirrorCapability.PULL, MirrorCapability.RESOLVE];
const EVERY_REGISTRY = '_default';
const DOCKER_HUB = 'docker.io';

/**
 * The files that make containerd use mirrors, and the script that makes it read them.
 *
 * Source: containerd/containerd docs/hosts.md.
 */
export function registryMirrorSetup(mirrors: readonly RegistryMirror[]): FeatureSetup {
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

const MIRROR_REGISTRY_RULE: Rule = {
  id: 'TC-KUBEADM-MIRROR-REGISTRY',
  title: 'A registry is named as containerd reads it from image references, each once: a host, with its port if it has one.',
  source: 'containerd/containerd docs/hosts.md, distribution/reference normalize.go',
};

function checkRegistry(registry: string, earlier: readonly RegistryMirror[], property: string): Problem[] {
  const rule = MIRROR_REGISTRY_RULE;
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

const MIRROR_ENDPOINT_RULE: Rule = {
  id: 'TC-KUBEADM-MIRROR-ENDPOINT',
  title: 'A mirror must have unique http or https URLs.',
  source: 'containerd/containerd docs/hosts.md',
};

function checkEndpoints(mirror: RegistryMirror, property: string): Problem[] {
  const rule = MIRROR_ENDPOINT_RULE;
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

/** Folder of containerd's settings of registries, with one folder for each. */
const CERTS_DIRECTORY = '/etc/containerd/certs.d';

/**
 * Switches containerd's `config_path` on, in the section where containerd 1.x (configuration version 2) or 2.x (from 3) has it,
 * and leaves the rest of its configuration alone. Running it again changes nothing.
 *
 * Sources: containerd/containerd docs/hosts.md, docs/cri/registry.md; the section's new name was missed in the wild
 * (cozystack/cozystack, commit dbcd09a0f).
 */
const REGISTRY_MIRRORS_SCRIPT = `#!/bin/sh
# Makes containerd read the registry settings in /etc/containerd/certs.d.
# Restarts it only if its configuration had to change.
set -eu

config=/etc/containerd/config.toml
hosts=/etc/containerd/certs.d

fail() {
  echo "registry mirrors: $1" >&2
  exit 1
}

# containerd 1.x and 2.x both read version 2.
if ! grep -qs '^[[:space:]]*[^#[:space:]]' "$config"; then
  mkdir -p /etc/containerd
  echo 'version = 2' >> "$config"
fi

version=$(sed -n 's/^[[:space:]]*version[[:space:]]*=[[:space:]]*\\([0-9][0-9]*\\).*/\\1/p' "$config" | head -n 1)
case "$version" in
  2) plugin=io.containerd.grpc.v1.cri ;;
  [3-9]) plugin=io.containerd.cri.v1.images ;;
  *) fail "$config has version '$version', expected 2 or later" ;;
esac

# containerd refuses these older settings beside config_path.
if grep -q '^[[:space:]]*\\[plugins\\..*registry\\.\\(mirrors\\.\\|configs\\..*\\.tls\\)' "$config"; then
  fail "$config has registry.mirrors or registry.configs with TLS settings; remove them from the image"
fi

wanted=$(awk -v plugin="$plugin" -v hosts="$hosts" '
  function section(line) {
    gsub(/[ \\t"\\047]/, "", line)
    sub(/\\].*/, "]", line)
    return line
  }
  function write(old) {
    if (old != "") old = ":" old
    print "  config_path = \\"" hosts old "\\""
    written = 1
  }
  /^[ \\t]*\\[/ {
    if (inside && !written) write("")
    inside = section($0) == "[plugins." plugin ".registry]"
  }
  inside && !written && /^[ \\t]*config_path[ \\t]*=/ {
    old = $0
    sub(/^[^=]*=[ \\t]*["\\047]/, "", old)
    sub(/["\\047].*$/, "", old)
    if (index(":" old ":", ":" hosts ":") == 0) {
      write(old)
      next
    }
    written = 1
  }
  { print }
  END {
    if (!written && !inside) print "\\n[plugins.\\"" plugin "\\".registry]"
    if (!written) write("")
  }
' "$config")

if [ "$wanted" != "$(cat "$config")" ]; then
  printf '%s\\n' "$wanted" > "$config"
  systemctl restart containerd
fi
`;
