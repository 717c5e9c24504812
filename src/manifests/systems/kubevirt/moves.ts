import { machineFields } from './rules/kubevirt-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { MoveFacts, MoveFinding, MoveSides } from '../../rules/move-facts';
import { fieldAt, stringAt } from '../../values/fields';
import { commandLine } from '../../values/printable';

/**
 * The move of a KubevirtCluster. Machines in a third cluster stay where they are, and the next management cluster reaches them by the same
 * kubeconfig. The former one must not have it any more: its provider deletes the virtual machine of a KubevirtMachine that is deleted, also
 * while the Cluster is paused, and `clusterctl move` deletes each of them there.
 *
 * Source: kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtmachine_controller.go (reconcileDelete),
 * pkg/infracluster/infracluster.go, v0.11.2.
 */
export function clusterMove(cluster: ManifestObject, { from }: MoveSides): MoveFacts {
  const secret = fieldAt(cluster, 'spec', 'infraClusterSecretRef');
  const name = stringAt(secret, 'name');
  if (name === undefined) return { obstacles: [notElsewhere(nameOf(cluster) ?? '', from.name)] };
  const namespace = stringAt(secret, 'namespace') ?? namespaceOf(cluster);
  const secretOf = (verb: string) => commandLine(['kubectl', '--context', from.name, '-n', namespace ?? 'default', verb, 'secret', name]);
  const isOwn = namespace === namespaceOf(cluster);
  return {
    obstacles: isOwn ? [] : [{
      message: `the kubeconfig of its machines is in the namespace "${namespace}", and other clusters may use it: the former provider could still delete the machines`,
      fix: 'give the cluster a Secret of its own in its namespace (infraClusterSecretRef), in a commit before',
    }],
    carried: isOwn ? [{ namespace, names: [name], why: 'only one of the two providers may reach the machines' }] : [],
    before: isOwn ? [{
      title: 'take the kubeconfig of the machines from the former provider, which would delete them',
      commands: [secretOf('delete'), `${secretOf('get')}   # must print: not found. Remove what makes it again, such as an ExternalSecret`],
      back: `copy the Secret "${name}" back`,
    }] : [],
  };
}

/** The move of machines whose template names the cluster that they run in, beside the KubevirtCluster. */
export function machineMove(template: ManifestObject, { from }: MoveSides): MoveFacts {
  const own = stringAt(machineFields(template).fields, 'infraClusterSecretRef', 'name');
  return own === undefined ? {} : {
    lookups: [`Secret "${own}" of ${nameOf(template) ?? ''} names the cluster of its machines, beside that of the KubevirtCluster: copy it, and delete it in ${from.name}, as well`],
  };
}

function notElsewhere(name: string, from: string): MoveFinding {
  return {
    message: `the machines of ${name} are virtual machines of ${from}, and their volumes are there: neither moves`,
    fix: `make ${from} their external infrastructure cluster first (infraClusterSecretRef), which replaces each machine once; or make a new cluster beside, `
      + 'and move its applications',
  };
}
