import { HOST_DISKS } from './host-disks';
import { nameOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { Provider } from '../../rules/provider';
import { fieldAt } from '../../values/fields';

/**
 * Consequences of a host that is taken out of use.
 *
 * Sources: syself/cluster-api-provider-hetzner pkg/services/baremetal/baremetal/baremetal.go:339 (SetRemediateMachineAnnotationToDeleteMachine),
 * controllers/hetznerbaremetalhost_controller.go (a host with a consumer keeps its finalizer).
 */
function hostConsequences({ before, after }: ManifestChange): ChangeConsequences {
  if (!before || !after) return {};
  const [was, is] = [before, after].map((object) => fieldAt(object, 'spec', 'maintenanceMode') === true);
  if (was || !is) return {};
  return {
    down: [{
      what: `host ${nameOf(after)} and a node on it`,
      detail: 'its machine, if there is one, is marked for remediation: a MachineHealthCheck deletes it, and another host is chosen',
    }],
  };
}

/** Facts of Hetzner that its table does not hold. */
export const HETZNER_FACTS: Partial<Provider> = {
  rules: HOST_DISKS,
  consequences: { 'infrastructure.cluster.x-k8s.io/HetznerBareMetalHost': hostConsequences },
};
