import type { k8s } from 'cdk8s-plus-28';
import { NANO, parseQuantity } from '../../manifests/values/quantity';
import { ResourceRequirements } from '../../manifests/values/resource-requirements';
import { Toleration } from '../../manifests/values/taints';
import { CONTAINER_SECURITY, POD_SECURITY } from '../addons/controllers/controller-container';
import { HelmChart } from '../contracts/helm-chart';

const LONGEST_NAME = 63;
const CERTIFICATES = 'certificates';
const FOLDER = '/certificates';

/** Access to an etcd of the chart as the user root, for a program in its namespace. */
export interface EtcdClient {
  /** Namespace of the etcd. */
  readonly namespace: string;

  /** Name of the release, which is in the labels of its pods. */
  readonly releaseName: string;

  /** Name of the StatefulSet. The names of all other objects start with it. */
  readonly name: string;

  /** Labels that only the members have. */
  readonly memberLabels: { readonly [key: string]: string };

  /** URL of the Service in front of all members. */
  readonly endpoint: string;

  /** URLs of the members. */
  readonly members: readonly string[];

  /** Size of the volume of a member. */
  readonly volumeBytes: number;

  /** Secret with the certificate authority as `ca.crt`. */
  readonly authoritySecret: string;

  /** Secret with the certificate of the user root, `tls.crt` and `tls.key`. */
  readonly clientSecret: string;

  /** The certificate authority with its private key, with which Kamaji signs the certificates of tenants. */
  readonly signer: EtcdSigner;

  readonly tolerations?: readonly Toleration[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

/** A Secret with a certificate authority, and the keys in it. */
interface EtcdSigner {
  readonly secret: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * The names that the chart gives its objects. They follow from the final values, which the user may have overridden.
 *
 * Source: clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/templates/_helpers.tpl, etcd_job_preinstall_2.yaml (the same access).
 */
export function etcdClient({ releaseName, namespace, values = {} }: HelmChart): EtcdClient {
  const name = cut(`${values.fullnameOverride ?? releaseName}`);
  const manager = values.certManager ?? {};
  const own = { secret: cut(`${name}-certs`), certificate: 'ca.crt', privateKey: 'ca.key' };
  const certificates = manager.enabled === false
    ? { authoritySecret: own.secret, clientSecret: `${name}-root-client-certs`, signer: own }
    : {
      authoritySecret: manager.serverCert?.nameOverride || cut(`${name}-server-certs`),
      clientSecret: manager.clientCert?.nameOverride || cut(`${name}-client-certs`),
      signer: { secret: manager.ca?.nameOverride || cut(`${name}-ca`), certificate: 'tls.crt', privateKey: 'tls.key' },
    };
  const [domain, port] = [`${namespace}.svc.${values.clusterDomain ?? 'cluster.local'}`, values.clientPort ?? 2379];
  return {
    namespace,
    releaseName,
    name,
    memberLabels: memberLabels(releaseName, values),
    endpoint: `https://${cut(`${name}-client`)}.${domain}:${port}`,
    volumeBytes: Number((parseQuantity(`${values.persistentVolumeClaim?.size}`) ?? 0n) / NANO),
    members: Array.from({ length: Number(values.replicas) }, (_, index) => `https://${name}-${index}.${name}.${domain}:${port}`),
    ...certificates,
    tolerations: values.tolerations,
    imagePullSecrets: values.imagePullSecrets,
  };
}

/** The labels that the chart gives the members of an etcd, and selects them by. */
export function memberLabels(releaseName: string, values: HelmChart['values']): { [key: string]: string } {
  return { 'app.kubernetes.io/instance': releaseName, 'app.kubernetes.io/name': cut(`${values?.nameOverride ?? 'kamaji-etcd'}`) };
}

/** A container of a pod that works on an etcd. */
interface EtcdContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly resources: ResourceRequirements;
  readonly env?: readonly k8s.EnvVar[];
  readonly volumeMounts?: readonly k8s.VolumeMount[];
}

/** A container as a pod has it. */
export function containerOf(container: EtcdContainer): object {
  return { ...container, imagePullPolicy: 'IfNotPresent', securityContext: CONTAINER_SECURITY };
}

/** A container that runs `etcdctl` as the user root. */
export function etcdctlContainer({ endpoint }: EtcdClient, { env = [], volumeMounts = [], ...container }: EtcdContainer): object {
  return containerOf({
    ...container,
    env: [
      { name: 'ETCDCTL_CACERT', value: `${FOLDER}/ca.crt` },
      { name: 'ETCDCTL_CERT', value: `${FOLDER}/tls.crt` },
      { name: 'ETCDCTL_ENDPOINTS', value: endpoint },
      { name: 'ETCDCTL_KEY', value: `${FOLDER}/tls.key` },
      ...env,
    ],
    volumeMounts: [{ name: CERTIFICATES, mountPath: FOLDER, readOnly: true }, ...volumeMounts],
  });
}

/** The pod of a Job: no rights in the management cluster, and compliant with the Pod Security Standard `restricted`. */
export function etcdPod({ authoritySecret, clientSecret, tolerations, imagePullSecrets }: EtcdClient, volumes: readonly k8s.Volume[] = []): object {
  return {
    automountServiceAccountToken: false,
    // The program would read the variables of the namespace's Services as settings.
    enableServiceLinks: false,
    ...(imagePullSecrets?.length && { imagePullSecrets }),
    restartPolicy: 'OnFailure',
    securityContext: POD_SECURITY,
    ...(tolerations?.length && { tolerations }),
    volumes: [{
      name: CERTIFICATES,
      projected: {
        defaultMode: 0o440,
        sources: [
          { secret: { name: authoritySecret, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          { secret: { name: clientSecret, items: [{ key: 'tls.crt', path: 'tls.crt' }, { key: 'tls.key', path: 'tls.key' }] } },
        ],
      },
    }, ...volumes],
  };
}

/** Labels of the pods that work on an etcd. The Services of the etcd must not select them. */
export function etcdLabels({ releaseName }: EtcdClient, component: string): { [key: string]: string } {
  return { 'app.kubernetes.io/component': component, 'app.kubernetes.io/instance': releaseName, 'app.kubernetes.io/name': `etcd-${component}` };
}

function cut(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(/-$/, '');
}
