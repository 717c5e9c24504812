import { Arrow, Box, BoxRole, CHANGE_WORDS, Names, Picture, PlannedBox } from './picture';
import { addonBoxes, Drawn, PlannedBoxes, shortName } from './planned-boxes';
import { Addon, AddonPlace, Cluster, ClusterState, Controller, ControllerRole, ControlPlane, Machine, Pool } from '../../manifests/landscape/cluster-model';
import { partName, withManagement } from '../../manifests/plan/plan-words';
import { bytesText, countText, gpusText } from '../inventory/inventory-rows';

const ROLES: Readonly<Record<ControllerRole, string>> = {
  [ControllerRole.AUTOSCALER]: 'cluster autoscaler',
  [ControllerRole.CLOUD_CONTROLLER_MANAGER]: 'cloud controller manager',
  [ControllerRole.CSI_DRIVER]: 'CSI driver',
  [ControllerRole.OTHER]: 'controller',
};

/**
 * A picture of one cluster: its objects in the management cluster, and what is delivered into it.
 *
 * @param cluster the cluster
 * @param id id of the picture
 * @param planned what becomes of its parts, if a plan is drawn
 */
export function clusterPicture(cluster: Cluster, id: string, planned?: PlannedBoxes): Picture {
  const names = new Names();
  const tenant = cluster.addons.filter(({ runsIn }) => runsIn === AddonPlace.TENANT);
  const beside = cluster.addons.filter(({ runsIn }) => runsIn === AddonPlace.MANAGEMENT);
  const prefixes = [`${cluster.namespace}-${cluster.name}-`, `${cluster.name}-`, `${cluster.name}.`];
  const management = managementBoxes(cluster, names, prefixes, planned);
  const own = addonBoxes(beside, BoxRole.ADDON, names, prefixes, planned);
  const inside = addonBoxes(tenant, BoxRole.ADDON, names, prefixes, planned);
  const others = otherBoxes(names, planned);
  const groups = [
    {
      id: names.of('group management'),
      title: `Management cluster${cluster.namespace === undefined ? '' : `, namespace ${cluster.namespace}`}`,
      boxes: [...management.boxes, ...own.boxes, ...others.management],
      arrows: [...management.arrows, ...own.arrows],
    },
    { id: names.of('group tenant'), title: `Inside the cluster ${cluster.name}`, boxes: [...inside.boxes, ...others.tenant], arrows: inside.arrows },
  ];
  return {
    id,
    title: `Cluster ${cluster.id}`,
    description: [...planned ? [`${CHANGE_WORDS[planned.change]} by the plan`] : [], describe(cluster, tenant)].join('; '),
    groups: groups.filter(({ boxes }) => boxes.length > 0),
    ...(tenant.length > 0 && { between: [deliveriesText(tenant)] }),
  };
}

/** A picture of what belongs to no cluster: what is delivered into the management cluster itself. */
export function managementPicture(addons: readonly Addon[], id: string, planned?: PlannedBoxes): Picture {
  const names = new Names();
  const deliveries = addonBoxes(addons, BoxRole.DELIVERY, names, [], planned);
  const others = otherBoxes(names, planned);
  return {
    id,
    title: 'Management cluster',
    description: `${addons.length} deliveries that belong to no cluster of the manifests, and their order`,
    groups: [{
      id: names.of('group management'),
      title: 'Management cluster',
      boxes: [...deliveries.boxes, ...others.management, ...others.tenant],
      arrows: deliveries.arrows,
    }],
  };
}

/** Boxes for what changes and is nothing else in the picture. */
function otherBoxes(names: Names, planned: PlannedBoxes | undefined): { readonly management: Box[]; readonly tenant: Box[] } {
  const others = planned?.others() ?? [];
  const box = ({ part, planned: what }: typeof others[number]): Box => {
    const title = withManagement(part.managementCluster, partName(part));
    return { id: names.of(title), role: BoxRole.OTHER, title, lines: [], planned: what };
  };
  const isInTenant = ({ part }: typeof others[number]) => part.objects.every(({ inTenant }) => inTenant);
  return { management: others.filter((other) => !isInTenant(other)).map(box), tenant: others.filter(isInTenant).map(box) };
}

