import { checkContainers } from './container-checks';
import { checkDisruptionBudget } from './disruption-budget';
import { checkMetrics } from './metrics-objects';
import { checkNetworkPolicy } from './network-policy';
import { healthOf } from './operator-features';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { featureArgs } from './operator-pod';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { checkWebhooks, webhooksOf } from './webhook-objects';
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, checkPort } from '../../../manifests/values/dns';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { checkSecretName, OWN_LABEL_RULE, ownLabels } from '../../addons/controllers/controller-checks';

/** Leaves room for what Services append, which are DNS labels. */
const LONGEST_NAME = 55;

/** Checks everything that the properties of an operator tell. */
export function checkOperator(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const { permissions, webhooks, metrics, replicas = 1, podDisruptionBudget } = props;
  return [
    ...checkIdentity(identity),
    ...checkPlacement(props),
    ...checkReplicas(props),
    ...checkDisruptionBudget(replicas, podDisruptionBudget),
    ...checkScope(props),
    ...permissions.flatMap((permission, index) => permission._check(`permissions[${index}]`)),
    ...checkArguments(props),
    ...checkPorts(props),
    ...checkContainers(identity, props),
    ...checkWebhooks(webhooks, 'webhooks'),
    ...checkMetrics(identity, metrics),
    ...checkNetworkPolicy(props),
  ];
}

function checkIdentity({ name, namespace }: OperatorIdentity): Problem[] {
  return [
    ...problemIf(OPERATOR_RULES.name, 'name', checkDns1035Label(name, LONGEST_NAME), 'give another name'),
    ...problemIf(OPERATOR_RULES.name, 'namespace', namespace === '' ? 'neither the operator nor its chart names a namespace' : checkDnsLabel(namespace),
      'give the namespace that the operator runs in'),
  ];
}

function checkPlacement(props: OperatorProps): Problem[] {
  const { podLabels = {}, imagePullSecrets = [], runAsUser } = props;
  return [
    ...imagePullSecrets.flatMap((name, index) => checkSecretName(`imagePullSecrets[${index}]`, name)),
    ...problemsOf(OWN_LABEL_RULE, 'podLabels', ownLabels(podLabels, Object.keys(selectorOf('any')))),
    ...(props.topologySpreadConstraints ?? []).flatMap(({ topologyKey }, index) => problemIf(
      OPERATOR_RULES.topologySpread, `topologySpreadConstraints[${index}].topologyKey`, checkQualifiedName(topologyKey), 'write a label of the nodes',
    )),
    ...problemIf(OPERATOR_RULES.user, 'runAsUser', runAsUser === undefined || (Number.isSafeInteger(runAsUser) && runAsUser >= 1) ? undefined
      : `${runAsUser} is not the number of a user without privileges`, 'give a number from 1'),
  ];
}

function checkReplicas({ replicas = 1, leaderElection }: OperatorProps): Problem[] {
  const many = Number.isSafeInteger(replicas) && replicas > 1 && !leaderElection;
  return [
    ...problemIf(OPERATOR_RULES.replicas, 'replicas', many ? `${replicas} pods would all work at once` : undefined,
      'leave out replicas, or give leaderElection if the program has it'),
    ...problemIf(OPERATOR_RULES.replicas, 'leaderElection.leaseName', leaderElection?.leaseName === undefined ? undefined : checkDnsSubdomain(leaderElection.leaseName),
      'give the name of the Lease'),
  ];
}

function checkScope({ watchAllNamespaces, watchNamespaces }: OperatorProps): Problem[] {
  if (!watchNamespaces) return [];
  return [
    ...problemIf(OPERATOR_RULES.scope, 'watchNamespaces', watchAllNamespaces ? 'it is given beside watchAllNamespaces' : undefined, 'give one of the two'),
    ...problemIf(OPERATOR_RULES.scope, 'watchNamespaces', watchNamespaces.length === 0 ? 'it names no namespace' : undefined, 'name a namespace, or leave it out'),
    ...watchNamespaces.flatMap((namespace, index) => problemIf(
      OPERATOR_RULES.scope, `watchNamespaces[${index}]`,
      checkDnsLabel(namespace) ?? (watchNamespaces.indexOf(namespace) < index ? `"${namespace}" is there already` : undefined), 'name each namespace once',
    )),
  ];
}

function checkArguments(props: OperatorProps): Problem[] {
  const byFeature = Object.entries(featureArgs(props)).flatMap(([feature, args]) => args.map((arg): [string, string] => [flagOf(arg), feature]));
  const setBy = new Map(byFeature);
  return [
    ...(props.args ?? []).flatMap((arg, index) => {
      const feature = setBy.get(flagOf(arg));
      const fault = arg.trim() === '' ? 'the argument is empty' : feature === undefined ? undefined : `${flagOf(arg)} is set by ${feature}`;
      return problemIf(OPERATOR_RULES.argument, `args[${index}]`, fault, feature === undefined ? 'remove it' : `remove it, or give ${feature}.args`);
    }),
    ...byFeature.flatMap(([flag, feature], index) => {
      const [, other] = byFeature.slice(0, index).find(([earlier]) => earlier === flag) ?? [];
      return problemIf(OPERATOR_RULES.argument, `${feature}.args`, other === undefined ? undefined : `${flag} is set by ${other} too`, 'give the flag once');
    }),
  ];
}

function flagOf(arg: string): string {
  return arg.startsWith('-') ? arg.replace(/=[^]*$/, '').replace(/^--?/, '--') : `"${arg}"`;
}

function checkPorts({ health, metrics, webhooks }: OperatorProps): Problem[] {
  const ports: [string, number][] = [
    ...(health ? [['health', healthOf(health).port] as [string, number]] : []),
    ...(metrics ? [['metrics', metricsOf(metrics).port] as [string, number]] : []),
    ...(webhooks ? [['webhooks', webhooksOf(webhooks).port] as [string, number]] : []),
  ];
  const paths = health ? [['livenessPath', healthOf(health).livenessPath], ['readinessPath', healthOf(health).readinessPath]] : [];
  return [
    ...ports.flatMap(([feature, port], index) => {
      const other = ports.slice(0, index).find(([, earlier]) => earlier === port);
      return problemIf(OPERATOR_RULES.port, `${feature}.port`, checkPort(port) ?? (other && `${port} is the port of ${other[0]}`), 'give another port');
    }),
    ...paths.flatMap(([name, path]) => problemIf(OPERATOR_RULES.port, `health.${name}`, path.startsWith('/') ? undefined : `"${path}" does not start with "/"`, 'give an absolute path')),
  ];
}
