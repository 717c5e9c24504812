import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { Problem } from '../../problems/problem';
import { isKnownMinor } from '../../values/component-facts';
import { fieldText } from '../../values/fields';
import { nearestName } from '../../values/nearest-name';

/** Minors in which a gate of kubeadm can be switched, and those in which it is there and locked to `true`. */
interface KubeadmGate {
  readonly open: readonly string[];
  readonly locked: readonly string[];
}

// kubernetes/kubernetes cmd/kubeadm/app/features/features.go at v1.33.13, v1.34.4, v1.35.4 and v1.36.3.
const GATES: Readonly<Record<string, KubeadmGate>> = {
  ControlPlaneKubeletLocalMode: { open: ['1.33', '1.34'], locked: ['1.35'] },
  NodeLocalCRISocket: { open: ['1.33', '1.34', '1.35'], locked: ['1.36'] },
  PublicKeysECDSA: { open: ['1.33', '1.34', '1.35', '1.36'], locked: [] },
  RootlessControlPlane: { open: ['1.33', '1.34', '1.35', '1.36'], locked: [] },
  WaitForAllControlPlaneComponents: { open: ['1.33'], locked: ['1.34'] },
};

/** Checks feature gates of kubeadm itself. */
export function checkKubeadmFeatureGates(property: string, gates: Readonly<Record<string, boolean>>, minor: string): Problem[] {
  if (!isKnownMinor(minor)) return [];
  return Object.entries(gates).flatMap(([name, enabled]): Problem[] => {
    const at = { rule: KUBEADM_CONTROL_PLANE_RULES.kubeadmFeatureGate, property: fieldText([name], property) };
    const gate = Object.hasOwn(GATES, name) ? GATES[name] : undefined;
    if (gate?.open.includes(minor) || (gate?.locked.includes(minor) && enabled)) return [];
    if (gate?.locked.includes(minor)) {
      return [{ ...at, message: `the feature gate ${name} of kubeadm is locked to true in ${minor}`, fix: `remove ${name}` }];
    }
    const near = gate ? undefined : nearestName(name, Object.keys(GATES));
    return [{
      ...at,
      message: `kubeadm ${minor} has no feature gate "${name}" and does not start with it`,
      accepted: Object.keys(GATES).filter((known) => [...GATES[known].open, ...GATES[known].locked].includes(minor)).join(', '),
      fix: near ? `did you mean ${near}?` : `remove ${name}; gates of Kubernetes go to its components`,
    }];
  });
}
