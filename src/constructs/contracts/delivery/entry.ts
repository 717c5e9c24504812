import { Construct } from 'constructs';
import { ClusterDeliveries, IEarlierDeliveries } from './cluster-deliveries';
import { DeliveryTarget } from './delivery-target';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName, claimsExcused } from '../../app/synth/claims';
import { placePart } from '../../app/synth/output-place';

/** The object of the management cluster that a delivery is known by. */
export interface DeliveringObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const DELIVERY_AFTER_RULE: Rule = {
  id: 'TC-DELIVERY-AFTER',
  title: 'A delivery comes after deliveries of the same cluster only.',
  source: 'fluxcd/helm-controller internal/controller/helmrelease_controller.go (a missing dependency blocks for ever)',
};

const DELIVERY_NAME_RULE: Rule = {
  id: 'TC-DELIVERY-NAME',
  title: 'The name of a delivery is a DNS label: objects of the management cluster are named after it.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/**
 * Opens a scope for the objects of one delivery.
 *
 * @returns the scope, named like the delivery; undefined when its name cannot be used, which is reported
 */
export function enter(
  scope: Construct, delivery: { readonly name: string; readonly after: IEarlierDeliveries }, target: DeliveryTarget, object: DeliveringObject,
): Construct | undefined {
  const { name, after } = delivery;
  const problems = Problems.of(scope);
  const fault = checkDnsLabel(name);
  const deliveries = ClusterDeliveries.of(scope, target);
  if (fault !== undefined) {
    deliveries.refuse(name);
    problems.add({ rule: DELIVERY_NAME_RULE, message: `the delivery is called ${JSON.stringify(name)}: ${fault}`, fix: 'rename it' });
    return undefined;
  }
  // The cluster has the name of another one, whose deliveries these would be.
  if (claimsExcused(scope)) return undefined;
  if (!deliveries.add(name, { kind: object.kind, after })) {
    problems.add(taken(`two deliveries of the cluster are called "${name}"`));
    return undefined;
  }
  const owner = claimName(scope, object.kind, `${object.namespace}/${object.name}`);
  if (owner !== undefined) {
    problems.add(taken(`the ${object.kind} "${object.name}" in namespace "${object.namespace}" is made by ${owner} already`));
    return undefined;
  }
  problems._addCheck(() => deliveries.unknown(after.names).map((other) => ({
    rule: DELIVERY_AFTER_RULE,
    message: `"${name}" comes after "${other}", and nothing of that name is delivered to the cluster`,
    fix: `deliver "${other}" too, or remove it from what comes before "${name}"`,
  })));
  return placePart(new Construct(scope, name), `addons/${name}`);
}

const DELIVERY_NAME_TAKEN_RULE: Rule = {
  id: 'TC-DELIVERY-NAME-TAKEN',
  title: 'Two deliveries do not make objects of one name.',
};

function taken(message: string): Problem {
  return { rule: DELIVERY_NAME_TAKEN_RULE, message, fix: 'rename one of the two' };
}
