import { checkRepository, checkTag } from './addons';
import { checkCertificateNames } from './certificates';
import { ARGUMENT_RULE } from './components';
import { checkPath } from './volumes';
import {
  KubeadmControlPlaneSpecKubeadmConfigSpecClusterConfigurationEtcd as EtcdFields,
} from '../../../../../imports/controlplane.cluster.x-k8s.io';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import { Finding } from '../../../../manifests/values/finding';
import { Problem, problemsOf, Rule } from '../../../../manifests/values/problem';
import { checkUrl } from '../../../../manifests/values/repository-address';

/** Options of etcd on the control plane's machines. A change replaces them. */
export interface KubeadmStackedEtcdOptions {
  /**
   * Registry, with a path if there is one, to which kubeadm appends `etcd` (`TC-KUBEADM-CP-IMAGE`).
   *
   * @default - the control plane's `imageRepository`
   */
  readonly imageRepository?: string;

  /**
   * Tag of the image (`TC-KUBEADM-CP-IMAGE`).
   *
   * @default - the one that kubeadm of the Kubernetes version is built with
   */
  readonly imageTag?: string;

  /**
   * Folder of the data, e.g. on a disk of its own that `diskSetup` and `mounts` prepare (`TC-KUBEADM-CP-PATH`).
   *
   * @default - /var/lib/etcd (kubeadm.k8s.io/v1beta4)
   */
  readonly dataDir?: string;

  /**
   * Further flags of etcd, each once. Those that kubeadm sets for each machine are refused; whether etcd knows the others is not checked.
   * At most 100, with values of at most 1024 characters (Cluster API: `TC-ADMIT-FIELD-VALUE`).
   *
   * Rule: `TC-KUBEADM-CP-ARGUMENT`.
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Further names in the certificates that etcd shows to clients (`TC-KUBEADM-CP-CERTIFICATE-NAME`).
   *
   * @default - the machine's name and address
   */
  readonly serverCertSans?: string[];

  /**
   * Further names in the certificates that members of etcd show each other (`TC-KUBEADM-CP-CERTIFICATE-NAME`).
   *
   * @default - the machine's name and address
   */
  readonly peerCertSans?: string[];
}

/** The endpoints and certificates of an external etcd. */
export interface KubeadmExternalEtcdOptions {
  /** https URLs of the members, at least one, each once (`TC-KUBEADM-CP-ETCD-ENDPOINT`). */
  readonly endpoints: string[];

  /**
   * Path to which Cluster API writes the certificate of etcd's authority, from the Secret `<cluster>-etcd` (`TC-KUBEADM-CP-PATH`).
   *
   * @default '/etc/kubernetes/pki/etcd/ca.crt'
   */
  readonly caFile?: string;

  /**
   * Path to which Cluster API writes the certificate of the API server, from the Secret `<cluster>-apiserver-etcd-client` (`TC-KUBEADM-CP-PATH`).
   *
   * @default '/etc/kubernetes/pki/apiserver-etcd-client.crt'
   */
  readonly certFile?: string;

  /**
   * Path to which Cluster API writes the key of the API server, from the same Secret (`TC-KUBEADM-CP-PATH`).
   *
   * @default '/etc/kubernetes/pki/apiserver-etcd-client.key'
   */
  readonly keyFile?: string;
}

/**
 * etcd of the cluster. One cannot be changed into the other later.
 *
 * @example
 * const etcd = KubeadmEtcd.external({ endpoints: ['https://192.0.2.21:2379', 'https://192.0.2.22:2379', 'https://192.0.2.23:2379'] });
 */
export class KubeadmEtcd {
  /**
   * A member of etcd runs on every control plane machine, so that their number is odd.
   *
   * @param options what differs from kubeadm's defaults
   */
  public static stacked(options: KubeadmStackedEtcdOptions = {}): KubeadmEtcd {
    return new KubeadmEtcd(options, undefined);
  }

  /**
   * An external etcd. Two Secrets with `tls.crt`, the second one with `tls.key` too, must be there before the cluster: `<cluster>-etcd`
   * with the certificate of etcd's authority and `<cluster>-apiserver-etcd-client` with the API server's pair (kubernetes-sigs/cluster-api
   * util/secret/certificates.go).
   *
   * @param options where it is
   */
  public static external(options: KubeadmExternalEtcdOptions): KubeadmEtcd {
    return new KubeadmEtcd(undefined, options);
  }

  private constructor(
    /** @internal */
    public readonly _stacked: KubeadmStackedEtcdOptions | undefined,
    /** @internal */
    public readonly _external: KubeadmExternalEtcdOptions | undefined,
  ) {}
}

/** The files of an external etcd's certificates. */
export function externalEtcdFiles({ caFile, certFile, keyFile }: KubeadmExternalEtcdOptions) {
  return {
    caFile: caFile ?? '/etc/kubernetes/pki/etcd/ca.crt',
    certFile: certFile ?? '/etc/kubernetes/pki/apiserver-etcd-client.crt',
    keyFile: keyFile ?? '/etc/kubernetes/pki/apiserver-etcd-client.key',
  };
}

