import { below, clusterConfigurationYaml, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec, kubernetesMinor } from './kubeadm-spec';
import { ManifestRule } from '../../../rules/manifest-rule';
import { isKnownMinor, kubeadmGateFact, kubeadmGateNames } from '../../../values/component-facts';
import { checkCertificateName, checkHost, checkHostPort, checkPort } from '../../../values/dns';
import { fieldAt, FieldPath, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding, findingsOf } from '../../../values/finding';
import { checkIp } from '../../../values/ip-address';
import { SUPPORTED_MINORS } from '../../../values/kubernetes-releases';
import { nearestName } from '../../../values/nearest-name';

/** A placeholder that the machine, or a tool before it, replaces. */
const PLACEHOLDER = /[$<>{}]/;
const VALIDATION = 'kubernetes/kubernetes v1.37.2 cmd/kubeadm/app/apis/kubeadm/validation/validation.go';

const GATE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-FEATURE-GATE',
  title: 'Feature gates of kubeadm must exist in its version: kubeadm refuses its configuration otherwise. Those of Kubernetes are arguments of its components.',
  source: `${VALIDATION}:630-641, cmd/kubeadm/app/features/features.go`,
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: clusterConfigurationYaml('featureGates:\n  GracefulNodeShutdown: true'),
    corrected: clusterConfigurationYaml('featureGates:\n  RootlessControlPlane: true'),
  },
  check: (object, index) => {
    const spec = kubeadmSpec(object);
    const gates = fieldAt(spec.value, 'clusterConfiguration', 'featureGates');
    const minor = kubernetesMinor(object, index);
    const minors = minor === undefined ? SUPPORTED_MINORS : [minor];
    if (!isFields(gates) || !minors.every(isKnownMinor)) return [];
    return Object.keys(gates).filter((name) => minors.every((one) => kubeadmGateFact(name, one) === undefined)).map((name) => {
      const near = nearestName(name, kubeadmGateNames());
      return {
        path: below(spec, 'clusterConfiguration', 'featureGates', name),
        message: `kubeadm${minor === undefined ? '' : ` ${minor}`} has no feature gate ${JSON.stringify(name)}, and ends`,
        fix: near === undefined || near === name ? 'remove it; a gate of Kubernetes goes to extraArgs of its components' : `did you mean ${near}?`,
      };
    });
  },
};

type Check = (value: string) => string | undefined;

