import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { loadBalancerAnnotations } from './annotations';
import { checkLoadBalancer } from './checks';
import { NifcloudLoadBalancerOptions } from './nifcloud-load-balancer-options';
import { NIFCLOUD_LOAD_BALANCER_RULES } from './rules';
import { Problems } from '../../../app/problems/problems';

/**
 * Publishes a Service by Nifcloud's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * nifcloud.NifcloudLoadBalancer.publish(service, { networkVolume: 100 });
 */
export class NifcloudLoadBalancer {
  /**
   * Publishes a Service: 1 to 3 TCP ports, open to single addresses or to all.
   *
   * Rules: `TC-NIFCLOUD-LB-PORTS`, `TC-NIFCLOUD-LB-SOURCE-RANGE`.
   *
   * @param service a Service of type LoadBalancer, e.g. a `Service` of cdk8s-plus or an `ApiObject` (`TC-NIFCLOUD-LB-SERVICE`)
   * @param options options of the load balancer
   */
  public static publish(service: IConstruct, options: NifcloudLoadBalancerOptions = {}): void {
    const object = ApiObject.of(service);
    Object.entries(loadBalancerAnnotations(options)).forEach(([key, value]) => object.metadata.addAnnotation(key, value));
    const problems = Problems.of(service);
    if (object.kind !== 'Service') {
      problems.add({ rule: NIFCLOUD_LOAD_BALANCER_RULES.service, property: 'service', message: `it is a ${object.kind}`, fix: 'give the Service' });
      return;
    }
    // Ports may still be added, and fields patched.
    problems._addCheck(() => checkLoadBalancer(options, object.toJson()));
  }

  private constructor() {}
}
