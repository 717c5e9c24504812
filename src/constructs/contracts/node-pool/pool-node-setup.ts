import { PoolContext } from './pool-context';
import { Machine } from '../machine';
import { mergeNodeSetups } from '../node-setup';

/** The machines with what infrastructure and machines ask of their nodes, which strategies for bootstraps get. */
export function withNodeSetup(context: PoolContext, machine: Machine): PoolContext {
  const { externalCloudProvider, nodeSetup = {} } = context.cluster.infrastructure;
  const general = externalCloudProvider ? mergeNodeSetups({ kubeletArguments: { 'cloud-provider': 'external' } }, nodeSetup) : nodeSetup;
  return { ...context, nodeSetup: mergeNodeSetups(general, machine.nodeSetup(context) ?? {}) };
}
