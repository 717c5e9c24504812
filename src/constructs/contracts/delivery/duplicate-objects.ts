import { ApiObject } from 'cdk8s';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Objects that are delivered together. */
export interface DeliveredObjects {
  /** Name of the delivery. */
  readonly name: string;

  readonly objects: readonly Identity[];
}

/** The key of an object in its cluster: versions of a group are views of the same object. */
type Identity = Pick<ApiObject, 'apiGroup' | 'kind' | 'name'> & { readonly metadata: { readonly namespace?: string } };

const DELIVERY_MANIFEST_TWICE_RULE: Rule = {
  id: 'TC-DELIVERY-MANIFEST-TWICE',
  title: 'A cluster is given each object, by kind, namespace and name, once only.',
};

/**
 * Reports objects that a cluster is given more than once: the last one that is applied wins, or two deliveries undo each other's work for
 * ever.
 */
export function checkDuplicates(deliveries: readonly DeliveredObjects[]): Problem[] {
  const firstIn = new Map<string, string>();
  const reported = new Set<string>();
  return deliveries.flatMap(({ name: delivery, objects }) => objects.flatMap((object): Problem[] => {
    const { apiGroup, kind, name, metadata: { namespace } } = object;
    const key = JSON.stringify([apiGroup, kind, namespace, name]);
    const first = firstIn.get(key);
    if (first === undefined) {
      firstIn.set(key, delivery);
      return [];
    }
    if (reported.has(key)) return [];
    reported.add(key);
    const who = `the ${kind} "${name}"${namespace === undefined ? '' : ` in namespace "${namespace}"`}`;
    return [{
      rule: DELIVERY_MANIFEST_TWICE_RULE,
      property: `manifests["${delivery}"]`,
      message: first === delivery ? `${who} is there twice` : `${who} is in manifests["${first}"] too`,
      fix: 'keep one of them, or give them different names',
    }];
  }));
}
