import { Carrier, MovedObject, MoveStep } from './move-model';
import { MOVE_LABEL } from './moved-objects';
import { deliveryHold } from '../landscape/delivery-holds';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../objects/manifest-object';
import { classNameOf } from '../rules/cluster-api/cluster-classes';
import { ManifestIndex } from '../rules/manifest-index';
import { CarriedSecrets, MoveCommands, MoveFacts } from '../rules/move-facts';
import { deliveryFacts } from '../systems/providers';
import { numberAt } from '../values/fields';
import { commandLine } from '../values/printable';

/** Everything that the steps of a move follow from. */
export interface MovedCluster {
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;

  readonly index: ManifestIndex;

  /** Deliveries that apply the objects of the cluster. */
  readonly entries: readonly ManifestObject[];

  /** Deliveries to the cluster, from any namespace. */
  readonly deliveries: readonly ManifestObject[];

  /** Programs that work for the cluster beside its control plane. */
  readonly controllers: readonly ManifestObject[];
  readonly objects: readonly MovedObject[];
  readonly facts: readonly MoveFacts[];
}

/** Leaves of an object its name, labels, annotations and content. */
const STRIP = '(.items // [.])[] | .metadata |= {name, namespace, labels, annotations}';

/**
 * The steps of a move, in their order.
 *
 * Source: kubernetes-sigs/cluster-api cmd/clusterctl/client/cluster/mover.go, v1.14.2: it pauses the Clusters of the namespace itself, and
 * refuses those that are paused.
 */
export function moveSteps(cluster: MovedCluster): MoveStep[] {
  const carried = cluster.facts.flatMap((facts) => facts.carried ?? []);
  return [
    stopDelivery(cluster),
    ...stopPrograms(cluster),
    commands('look at both sides', lookAt(cluster), 'nothing has changed'),
    ...copySecrets(cluster, carried),
    ...cluster.facts.flatMap(({ before = [] }) => before).map(asStep),
    ...labelObjects(cluster),
    moveItself(cluster),
    ...cluster.facts.flatMap(({ after = [] }) => after).map(asStep),
    bringDelivery(cluster),
    cleanUp(cluster),
  ];
}

function asStep(step: MoveCommands): MoveStep {
  return { step: 'commands', changes: [], ...step };
}

function commands(title: string, lines: readonly string[], back: string): MoveStep {
  return asStep({ title, commands: lines, back });
}

function kubectl({ namespace }: MovedCluster, context: string, ...words: readonly string[]): string {
  return commandLine(['kubectl', '--context', context, '-n', namespace, ...words]);
}

/** A kind, as kubectl finds it: by the name of one object and the group. */
function resource(kind: string): string {
  const [group, name] = kind.split('/');
  return group === '' ? name.toLowerCase() : `${name.toLowerCase()}.${group}`;
}

function stopDelivery({ entries, from }: MovedCluster): MoveStep {
  const running = entries.filter((entry) => !isStopped(entry));
  const held = entries.filter(isStopped);
  const unknown = entries.length === 0
    ? [`what applies these objects in ${from} is not among the manifests: stop it, or it makes them again after the move`] : [];
  return {
    step: 'commit',
    title: `stop the delivery in ${from}: it would make the objects again there, and two management clusters would work on one infrastructure`,
    changes: [
      ...running.map((entry) => `${objectName(entry)}: ${patchText(entry)}`),
      ...held.map((entry) => `${objectName(entry)}: ${deliveryHold(entry)!.is} already`),
      'of a page: moving: true',
      ...unknown,
    ],
    commands: [],
    back: 'revert the commit',
  };
}

function patchText(delivery: ManifestObject): string {
  const { stopped } = deliveryFacts(delivery) ?? {};
  return stopped ? JSON.stringify(stopped) : 'stop it, in the way of its tool';
}

/** True if a delivery applies nothing by itself, and what it has installed stays when it goes. */
function isStopped(delivery: ManifestObject): boolean {
  return deliveryHold(delivery) !== undefined && deliveryFacts(delivery)?.keepsRemoved?.(delivery) === true;
}