const checkAbsolute: Check = (value) => (value.startsWith('/') ? undefined : `${JSON.stringify(value)} is not an absolute path`);
const checkRepository: Check = (value) => (/^[a-z0-9]+([.-][a-z0-9]+)*(:\d+)?(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/i.test(value)
  ? undefined : `${JSON.stringify(value)} is not a repository of images`);
const checkEndpoint: Check = (value) => (/:\d+$/.test(value) ? checkHostPort(value) : checkHost(value));

/** Fields, and what kubeadm demands of them. */
const FIELDS: readonly (readonly [path: readonly string[], check: Check, fix: string])[] = [
  [['clusterConfiguration', 'certificatesDir'], checkAbsolute, 'write the path from "/" on'],
  [['clusterConfiguration', 'controlPlaneEndpoint'], checkEndpoint, 'write a host and a port, or leave it out: Cluster API takes it from the Cluster'],
  [['clusterConfiguration', 'imageRepository'], checkRepository, 'write the registry and the path, without https://'],
  [['clusterConfiguration', 'dns', 'imageRepository'], checkRepository, 'write the registry and the path, without https://'],
  [['clusterConfiguration', 'etcd', 'local', 'imageRepository'], checkRepository, 'write the registry and the path, without https://'],
  [['clusterConfiguration', 'etcd', 'local', 'dataDir'], checkAbsolute, 'write the path from "/" on'],
  ...['caFile', 'certFile', 'keyFile'].map((field) => [['clusterConfiguration', 'etcd', 'external', field], checkAbsolute, 'write the path from "/" on'] as const),
  [['initConfiguration', 'localAPIEndpoint', 'advertiseAddress'], checkIp, 'write an IP address, or leave it out'],
  [['joinConfiguration', 'controlPlane', 'localAPIEndpoint', 'advertiseAddress'], checkIp, 'write an IP address, or leave it out'],
  [['joinConfiguration', 'caCertPath'], (value) => checkAbsolute(value) ?? (value.endsWith('.crt') ? undefined : `${JSON.stringify(value)} does not end in .crt`), 'write the path of the certificate'],
];

/** Lists of names that certificates get. */
const NAMES: readonly (readonly string[])[] = [
  ['clusterConfiguration', 'apiServer', 'certSANs'], ['clusterConfiguration', 'etcd', 'local', 'serverCertSANs'], ['clusterConfiguration', 'etcd', 'local', 'peerCertSANs'],
];

const PORTS: readonly (readonly string[])[] = [
  ['initConfiguration', 'localAPIEndpoint', 'bindPort'], ['joinConfiguration', 'controlPlane', 'localAPIEndpoint', 'bindPort'],
];

const CONFIGURATION: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-CONFIGURATION',
  title: 'Values of kubeadm\'s configuration must pass its validation: kubeadm ends before it does anything otherwise, and the machine never joins.',
  source: `${VALIDATION}:63-117, :295-385 (ValidateEtcd, ValidateURLs)`,
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: clusterConfigurationYaml('imageRepository: https://registry.example.com/kubernetes'),
    corrected: clusterConfigurationYaml('imageRepository: registry.example.com/kubernetes'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    // A script of the machine that names a value may replace it, as sed does.
    const commands = ['preKubeadmCommands', 'bootCommands'].flatMap((list) => stringsAt(spec.value, list)).map(([text]) => text);
    const scripts = [...commands, ...objectsAt(spec.value, 'files').flatMap(([{ content }]) => (typeof content === 'string' ? [content] : []))];
    const isFinal = (value: string | undefined): value is string => (
      value !== undefined && !PLACEHOLDER.test(value) && !scripts.some((script) => script.includes(value)));
    const external = ['clusterConfiguration', 'etcd', 'external'];
    const [cert, key, authority] = ['certFile', 'keyFile', 'caFile'].map((field) => stringAt(spec.value, ...external, field));
    return [
      ...FIELDS.flatMap(([path, check, fix]) => {
        const value = stringAt(spec.value, ...path);
        return findingsOf(below(spec, ...path), [isFinal(value) ? check(value) : undefined], fix);
      }),
      ...NAMES.flatMap((path) => stringsAt(spec.value, ...path).filter(([name]) => isFinal(name)).flatMap(([name, at]) => (
        findingsOf(below(spec, ...path, at), [checkCertificateName(name)], 'write a DNS name or an IP address')))),
      ...PORTS.flatMap((path) => findingsOf(below(spec, ...path), [portFault(numberAt(spec.value, ...path))], 'write a port')),
      ...stringsAt(spec.value, ...external, 'endpoints').filter(([url]) => isFinal(url)).flatMap(([url, at]) => findingsOf(
        below(spec, ...external, 'endpoints', at), [urlFault(url, [cert, key, authority].some((file) => file !== undefined))], 'write https:// before it')),
      ...((cert === undefined) === (key === undefined) ? [] : [{
        path: below(spec, ...external), message: 'kubeadm needs both certFile and keyFile, or none of them', fix: 'write both',
      }]),
      ...(cert !== undefined && key !== undefined && authority === undefined ? [{
        path: below(spec, ...external, 'caFile'), message: 'kubeadm needs caFile beside certFile and keyFile', fix: 'write it',
      }] : []),
    ];
  },
};

/** The fault of an address of etcd: it needs a scheme, and that of TLS where there are certificates. */
function urlFault(url: string, hasCertificates: boolean): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1].toLowerCase();
  if (hasCertificates) return scheme === 'https' ? undefined : `${JSON.stringify(url)} is no address with https://, and there are certificates`;
  return scheme === undefined ? `${JSON.stringify(url)} has no scheme` : undefined;
}

function portFault(port: number | undefined): string | undefined {
  // Zero stands for the default.
  return port === undefined || port === 0 ? undefined : checkPort(port);
}

