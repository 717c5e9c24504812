import { CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_SET } from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { stringAt } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';

const ANNOTATION = 'machineset.cluster.x-k8s.io/skip-preflight-checks';
const CHECKS: readonly string[] = ['All', 'ControlPlaneIsStable', 'ControlPlaneVersionSkew', 'KubeadmVersionSkew', 'KubernetesVersionSkew'];

/** Checks that are left out before machines are made. */
export const POOL_PREFLIGHT: ManifestRule = {
  id: 'TC-ADMIT-POOL-PREFLIGHT',
  title: 'Skipped preflight checks of a pool must be checks that Cluster API has.',
  source: `${CORE_WEBHOOKS}/machineset.go (validateSkippedMachineSetPreflightChecks)`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  example: {
    failing: poolYaml({ metadata: `annotations:\n  ${ANNOTATION}: KubeadmSkew` }),
    corrected: poolYaml({ metadata: `annotations:\n  ${ANNOTATION}: KubeadmVersionSkew` }),
  },
  check: (object) => (stringAt(object, 'metadata', 'annotations', ANNOTATION)?.split(',') ?? [])
    .map((name) => name.trim()).filter((name) => !CHECKS.includes(name)).map((name) => ({
      path: ['metadata', 'annotations', ANNOTATION], message: `${JSON.stringify(name)} is not a preflight check`, accepted: CHECKS.join(', '), fix: 'write one of these',
    })),
};
