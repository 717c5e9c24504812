import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { joinName } from '../../../manifests/values/object-name';
import { tenantChart } from '../../addons/tenant-chart';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';

/**
 * Makes the ConfigMap that holds a HelmRelease back: a release whose `valuesFrom` names one that does not exist is neither installed nor
 * upgraded. With the label, helm-controller notices at once when it comes.
 *
 * Source: fluxcd/pkg chartutil/values.go (ChartValuesFromReferences, v1.27.1), apis/meta/labels.go (LabelKeyWatch, v1.30.1).
 *
 * @param scope the construct whose problems those of the manifests are
 * @param gate name of the delivery that applies it
 * @param target the management cluster
 */
export function makeGate(scope: Construct, gate: string, { name, namespace }: DeliveryTarget): { manifests: Chart; configMap: string } {
  const manifests = tenantChart(scope, gate);
  const configMap = joinName(name, gate);
  new TypedApiObject(manifests, 'Gate', { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: configMap, namespace, labels: { 'reconcile.fluxcd.io/watch': 'Enabled' }, annotations: keepOnPrune() },
    data: { 'values.yaml': '{}\n' },
  });
  return { manifests, configMap };
}
