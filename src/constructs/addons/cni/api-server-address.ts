import { CNI_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';
import { ApiServerAddress } from '../../contracts/api-server-address';
import { ClusterContext } from '../../contracts/cluster-context';

/** Address of the API server for nodes, without a Service; undefined if it is unknown at synthesis. */
export function apiServerAddress({ apiServer, infrastructure }: ClusterContext): ApiServerAddress | undefined {
  return (infrastructure.inManagementCluster ? apiServer.internal : undefined) ?? apiServer.published;
}

/**
 * Checks that a pod network that replaces kube-proxy can reach the API server.
 *
 * @param property the property that has it replace kube-proxy
 * @param beside what to write for a pod network beside kube-proxy
 */
export function checkApiServerAddress(property: string, beside: string, context: ClusterContext): Problem[] {
  return apiServerAddress(context) ? [] : [{
    rule: CNI_RULES.apiServerAddress,
    property,
    message: 'without kube-proxy nodes reach the API server only by an address of its own, and that is not known before the control plane is up',
    fix: context.controlPlane.endpointManager === undefined ? `let kube-proxy run: write ${beside}`
      : `give the exposure of the control plane a fixed address or host name, or let kube-proxy run: write ${beside}`,
  }];
}