/** Programs that write to the cluster, or to its infrastructure, run on one side at a time. */
function stopPrograms(cluster: MovedCluster): MoveStep[] {
  const patches = cluster.deliveries.filter((delivery) => !cluster.entries.includes(delivery) && !isStopped(delivery)).flatMap((delivery) => {
    const stopped = deliveryFacts(delivery)?.stopped;
    const target = `${resource(groupKind(delivery))}/${nameOf(delivery) ?? ''}`;
    const place = ['kubectl', '--context', cluster.from, '-n', namespaceOf(delivery) ?? 'default'];
    return stopped ? [commandLine([...place, 'patch', target, '--type', 'merge', '-p', JSON.stringify(stopped)])] : [];
  });
  const scale = (number: (controller: ManifestObject) => number) => cluster.controllers
    .map((controller) => kubectl(cluster, cluster.from, 'scale', `${resource(groupKind(controller))}/${nameOf(controller) ?? ''}`, `--replicas=${number(controller)}`));
  const lines = [...patches, ...scale(() => 0)];
  if (lines.length === 0) return [];
  const restore = scale((controller) => numberAt(controller, 'spec', 'replicas') ?? 1).join('; ');
  return [commands(
    'stop what delivers to the cluster and what works for it beside its control plane: it comes to the other side by the repository',
    lines, `undo the patches${restore === '' ? '' : `; ${restore}`}; without the commit before, its tool does both`,
  )];
}

/** The kinds that clusterctl moves, for kubectl. */
function machineryKinds(objects: readonly MovedObject[]): string {
  return [...new Set(objects.filter(({ by }) => by === Carrier.CLUSTERCTL).map(({ kind }) => resource(kind)))].sort().join(',');
}

function lookAt(cluster: MovedCluster): string[] {
  return [
    `${kubectl(cluster, cluster.from, 'get', 'clusters,machines')}   # not paused, and each Machine has a node: else clusterctl refuses`,
    `${commandLine(['kubectl', '--context', cluster.from, 'get', 'crd', '-l', 'clusterctl.cluster.x-k8s.io', '-o', 'name'])}   # must name the kinds below: clusterctl and the `
      + 'Cluster API Operator label what they install, and what has no label stays behind',
    `${kubectl(cluster, cluster.to, 'get', machineryKinds(cluster.objects))}   # must print: No resources found. An unknown kind is a missing definition`,
  ];
}

function copySecrets(cluster: MovedCluster, carried: readonly CarriedSecrets[]): MoveStep[] {
  if (carried.length === 0) return [];
  const { from, to, namespace } = cluster;
  return [commands(
    'copy the Secrets that clusterctl must not, or cannot, take',
    [
      ...(namespace === 'default' ? [] : [`${commandLine(['kubectl', '--context', to, 'create', 'namespace', namespace])}   # one that exists already is no error`]),
      ...carried.map(({ names }) => (
        `${kubectl(cluster, from, 'get', 'secret', ...names, '-o', 'json')} | ${commandLine(['jq', STRIP])} | ${kubectl(cluster, to, 'create', '-f', '-')}`)),
    ],
    // The namespace may have been there before, with objects of others.
    carried.map(({ names }) => kubectl(cluster, to, 'delete', 'secret', ...names)).join('; '),
  )];
}

function labelObjects(cluster: MovedCluster): MoveStep[] {
  const labelled = cluster.objects.filter(({ by }) => by === Carrier.LABEL);
  if (labelled.length === 0) return [];
  const label = (change: string) => labelled.map(({ kind, namespace, name }) => (
    commandLine(['kubectl', '--context', cluster.from, '-n', namespace ?? cluster.namespace, 'label', `${resource(kind)}/${name}`, change])));
  return [commands('label what clusterctl would leave behind', label(`${MOVE_LABEL}=`), label(`${MOVE_LABEL}-`).join('; '))];
}