/** `etcd` of kubeadm's cluster configuration, or undefined if it is unset. */
export function etcdFields({ _stacked, _external }: KubeadmEtcd): EtcdFields | undefined {
  if (_external) return { external: { endpoints: _external.endpoints, ...externalEtcdFiles(_external) } };
  const { imageRepository, imageTag, dataDir, extraArgs, serverCertSans, peerCertSans } = _stacked ?? {};
  const local = {
    ...(dataDir !== undefined && { dataDir }),
    ...(extraArgs?.length && { extraArgs: extraArgs.map(({ name, value }) => ({ name, value })) }),
    ...(imageRepository !== undefined && { imageRepository }),
    ...(imageTag !== undefined && { imageTag }),
    ...(peerCertSans?.length && { peerCertSaNs: peerCertSans }),
    ...(serverCertSans?.length && { serverCertSaNs: serverCertSans }),
  };
  return Object.keys(local).length > 0 ? { local } : undefined;
}

/** Checks the options of etcd. */
export function checkEtcd(property: string, { _stacked, _external }: KubeadmEtcd): Problem[] {
  return [...(_stacked ? checkStacked(property, _stacked) : []), ...(_external ? checkExternal(property, _external) : [])];
}

function checkStacked(property: string, options: KubeadmStackedEtcdOptions): Problem[] {
  const { extraArgs = [], serverCertSans = [], peerCertSans = [] } = options;
  return [
    ...checkRepository(`${property}.imageRepository`, options.imageRepository),
    ...checkTag(`${property}.imageTag`, options.imageTag),
    ...checkPath(`${property}.dataDir`, options.dataDir),
    ...problemsOf(ARGUMENT_RULE, `${property}.extraArgs`, etcdFindings(extraArgs)),
    ...checkCertificateNames(`${property}.serverCertSans`, serverCertSans),
    ...checkCertificateNames(`${property}.peerCertSans`, peerCertSans),
  ];
}

const FILE = 'kubeadm names the file that it or Cluster API writes';
const EACH_MACHINE = 'it differs from machine to machine, and kubeadm sets it';

/** Flags of etcd that extra arguments cannot carry (kubernetes/kubernetes cmd/kubeadm/app/phases/etcd/local.go), each with the reason. */
const ETCD_FLAGS: Readonly<Record<string, string>> = {
  'advertise-client-urls': EACH_MACHINE,
  'cert-file': FILE,
  'client-cert-auth': 'only clients with a certificate may read the cluster\'s Secrets',
  'data-dir': 'controlPlane.etcd has a property for it',
  'initial-advertise-peer-urls': EACH_MACHINE,
  'initial-cluster': EACH_MACHINE,
  'initial-cluster-state': EACH_MACHINE,
  'key-file': FILE,
  'listen-client-urls': EACH_MACHINE,
  'listen-peer-urls': EACH_MACHINE,
  'name': EACH_MACHINE,
  'peer-cert-file': FILE,
  'peer-client-cert-auth': 'only peers with a certificate may become a member',
  'peer-key-file': FILE,
  'peer-trusted-ca-file': FILE,
  'trusted-ca-file': FILE,
};

/** etcd's flags are in no table, so that only what kubeadm sets itself is known. */
function etcdFindings(args: readonly ComponentArgument[]): Finding[] {
  return args.flatMap(({ name }, index): Finding[] => {
    const at = { path: [index] };
    if (!/^[a-z][a-z0-9-]*$/.test(name)) {
      return [{ ...at, message: `"${name}" is not the name of a flag`, accepted: 'names without leading hyphens, spaces and "="', fix: 'write the name alone, such as "quota-backend-bytes"' }];
    }
    if (Object.hasOwn(ETCD_FLAGS, name)) {
      return [{ ...at, message: `etcd cannot be given --${name}, because ${ETCD_FLAGS[name]}`, fix: `remove ${name}` }];
    }
    const first = args.findIndex((other) => other.name === name);
    return first === index ? [] : [{ ...at, message: `--${name} is there twice, first at position ${first}`, fix: 'keep one of them' }];
  });
}

const ETCD_ENDPOINT_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ETCD-ENDPOINT',
  title: 'An external etcd must have unique https URLs, at least one.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
};

function checkExternal(property: string, options: KubeadmExternalEtcdOptions): Problem[] {
  const { endpoints } = options;
  const rule = ETCD_ENDPOINT_RULE;
  const files = externalEtcdFiles(options);
  return [
    ...(endpoints.length === 0 ? [{ rule, property: `${property}.endpoints`, message: 'there is no endpoint', accepted: 'at least one', fix: 'name the members of etcd' }] : []),
    ...endpoints.flatMap((endpoint, index) => {
      const message = checkUrl(endpoint, ['https']) ?? (endpoints.indexOf(endpoint) < index ? `"${endpoint}" is there twice` : undefined);
      return message === undefined ? [] : [{
        rule, property: `${property}.endpoints[${index}]`, message, accepted: 'URLs such as "https://etcd-0.example.com:2379"', fix: 'correct or remove it',
      }];
    }),
    ...Object.entries(files).flatMap(([name, path]) => checkPath(`${property}.${name}`, path)),
  ];
}
