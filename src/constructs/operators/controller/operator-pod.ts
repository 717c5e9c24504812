import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { k8s } from 'cdk8s-plus-28';
import { CertificateMount } from './operator-certificate';
import {
  checkMountPath, containerSources, containerSpec, OperatorVolume, VOLUME_RULE,
} from './operator-container';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { METRICS_PORT, metricsMounts, metricsOf } from './operator-metrics';
import { healthOf, OperatorProps } from './operator-props';
import { webhookMount, WEBHOOK_PORT, webhooksOf } from './operator-webhook';
import { checkPort } from '../../../manifests/values/dns';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkControllerImage, checkSecretName, OWN_LABEL_RULE, ownLabels, RESOURCES_RULE } from '../../addons/controllers/controller-checks';
import { POD_SECURITY } from '../../addons/controllers/controller-container';
import { podSources } from '../../addons/controllers/tenant-controller-options';

/** Name of the container (kubernetes-sigs/kubebuilder testdata/project-v4/config/manager). */
export const CONTAINER = 'manager';

const HEALTH_PORT = 'health';

/** Arguments of the features of an operator, in their order. */
function featureArgs(props: OperatorProps): { readonly [feature: string]: string[] } {
  const { leaderElection, health, metrics, webhooks } = props;
  return {
    ...(leaderElection && { leaderElection: leaderElection.args ?? ['--leader-elect'] }),
    ...(health && { health: healthOf(health).args }),
    ...(metrics && { metrics: metricsOf(metrics).args }),
    ...(webhooks && { webhooks: webhooksOf(webhooks).args }),
  };
}

/** The certificates of webhooks and metrics. */
function certificateMounts(identity: OperatorIdentity, { webhooks, metrics }: OperatorProps): CertificateMount[] {
  return [...(webhooks ? [webhookMount(webhooks, identity)] : []), ...(metrics ? metricsMounts(metrics, identity) : [])];
}

