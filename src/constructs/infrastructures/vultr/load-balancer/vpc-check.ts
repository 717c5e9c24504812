import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { VULTR_LOAD_BALANCER_RULES } from './rules';
import { PREFIX } from '../../../../manifests/systems/vultr/service-annotations';
import { Problem } from '../../../../manifests/values/problem';
import { checkWritten } from '../../../app/synth/written-manifest';
import { tenantCharts } from '../../../app/tenant-trees';

const ATTACHMENTS = ['vpc', 'private-network'].map((name) => `${PREFIX}${name}`);

/**
 * Checks that the load balancers of Services are in the VPC of the machines.
 *
 * @param cluster the cluster that the user made, whose tenant the Services go to; those in charts of Helm are not seen
 */
export function checkServicesInVpc(cluster: IConstruct): Problem[] {
  const constructs = tenantCharts(cluster).flatMap(({ node }) => node.findAll());
  const services = constructs.filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && construct.kind === 'Service');
  return services.flatMap((service) => checkWritten(service, ({ metadata = {}, spec = {} }) => {
    const decided = ATTACHMENTS.some((annotation) => metadata.annotations?.[annotation] !== undefined);
    if (spec.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined || decided) return [];
    return [{
      rule: VULTR_LOAD_BALANCER_RULES.vpc,
      property: 'workloads',
      message: `the load balancer of the Service "${metadata.namespace}/${metadata.name}" is not attached to the VPC of the machines: it sends traffic and `
        + 'health checks to their public addresses, where the firewall group must allow all addresses',
      fix: 'call VultrLoadBalancer.publish(service, { vpc: true }), or with vpc: false if this is meant',
    }];
  }));
}
