import { nameOf } from '../../objects/manifest-object';
import { MoveFactsOf } from '../../rules/move-facts';

/**
 * The move of a K0smotronControlPlane. Its pods and its etcd run in the management cluster, and k0smotron makes them anew, and empty, in another one.
 *
 * Source: k0sproject/k0smotron api/k0smotron.io/v1beta2 (ClusterSpec: etcd.persistence, persistence), v2.1.0.
 */
export const hostedMove: MoveFactsOf = (controlPlane, { from, to }) => ({
  obstacles: [{
    message: `the control plane ${nameOf(controlPlane) ?? ''} runs in ${from.name} with its data, which do not move: it would be empty in ${to.name}`,
    fix: 'make a new cluster beside it, and move its applications',
  }],
});
