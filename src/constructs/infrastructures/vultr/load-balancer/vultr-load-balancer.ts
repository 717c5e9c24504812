import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { loadBalancerAnnotations } from './annotations';
import { checkLoadBalancer } from './checks';
import { VULTR_LOAD_BALANCER_RULES } from './rules';
import { VultrLoadBalancerOptions } from './vultr-load-balancer-options';
import { Problems } from '../../../app/problems/problems';

/**
 * Publishes a Service by Vultr's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * vultr.VultrLoadBalancer.publish(service, { label: 'web', httpsRedirect: true });
 */
export class VultrLoadBalancer {
  /**
   * Publishes a Service.
   *
   * @param service a Service of type LoadBalancer, e.g. a `Service` of cdk8s-plus or an `ApiObject` (`TC-VULTR-LB-SERVICE`)
   * @param options how
   */
  public static publish(service: IConstruct, options: VultrLoadBalancerOptions = {}): void {
    const object = ApiObject.of(service);
    Object.entries(loadBalancerAnnotations(options)).forEach(([key, value]) => object.metadata.addAnnotation(key, value));
    const problems = Problems.of(service);
    if (object.kind !== 'Service') {
      problems.add({ rule: VULTR_LOAD_BALANCER_RULES.service, property: 'service', message: `it is a ${object.kind}`, fix: 'give the Service' });
      return;
    }
    // Ports may still be added, and fields patched.
    problems._addCheck(() => checkLoadBalancer(options, object.toJson()));
  }

  private constructor() {}
}
