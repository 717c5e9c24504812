import { Construct } from 'constructs';
import { joinName } from '../../../manifests/values/object-name';
import { pemFiles } from '../../../manifests/values/pem';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';

/**
 * Name of the ConfigMap with the certificate authorities of the company's network, for imports of disks; undefined if there is none. It is in
 * the management cluster: machines in another cluster need one there.
 */
export function trustedCasOf({ name, companyNetwork, infrastructure }: ClusterContext): string | undefined {
  const imported = companyNetwork && companyNetwork.trustedCas.length > 0 && (infrastructure.inManagementCluster ?? true);
  return imported ? joinName(name, 'trusted-cas') : undefined;
}

/**
 * Adds that ConfigMap. The importer reads every key, and one for a registry only keys that end with `.crt`
 * (kubevirt/containerized-data-importer pkg/importer/http-datasource.go, transport.go).
 */
export function addTrustedCas(scope: Construct, context: ClusterContext): void {
  const name = trustedCasOf(context);
  if (name === undefined) return;
  new TypedApiObject(scope, 'TrustedCas', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name }, data: pemFiles(context.companyNetwork!.trustedCas) });
}
