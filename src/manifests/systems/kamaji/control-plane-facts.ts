import { ManifestObject } from '../../objects/manifest-object';
import { ControlPlaneFacts } from '../../rules/provider';
import { fieldAt, stringAt } from '../../values/fields';

/** What a `KamajiControlPlane` states of itself. */
export function controlPlaneFacts(controlPlane: ManifestObject): ControlPlaneFacts {
  const network = fieldAt(controlPlane, 'spec', 'network');
  return {
    endpoint: stringAt(network, 'ingress', 'hostname') ?? stringAt(network, 'gateway', 'hostname') ?? stringAt(network, 'serviceAddress'),
    dataStore: stringAt(controlPlane, 'spec', 'dataStoreName'),
  };
}
