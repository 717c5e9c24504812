import { controlPlanePart } from './control-plane-part';
import { machinePart } from './machine-part';
import { KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE } from '../../../rules/cluster-api/cluster-api-kinds';
import { instance, PageExpression } from '../../../rules/page-expression';
import { BootstrapPart, PageParts, PartForms } from '../../../rules/page-parts';
import { fieldAt } from '../../../values/fields';

const CONFIGURATION = ['spec', 'template', 'spec'];

/** Reads a KubeadmConfigTemplate as the class that makes it. */
function bootstrap({ stored, plain }: PartForms): BootstrapPart {
  if (!plain) return { pool: {} };
  const { options, pool } = machinePart(fieldAt(stored, ...CONFIGURATION), fieldAt(plain, ...CONFIGURATION));
  const isPlain = Object.values(options).every((option) => option === undefined);
  // A pool without taints and one with an empty list are the same.
  const taints = Array.isArray(pool.taints) && pool.taints.length > 0 ? pool.taints as readonly PageExpression[] : undefined;
  return { bootstrap: isPlain ? undefined : instance('KubeadmBootstrap', options), pool: { ...pool, taints } };
}

/** The classes of pages that make kubeadm's objects. */
export const PAGE_PARTS: PageParts = {
  controlPlanes: { [KUBEADM_CONTROL_PLANE]: controlPlanePart },
  bootstraps: { [KUBEADM_CONFIG_TEMPLATE]: bootstrap },
  compared: [KUBEADM_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE],
};