const FILE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-FILE',
  title: 'Files of a machine must have an absolute path, octal permissions, an owner as user:group, and content that is encoded as stated: cloud-init writes them otherwise than meant, or not at all.',
  source: 'canonical/cloud-init cloudinit/config/cc_write_files.py (decode_perms, extract_contents), cloudinit/util.py (extract_usergroup)',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: withFile('permissions: rw-r--r--'), corrected: withFile('permissions: "0644"') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'files').flatMap(([file, index]) => checkFile(file, below(spec, 'files', index)));
  },
};

function checkFile(file: unknown, at: FieldPath): Finding[] {
  const faults: readonly (readonly [field: string, isWrong: (value: string) => boolean, message: string, fix: string])[] = [
    ['path', (value) => !/^(\/|[A-Za-z]:[\\/])/.test(value), 'is not an absolute path', 'write the path from "/" on'],
    ['permissions', (value) => !/^(0o?)?[0-7]{3,4}$/.test(value), 'is no octal number: cloud-init takes 0644', 'write a number such as "0644"'],
    ['owner', (value) => !/^[\w.-]+(:[\w.-]+)?$/.test(value), 'is not a user and a group', 'write them such as root:root'],
  ];
  return [
    ...faults.flatMap(([field, isWrong, message, fix]) => {
      const value = stringAt(file, field);
      return value === undefined || PLACEHOLDER.test(value) || !isWrong(value) ? [] : [{ path: [...at, field], message: `${JSON.stringify(value)} ${message}`, fix }];
    }),
    ...(stringAt(file, 'encoding')?.endsWith('base64') && isNoBase64(stringAt(file, 'content')) ? [{
      path: [...at, 'content'], message: 'it is not in base64, as encoding says', fix: 'encode it, or remove encoding',
    }] : []),
  ];
}

function isNoBase64(content: string | undefined): boolean {
  const text = content?.replace(/\s/g, '');
  return text !== undefined && !PLACEHOLDER.test(text) && !/^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

const USER: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-USER',
  title: 'Users of a machine must have a name that Linux accepts and whole SSH keys, and time servers must be hosts.',
  source: 'canonical/cloud-init cloudinit/distros/__init__.py (create_user), shadow-maint/shadow lib/chkname.c',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('users:\n  - name: Ops User'),
    corrected: configTemplateYaml('users:\n  - name: ops'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return [
      ...objectsAt(spec.value, 'users').flatMap(([user, index]) => {
        const name = stringAt(user, 'name');
        const isWrong = name !== undefined && !PLACEHOLDER.test(name) && !/^[A-Za-z_][\w.-]{0,31}\$?$/.test(name);
        return [
          ...(isWrong ? [{ path: below(spec, 'users', index, 'name'), message: `${JSON.stringify(name)} is no name of a user`, fix: 'write small letters, digits, "_" and "-"' }] : []),
          ...stringsAt(user, 'sshAuthorizedKeys').filter(([key]) => isCutKey(key)).map(([, at]) => (
            { path: below(spec, 'users', index, 'sshAuthorizedKeys', at), message: 'it has a type of key and no key', fix: 'write the whole line of the .pub file' })),
        ];
      }),
      ...stringsAt(spec.value, 'ntp', 'servers').filter(([server]) => !PLACEHOLDER.test(server)).flatMap(([server, index]) => (
        findingsOf(below(spec, 'ntp', 'servers', index), [checkHost(server)], 'write a host name or an IP address'))),
    ];
  },
};

function isCutKey(key: string): boolean {
  return /^(ssh-[a-z0-9]+|ecdsa-[\w-]+|sk-[\w@.-]+)\s*$/.test(key);
}

function withFile(field: string): string {
  return configTemplateYaml(`files:\n  - path: /etc/motd\n    content: acme\n    ${field}`);
}

/** Rules for what kubeadm and cloud-init refuse of their configuration. */
export const KUBEADM_VALIDATION: readonly ManifestRule[] = [GATE, CONFIGURATION, FILE, USER];
