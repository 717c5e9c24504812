import { CNI_RULES } from './rules';
import { ClusterContext } from '../../cluster-context';
import { ApiServerAddress } from '../../control-plane/control-plane';
import { Problem } from '../../validation/problem';

/** Where nodes reach the API server without the help of a Service; undefined where nobody knows it at synthesis. */
export function apiServerAddress({ apiServer, infrastructure }: ClusterContext): ApiServerAddress | undefined {
  return (infrastructure.inManagementCluster ? apiServer.internal : undefined) ?? apiServer.published;
}

/** Checks that a pod network that does the work of kube-proxy can do it. */
export function checkApiServerAddress(property: string, context: ClusterContext): Problem[] {
  return apiServerAddress(context) ? [] : [{
    rule: CNI_RULES.apiServerAddress,
    property,
    message: 'without kube-proxy nodes reach the API server only by an address of its own, and that is not known before the control plane is up',
    fix: context.controlPlane.endpointManager === undefined
      ? 'let kube-proxy run, or have the infrastructure, which makes the endpoint, state the address (Infrastructure.apiServerAddresses)'
      : 'give the exposure of the control plane a fixed address or host name, or let kube-proxy run',
  }];
}