function managementBoxes(cluster: Cluster, names: Names, prefixes: readonly string[], planned?: PlannedBoxes): Drawn {
  const entries = addonBoxes(cluster.entries, BoxRole.DELIVERY, names, [], planned);
  const box = (role: BoxRole, title: string, lines: readonly string[], what?: PlannedBox): Box => (
    { id: names.of(title), role, title, lines, ...(what && { planned: what }) });
  const head = box(BoxRole.CLUSTER, `Cluster ${cluster.name}`, clusterLines(cluster), planned?.head());
  const controlPlane = cluster.controlPlane
    && box(BoxRole.CONTROL_PLANE, 'control plane', controlPlaneLines(cluster.controlPlane, cluster), planned?.controlPlane(cluster.controlPlane));
  const infrastructure = cluster.infrastructure
    && box(BoxRole.INFRASTRUCTURE, 'infrastructure', [objectText(cluster.infrastructure)], planned?.inner(cluster.infrastructure));
  const pools = cluster.pools
    .map((pool) => ({ pool, box: box(BoxRole.POOL, `pool ${shortName(pool.name, prefixes)}`, poolLines(pool), planned?.pool(pool)) }));
  const controllers = cluster.controllers.map((controller) => (
    { controller, box: box(BoxRole.CONTROLLER, ROLES[controller.role], controllerLines(controller), planned?.object(controller)) }));

  const applied = lastOf(entries);
  const parts = [controlPlane, infrastructure, ...pools.map((pool) => pool.box)].filter((part) => part !== undefined);
  const arrow = (from: Box, to: Box): Arrow => ({ from: from.id, to: to.id, isOrder: false });
  const scaled = pools.filter(({ pool }) => pool.autoscaled);
  return {
    boxes: [...entries.boxes, head, ...controllers.map((controller) => controller.box), ...parts],
    arrows: [
      ...entries.arrows,
      ...applied.map((from) => ({ from, to: head.id, isOrder: false })),
      ...parts.map((part) => arrow(head, part)),
      ...controllers.flatMap((controller) => (controlPlane ? [arrow(controller.box, controlPlane)] : [])),
      ...controllers.filter(({ controller }) => controller.role === ControllerRole.AUTOSCALER)
        .flatMap((controller) => scaled.map((pool) => arrow(controller.box, pool.box))),
    ],
  };
}

/** Of what applies a cluster, what waits for nothing. */
function lastOf({ boxes, arrows }: Drawn): string[] {
  const waiting = new Set(arrows.map(({ to }) => to));
  return boxes.map(({ id }) => id).filter((id) => !waiting.has(id));
}

function clusterLines({ state, version, clusterClass, podCidrs, serviceCidrs, endpoint }: Cluster): string[] {
  return [
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(state === ClusterState.DECLARED ? [] : [state]),
    ...(clusterClass === undefined ? [] : [`ClusterClass ${clusterClass}`]),
    ...(podCidrs.length === 0 ? [] : [`pods ${podCidrs.join(', ')}`]),
    ...(serviceCidrs.length === 0 ? [] : [`services ${serviceCidrs.join(', ')}`]),
    ...(endpoint === undefined ? [] : [`API server ${endpoint}`]),
  ];
}

function controlPlaneLines(controlPlane: ControlPlane, { version }: Cluster): string[] {
  const { kind, name, replicas, paused, dataStore, exposure, addons = [], machine } = controlPlane;
  return [
    objectText({ kind, name }),
    ...joined(replicas === undefined ? undefined : `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`, version),
    ...joined(machine && machineText(machine)),
    ...joined(dataStore === undefined ? undefined : `data store ${dataStore}`),
    ...joined(exposure === undefined ? undefined : `reached by ${exposure}`),
    ...joined(...addons),
    ...joined(paused ? 'paused' : undefined),
  ];
}

function poolLines({ kind, name, size, version, machine, autoscaled, paused, taints, healthChecked }: Pool): string[] {
  return [
    `${kind} ${name}`,
    ...joined(size ? `${countText(size)} ${size.maximum === 1 ? 'machine' : 'machines'}` : 'machines of a number not known', autoscaled ? 'autoscaled' : undefined, paused ? 'paused' : undefined),
    ...joined(machine && machineText(machine)),
    ...joined(version, healthChecked ? 'health check' : undefined),
    ...joined(taints.length === 0 ? undefined : `taints ${taints.join(', ')}`),
  ];
}

function machineText(machine: Machine): string {
  const { kind, instanceType, cpu, memory, gpus = [] } = machine;
  return [
    ...joined(`${kind}${instanceType === undefined ? '' : ` ${instanceType}`}`, cpu === undefined ? undefined : `${cpu} CPU`, memory === undefined ? undefined : bytesText(memory)),
    ...(gpus.length === 0 ? [] : [gpusText(machine)]),
  ].join(', ');
}

/** The strings that are set, joined on one line; no line if none is. */
function joined(...texts: readonly (string | undefined)[]): string[] {
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? [] : [known.join(', ')];
}

function controllerLines({ kind, name, image }: Controller): string[] {
  return [`${kind} ${name}`, ...(image === undefined ? [] : [image.slice(image.lastIndexOf('/') + 1)])];
}

function objectText({ kind, name }: { readonly kind: string; readonly name?: string }): string {
  return name === undefined ? kind : `${kind} ${name}`;
}

function deliveriesText(addons: readonly Addon[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of addons) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([kind, number]) => (number === 1 ? kind : `${kind} (${number})`));
  return `delivered by ${kinds.join(', ')}`;
}

function describe({ version, state, controlPlane, pools, controllers }: Cluster, tenant: readonly Addon[]): string {
  return [
    `state ${state}`,
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(controlPlane ? [`control plane ${controlPlane.kind}`] : []),
    `pools: ${pools.map(({ name, size }) => `${name} (${countText(size)})`).join(', ') || 'none'}`,
    `controllers: ${controllers.map(({ role }) => ROLES[role]).join(', ') || 'none'}`,
    `addons: ${tenant.map(({ name }) => name).join(', ') || 'none'}`,
  ].join('; ');
}