/**
 * The way back of the move. clusterctl pauses the Clusters on the former side first, and refuses paused ones, so that it does not go on by itself.
 * A system with commands before the move needs them on the way back, too: on that side, its controllers are the ones that would delete.
 */
function wayBack({ from, to, namespace, name, facts }: MovedCluster, back: string): string {
  const resume = (context: string) => (
    commandLine(['kubectl', '--context', context, '-n', namespace, 'patch', `cluster/${name}`, '--type', 'merge', '-p', '{"spec":{"paused":null}}']));
  const guarded = facts.some(({ before = [] }) => before.length > 0);
  return `where it was interrupted and has deleted nothing in ${from} yet, resume the Cluster there (${resume(from)}) and run it again at once, or delete what it has `
    + `made in ${to}; where it has begun to delete, never resume it in ${from}: delete the rest there without finalizers, then resume it in ${to}. `
    + `After it: ${guarded ? `all these steps with ${from} and ${to} exchanged, never clusterctl alone, which would have machines or data deleted` : `${back}, then the steps before in reverse`}`;
}

function moveItself(cluster: MovedCluster): MoveStep {
  const { from, to, namespace } = cluster;
  const move = (source: string, target: string, ...more: readonly string[]) => commandLine([
    'clusterctl', 'move', '--kubeconfig-context', source, '--to-kubeconfig', 'KUBECONFIG', '--to-kubeconfig-context', target, '--namespace', namespace, ...more,
  ]).replace(' KUBECONFIG ', ' "${KUBECONFIG:-$HOME/.kube/config}" ');
  return commands(
    'move',
    [
      move(from, to, '--dry-run', '-v', '5'),
      move(from, to),
      `${kubectl(cluster, to, 'get', 'clusters,machines')}   # the same names as before, and Running`,
    ],
    wayBack(cluster, move(to, from)),
  );
}

function bringDelivery({ from, to, namespace, objects }: MovedCluster): MoveStep {
  const kinds = machineryKinds(objects);
  return {
    step: 'commit',
    title: `bring the cluster in ${to}, and take it out of ${from}`,
    changes: [
      `the manifests of the cluster go from the folder of ${from} to that of ${to}, as they are, with what applies them, which is running again`,
      'of a page: the other managementCluster, and no moving; delete what was kept of it for the former one',
      `validate --against does not know that the cluster is elsewhere: --silence ${commandLine([`TC-CHANGE-CLUSTER-REMOVED=moved to ${to}`])}`,
    ],
    commands: [
      `${commandLine(['kubectl', '--context', to, '-n', namespace, 'get', kinds, '-o', 'json', '--show-managed-fields'])} > live.json`,
      'npx cdk8s-cluster-api drift --live live.json   # before the merge: nothing differs that replaces a machine',
    ],
    back: 'revert the commit, before the way back of the move',
  };
}

function cleanUp(cluster: MovedCluster): MoveStep {
  const { from, namespace } = cluster;
  const left = kubectl(cluster, from, 'get', 'all,secrets,configmaps,persistentvolumeclaims');
  return commands(
    `remove what is left in ${from}`,
    [
      `${kubectl(cluster, from, 'get', 'clusters,machines')}   # must print: No resources found`,
      ...(isAlone(cluster)
        ? [`${left}   # must have nothing that others need`, commandLine(['kubectl', '--context', from, 'delete', 'namespace', namespace])]
        : [`${left}   # delete what is of ${cluster.name}: others use the namespace`]),
    ],
    'none: the cluster is moved',
  );
}

/** True if the namespace has no other cluster, and no ClusterClass that clusters elsewhere are made of. */
function isAlone({ index, namespace, name }: MovedCluster): boolean {
  return namespace !== 'default' && index.all('cluster.x-k8s.io/Cluster').every((object) => (
    namespaceOf(object) === namespace ? nameOf(object) === name : classNameOf(object).namespace !== namespace));
}
