import { Alert, AlertsOf, MINUTE } from './alert';
import { CustomResourceMetric } from './custom-resource-metrics';
import { newest } from './metrics';
import { nameOf, namespaceOf } from '../../objects/manifest-object';

/**
 * The alert of a component whose object has a condition that is True when all is well.
 *
 * @param metric the conditions of its kind
 * @param type the condition
 * @param seconds whole seconds after which the component should be ready
 */
export function componentAlert(metric: CustomResourceMetric<'namespace' | 'name' | 'status' | 'type'>, type: string, seconds = 15 * MINUTE): AlertsOf {
  return (object): Alert[] => {
    const [namespace, name] = [namespaceOf(object), nameOf(object) ?? ''];
    const of = { ...(namespace !== undefined && { namespace }), name };
    return [{
      name: 'ComponentNotReady',
      expr: `${newest(metric, ['customresource_kind', 'name'], { ...of, type, status: 'True' })} == 0`,
      seconds,
      severity: 'critical',
      summary: `The ${String(object.kind)} ${name} does not have the condition ${type}.`,
    }];
  };
}