/** The pod of an operator. */
export function podSpec(identity: OperatorIdentity, props: OperatorProps, token: boolean): object {
  const { imagePullSecrets, nodeSelector, priorityClassName, tolerations, runAsUser = POD_SECURITY.runAsUser } = props;
  const volumes = podVolumes(identity, props);
  return {
    automountServiceAccountToken: token,
    // The program could read the variables of the namespace's Services as settings.
    enableServiceLinks: false,
    serviceAccountName: identity.name,
    securityContext: { ...POD_SECURITY, runAsUser, runAsGroup: runAsUser, fsGroup: runAsUser },
    terminationGracePeriodSeconds: 10,
    priorityClassName,
    ...(imagePullSecrets?.length && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(nodeSelector && Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations?.length && { tolerations }),
    containers: [operatorContainer(identity, props)],
    ...(volumes.length > 0 && { volumes }),
  };
}

/** The sources of the fields of the Deployment. */
export function deploymentSources(identity: OperatorIdentity, props: OperatorProps): { [field: string]: string } {
  const pod = 'spec.template.spec';
  const given = givenVolumes(props);
  const sources = [
    { 'spec.replicas': 'replicas' },
    podSources(props),
    ...podVolumes(identity, props).map(({ name }, index) => (
      volumeSources(`${pod}.volumes[${index}]`, given.find(({ volume }) => volume._volume.name === name)?.property))),
    containerSources(`${pod}.containers[0]`, props),
  ];
  return Object.assign({}, ...sources) as { [field: string]: string };
}

function volumeSources(field: string, property: string | undefined): { [field: string]: string } {
  return property === undefined ? {} : { [field]: property, [`${field}.emptyDir.sizeLimit`]: `${property}.sizeLimit` };
}

/** The volumes of the user and their properties. */
function givenVolumes({ volumes = [] }: OperatorProps): { readonly volume: OperatorVolume; readonly property: string }[] {
  return volumes.map((volume, index) => ({ volume, property: `volumes[${index}]` }));
}

/** The ports of the features of an operator. */
function portsOf({ health, metrics, webhooks }: OperatorProps): { readonly feature: string; readonly name: string; readonly port: number }[] {
  return [
    ...(health ? [{ feature: 'health', name: HEALTH_PORT, port: healthOf(health).port }] : []),
    ...(metrics ? [{ feature: 'metrics', name: METRICS_PORT, port: metricsOf(metrics).port }] : []),
    ...(webhooks ? [{ feature: 'webhooks', name: WEBHOOK_PORT, port: webhooksOf(webhooks).port }] : []),
  ];
}

function operatorContainer(identity: OperatorIdentity, props: OperatorProps): object {
  const health = props.health && healthOf(props.health);
  const ports = portsOf(props).map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' }));
  return containerSpec(CONTAINER, props, {
    args: Object.values(featureArgs(props)).flat(),
    mounts: certificateMounts(identity, props).map(({ mount }) => mount),
    fields: {
      ...(ports.length > 0 && { ports }),
      livenessProbe: health && probe(health.livenessPath, 15, 20),
      readinessProbe: health && probe(health.readinessPath, 5, 10),
    },
  });
}

/** The volumes, each once. */
function podVolumes(identity: OperatorIdentity, props: OperatorProps): k8s.Volume[] {
  const given = givenVolumes(props).map(({ volume }) => volume._volume);
  const byName = new Map([...certificateMounts(identity, props).map(({ volume }) => volume), ...given].map((volume) => [volume.name, volume]));
  return [...byName.values()];
}

function probe(path: string, initialDelaySeconds: number, periodSeconds: number): object {
  return { httpGet: { path, port: HEALTH_PORT, scheme: 'HTTP' }, initialDelaySeconds, periodSeconds, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 };
}

const ARGUMENT_RULE: Rule = {
  id: 'TC-OPERATOR-ARGUMENT',
  title: 'Arguments must not be empty, and a flag must be set only once, by the user or by a feature.',
};

const USER_RULE: Rule = {
  id: 'TC-OPERATOR-USER',
  title: 'The container must run as a user other than root.',
  source: 'kubernetes.io/docs/concepts/security/pod-security-standards (restricted)',
};

/** Checks the pod of an operator and its container. */
export function checkPod(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const { image, args = [], resources = {}, podLabels = {}, imagePullSecrets = [], runAsUser } = props;
  return [
    ...imagePullSecrets.flatMap((name, index) => checkSecretName(`imagePullSecrets[${index}]`, name)),
    ...problemsOf(OWN_LABEL_RULE, 'podLabels', ownLabels(podLabels, Object.keys(selectorOf('any')))),
    ...problemIf(USER_RULE, 'runAsUser', runAsUser === undefined || (Number.isSafeInteger(runAsUser) && runAsUser >= 1) ? undefined
      : `${runAsUser} is not the number of a user without privileges`, 'give a number from 1'),
    ...checkFlags(props),
    ...checkPorts(props),
    ...args.flatMap((arg, index) => problemIf(ARGUMENT_RULE, `args[${index}]`, arg.trim() === '' ? 'the argument is empty' : undefined, 'remove it')),
    ...checkControllerImage('image', image),
    ...problemsOf(RESOURCES_RULE, 'resources', checkResourceRequirements(resources)),
    ...checkVolumes(identity, props),
  ];
}

/** Checks that the flags of features are set once. */
function checkFlags(props: OperatorProps): Problem[] {
  const byFeature = Object.entries(featureArgs(props)).flatMap(([feature, args]) => args.map((arg): [string, string] => [flagOf(arg), feature]));
  const setBy = new Map(byFeature);
  return [
    ...(props.args ?? []).flatMap((arg, index) => {
      const feature = setBy.get(flagOf(arg));
      return problemIf(ARGUMENT_RULE, `args[${index}]`, feature === undefined ? undefined : `${flagOf(arg)} is set by ${feature}`, `remove it, or give ${feature}.args`);
    }),
    ...byFeature.flatMap(([flag, feature], index) => {
      const [, other] = byFeature.slice(0, index).find(([earlier]) => earlier === flag) ?? [];
      return problemIf(ARGUMENT_RULE, `${feature}.args`, other === undefined ? undefined : `${flag} is set by ${other} too`, 'give the flag once');
    }),
  ];
}

function flagOf(arg: string): string {
  return arg.startsWith('-') ? arg.replace(/=[^]*$/, '').replace(/^--?/, '--') : `"${arg}"`;
}

const PORT_RULE: Rule = {
  id: 'TC-OPERATOR-PORT',
  title: 'Health, metrics and webhooks must have different ports, from 1 to 65535.',
};

function checkPorts(props: OperatorProps): Problem[] {
  const { livenessPath, readinessPath } = healthOf(props.health ?? {});
  return [
    ...portsOf(props).flatMap(({ feature, port }, index, all) => {
      const other = all.slice(0, index).find((earlier) => earlier.port === port);
      return problemIf(PORT_RULE, `${feature}.port`, checkPort(port) ?? (other && `${port} is the port of ${other.feature}`), 'give another port');
    }),
    ...Object.entries({ livenessPath, readinessPath }).flatMap(([name, path]) => problemIf(
      PORT_RULE, `health.${name}`, path.startsWith('/') ? undefined : `"${path}" does not start with "/"`, 'give an absolute path',
    )),
  ];
}

function checkVolumes(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const serving = certificateMounts(identity, props);
  const given = givenVolumes(props);
  const definitions = [...serving.map(({ volume }) => volume), ...given.map(({ volume }) => volume._volume)];
  const servingPaths = serving.map(({ mount, feature }): [string, string] => [mount.mountPath, `${feature}.certificateDirectory`]);
  return [
    ...servingPaths.flatMap(([path, property]) => checkMountPath(path, property)),
    ...given.flatMap(({ volume, property }, index) => {
      const { _volume: definition } = volume;
      const earlier = definitions.slice(0, serving.length + index);
      const isTaken = earlier.some((other) => other.name === definition.name && !isDeepStrictEqual(other, definition));
      return [
        ...volume._check(property),
        ...problemIf(
          VOLUME_RULE, property, isTaken ? `a volume "${definition.name}" is there already, with another source or other options` : undefined,
          'give another name, or the same source and options to share the volume',
        ),
      ];
    }),
    ...checkDistinctPaths([...servingPaths, ...given.map(({ volume, property }): [string, string] => [volume._mount.mountPath, `${property}.mountPath`])]),
  ];
}

/** Checks that mount paths differ. */
function checkDistinctPaths(paths: readonly [path: string, property: string][]): Problem[] {
  return paths.flatMap(([path, property], index) => problemIf(
    VOLUME_RULE, property, paths.slice(0, index).some(([other]) => posix.resolve('/', other) === posix.resolve('/', path))
      ? `"${path}" is taken` : undefined, 'give another path',
  ));
}
