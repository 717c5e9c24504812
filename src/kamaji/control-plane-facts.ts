import { ManifestObject } from '../manifests/manifest-object';
import { ControlPlaneFacts } from '../rules/provider';
import { fieldAt, textAt } from '../values/fields';

/** What a `KamajiControlPlane` states of itself. */
export function controlPlaneFacts(controlPlane: ManifestObject): ControlPlaneFacts {
  const network = fieldAt(controlPlane, 'spec', 'network');
  return {
    endpoint: textAt(network, 'ingress', 'hostname') ?? textAt(network, 'gateway', 'hostname') ?? textAt(network, 'serviceAddress'),
    dataStore: textAt(controlPlane, 'spec', 'dataStoreName'),
  };
}
