import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { OperatorIdentity } from './operator-identity';
import { GROUP_READABLE } from './operator-volume';
import { Certificate, Issuer } from '../../../../imports/cert-manager.io';

/** An issuer of cert-manager. */
export interface OperatorIssuerRef {
  /** Name of the issuer (`TC-OPERATOR-CERTIFICATE`). */
  readonly name: string;

  /**
   * True if it is a `ClusterIssuer`. An `Issuer` is in the namespace of the operator.
   *
   * @default false
   */
  readonly clusterIssuer?: boolean;
}

/** How a container gets at a certificate. */
export interface CertificateMount {
  /** Property of the operator that has the certificate. */
  readonly feature: string;

  readonly volume: k8s.Volume;
  readonly mount: k8s.VolumeMount;
}

/** What is served with a certificate. */
export interface CertifiedService {
  /** Id of the construct. */
  readonly id: string;

  /** Name of the Service, and of the `Certificate`. */
  readonly service: string;

  readonly secretName: string;

  /** Absent for the operator's own, which signs every certificate by itself. */
  readonly issuer?: OperatorIssuerRef;
}

/** Names that a Service is called by (kubernetes-sigs/kubebuilder testdata/project-v4/config/certmanager). */
export function serviceHosts(service: string, { namespace }: OperatorIdentity): [short: string, full: string] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}

/** The files of a Secret with a certificate, as the operator's container finds them. */
export function certificateMount(feature: string, name: string, secretName: string, mountPath: string): CertificateMount {
  return { feature, volume: { name, secret: { secretName, defaultMode: GROUP_READABLE } }, mount: { name, mountPath, readOnly: true } };
}

/** Makes the `Certificate` for a Service of the operator, and the operator's own `Issuer` where it needs one. */
export function addCertificate(scope: Construct, identity: OperatorIdentity, { id, service, secretName, issuer }: CertifiedService): void {
  const { name, namespace, labels } = identity;
  const own = `${name}-selfsigned`;
  if (!issuer && !scope.node.tryFindChild('Issuer')) new Issuer(scope, 'Issuer', { metadata: { name: own, namespace, labels }, spec: { selfSigned: {} } });
  new Certificate(scope, id, {
    metadata: { name: service, namespace, labels },
    spec: {
      dnsNames: serviceHosts(service, identity),
      issuerRef: { group: 'cert-manager.io', kind: issuer?.clusterIssuer ? 'ClusterIssuer' : 'Issuer', name: issuer?.name ?? own },
      secretName,
    },
  });
}
