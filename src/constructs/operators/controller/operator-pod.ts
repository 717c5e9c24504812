import type { k8s } from 'cdk8s-plus-28';
import { METRICS_PORT, metricsMounts } from './metrics-objects';
import { CertificateMount } from './operator-certificate';
import { containerSources, containerSpec, OperatorContainer } from './operator-container';
import { healthOf, leaderElectionArgs } from './operator-features';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorProps } from './operator-props';
import { OperatorVolume } from './operator-volume';
import { webhookMount, webhookPort, webhooksOf } from './webhook-objects';
import { POD_SECURITY } from '../../addons/controllers/controller-container';
import { podSources } from '../../addons/controllers/tenant-controller-options';

/** Name of the container (kubernetes-sigs/kubebuilder testdata/project-v4/config/manager). */
export const CONTAINER = 'manager';

const HEALTH_PORT = 'health';

/** Arguments that the features of an operator add, in their order, by feature. */
export function featureArgs(props: OperatorProps): { readonly [feature: string]: string[] } {
  const { leaderElection, health, metrics, webhooks } = props;
  return {
    ...(leaderElection && { leaderElection: leaderElectionArgs(leaderElection) }),
    ...(health && { health: healthOf(health).args }),
    ...(metrics && { metrics: metricsOf(metrics).args }),
    ...(webhooks && { webhooks: webhooksOf(webhooks).args }),
  };
}

/** The certificates that an operator serves with. */
export function certificateMounts(identity: OperatorIdentity, { webhooks, metrics }: OperatorProps): CertificateMount[] {
  return [...(webhooks ? [webhookMount(webhooks, identity)] : []), ...(metrics ? metricsMounts(metrics, identity) : [])];
}

/** The pod of an operator. */
export function podSpec(identity: OperatorIdentity, props: OperatorProps, token: boolean): object {
  const { affinity, imagePullSecrets, nodeSelector, priorityClassName, tolerations, runAsUser = POD_SECURITY.runAsUser } = props;
  const spread = spreadConstraints(identity, props);
  const { initContainers = [], sidecars = [] } = props;
  const volumes = podVolumes(identity, props);
  return {
    automountServiceAccountToken: token,
    // The variables of the namespace's Services would be taken for settings.
    enableServiceLinks: false,
    serviceAccountName: identity.name,
    securityContext: { ...POD_SECURITY, runAsUser, runAsGroup: runAsUser, fsGroup: runAsUser },
    terminationGracePeriodSeconds: 10,
    ...(imagePullSecrets?.length && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(tolerations?.length && { tolerations }),
    ...(affinity && { affinity }),
    ...(spread.length > 0 && { topologySpreadConstraints: spread }),
    ...(initContainers.length > 0 && { initContainers: initContainers.map((container) => containerSpec(container)) }),
    containers: [operatorContainer(identity, props), ...sidecars.map((container) => containerSpec(container))],
    ...(volumes.length > 0 && { volumes }),
  };
}

/** The sources of the fields of the Deployment. */
export function deploymentSources(identity: OperatorIdentity, props: OperatorProps): { [field: string]: string } {
  const pod = 'spec.template.spec';
  const { initContainers = [], sidecars = [] } = props;
  const given = givenVolumes(props);
  const sources = [
    { 'spec.replicas': 'replicas', [`${pod}.topologySpreadConstraints.**`]: 'topologySpreadConstraints.**', [`${pod}.affinity.**`]: 'affinity.**' },
    podSources(props),
    ...podVolumes(identity, props).map(({ name }, index) => (
      volumeSources(`${pod}.volumes[${index}]`, given.find(({ volume }) => volume._volume.name === name)?.property))),
    containerSources(`${pod}.containers[0]`, '', props),
    ...initContainers.map((container, index) => furtherSources(`${pod}.initContainers[${index}]`, `initContainers[${index}]`, container)),
    ...sidecars.map((container, index) => furtherSources(`${pod}.containers[${index + 1}]`, `sidecars[${index}]`, container)),
  ];
  // Its name is the library's, and only an init container comes before it.
  return Object.assign({ [`${pod}.containers[0].name`]: 'initContainers' }, ...sources) as { [field: string]: string };
}

function furtherSources(field: string, property: string, container: OperatorContainer): { [field: string]: string } {
  return { [field]: property, [`${field}.name`]: `${property}.name`, ...containerSources(field, `${property}.`, container) };
}

function volumeSources(field: string, property: string | undefined): { [field: string]: string } {
  return property === undefined ? {} : { [field]: property, [`${field}.emptyDir.sizeLimit`]: `${property}.sizeLimit` };
}

interface GivenVolume {
  readonly volume: OperatorVolume;
  readonly property: string;
}

/** Volumes of the operator's container, then those of the others, and the property that each is given in. */
export function givenVolumes({ volumes, initContainers = [], sidecars = [] }: OperatorProps): GivenVolume[] {
  const further = Object.entries({ initContainers, sidecars }).flatMap(([list, containers]) => (
    containers.map((container, index) => [`${list}[${index}].`, container.volumes] as const)));
  return [['', volumes] as const, ...further].flatMap(([at, given = []]) => (
    given.map((volume, index) => ({ volume, property: `${at}volumes[${index}]` }))));
}

function spreadConstraints({ name }: OperatorIdentity, { topologySpreadConstraints = [] }: OperatorProps): k8s.TopologySpreadConstraint[] {
  // A constraint without a selector counts no pod.
  const labelSelector = { matchLabels: selectorOf(name) };
  return topologySpreadConstraints.map((constraint) => ({ ...constraint, labelSelector: constraint.labelSelector ?? labelSelector }));
}

function operatorContainer(identity: OperatorIdentity, props: OperatorProps): object {
  const { health, metrics, webhooks } = props;
  const ports: k8s.ContainerPort[] = [
    ...(health ? [{ name: HEALTH_PORT, containerPort: healthOf(health).port, protocol: 'TCP' }] : []),
    ...(metrics ? [{ name: METRICS_PORT, containerPort: metricsOf(metrics).port, protocol: 'TCP' }] : []),
    ...(webhooks ? [webhookPort(webhooks)] : []),
  ];
  return containerSpec({ ...props, name: CONTAINER }, {
    args: Object.values(featureArgs(props)).flat(),
    mounts: certificateMounts(identity, props).map(({ mount }) => mount),
    fields: {
      ...(ports.length > 0 && { ports }),
      ...(health && {
        livenessProbe: probe(healthOf(health).livenessPath, 15, 20),
        readinessProbe: probe(healthOf(health).readinessPath, 5, 10),
      }),
    },
  });
}

/** The volumes of all containers, each once. */
function podVolumes(identity: OperatorIdentity, props: OperatorProps): k8s.Volume[] {
  const given = givenVolumes(props).map(({ volume }) => volume._volume);
  const byName = new Map([...certificateMounts(identity, props).map(({ volume }) => volume), ...given].map((volume) => [volume.name, volume]));
  return [...byName.values()];
}

function probe(path: string, initialDelaySeconds: number, periodSeconds: number): object {
  return { httpGet: { path, port: HEALTH_PORT, scheme: 'HTTP' }, initialDelaySeconds, periodSeconds, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 };
}
