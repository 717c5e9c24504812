import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addNetworkPolicy, checkNetworkPolicy } from './network-policy';
import { addAccess, checkAccess, checkTypes } from './operator-access';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { addMetrics, checkMetrics } from './operator-metrics';
import { checkPod, CONTAINER, deploymentSources, podSpec } from './operator-pod';
import { OperatorProps } from './operator-props';
import { addWebhooks, checkConversion, checkWebhooks } from './operator-webhook';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { validateApp } from '../../app/validation/attached-validation';

const NAME_TAKEN_RULE: Rule = {
  id: 'TC-OPERATOR-NAME-TAKEN',
  title: 'Operators in one chart must have different names or namespaces.',
};

/**
 * A controller of custom resources that runs in the cluster: Deployment, ServiceAccount, and the roles that follow from its permissions.
 *
 * Its pod keeps the Pod Security Standard `restricted` and has a read-only root file system. Health, metrics with a ServiceMonitor,
 * leader election, webhooks and a NetworkPolicy follow the conventions of kubebuilder v4 and can be configured; all of them are off by
 * default.
 *
 * It works in every chart: of the management cluster, of an addon (`ManifestAddon`) or in a cluster's `workloads`.
 *
 * Source: kubernetes/sample-controller, kubernetes-sigs/kubebuilder testdata/project-v4.
 *
 * @example
 * new operators.Operator(chart, 'backup-controller', {
 *   image: 'registry.example.com/backup-controller:v1.2.0',
 *   createNamespace: true,
 *   permissions: [operators.Permission.owns(operators.ResourceType.DEPLOYMENTS), operators.Permission.emitsEvents()],
 * });
 */
export class Operator extends Construct {
  /** Name of the operator. */
  public readonly name: string;

  /** Namespace that the operator runs in. */
  public readonly namespace: string;

  /** The Deployment. Fields of its pod that no property sets are patched, e.g. `affinity`, `topologySpreadConstraints`, `initContainers`. */
  public readonly deployment: ApiObject;

  /** Labels by which the Deployment selects its pods, for a PodDisruptionBudget or a spread of them. */
  public readonly podSelector: { [key: string]: string };

  public constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id);
    validateApp(this);
    this.name = props.name ?? id;
    this.namespace = props.namespace ?? Chart.of(this).namespace ?? '';
    // Not made of cdk8s-plus' Deployment and Role: they bring probes, limits and selectors of their own, and generated names.
    const identity: OperatorIdentity = { name: this.name, namespace: this.namespace, labels: selectorOf(this.name) };
    this.podSelector = selectorOf(this.name);
    this.check(identity, props);

    if (props.createNamespace) {
      new TypedApiObject(this, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
        // Other objects in the namespace outlive the operator.
        metadata: { name: this.namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' }, annotations: keepOnPrune() },
      });
    }
    const token = addAccess(this, identity, props);
    this.deployment = this.addDeployment(identity, props, token);
    if (props.metrics) addMetrics(this, identity, props.metrics);
    if (props.webhooks) addWebhooks(this, identity, props.webhooks);
    addNetworkPolicy(this, identity, props);
  }

  /** The Roles and ClusterRoles that its permissions need, those of leader election and metrics among them. */
  public get roles(): ApiObject[] {
    return this.parts('Role', 'ClusterRole');
  }

  /** The Services of metrics and webhooks. */
  public get services(): ApiObject[] {
    return this.parts('Service');
  }

  /** The configurations of its webhooks. */
  public get webhookConfigurations(): ApiObject[] {
    return this.parts('MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration');
  }

  private parts(...kinds: readonly string[]): ApiObject[] {
    return this.node.findAll().filter((part): part is ApiObject => ApiObject.isApiObject(part) && kinds.includes(part.kind));
  }

  private check(identity: OperatorIdentity, props: OperatorProps): void {
    const problems = Problems.of(this);
    checkOperator(identity, props).forEach((problem) => problems.add(problem));
    problems._addCheck(() => [...checkTypes(this, props), ...checkConversion(this, identity, props.webhooks)]);
    // The charts of several clusters may have the same operator.
    const owner = claimName(this, `Operator in ${Chart.of(this).node.path}`, `${this.namespace}/${this.name}`);
    if (owner !== undefined) {
      problems.add({
        rule: NAME_TAKEN_RULE, property: 'name', message: `"${this.name}" in namespace "${this.namespace}" is ${owner} already`, fix: 'give one of them another name',
      });
    }
  }

  private addDeployment(identity: OperatorIdentity, props: OperatorProps, token: boolean): ApiObject {
    const { name, namespace, labels } = identity;
    const deployment = new TypedApiObject(this, 'Resource', { apiVersion: 'apps/v1', kind: 'Deployment' }, {
      metadata: { name, namespace, labels },
      spec: {
        replicas: props.replicas ?? 1,
        selector: { matchLabels: selectorOf(name) },
        // Without leader election the old pod must be gone before the new one works.
        strategy: props.leaderElection ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } : { type: 'Recreate' },
        template: {
          metadata: {
            labels: { ...props.podLabels, ...labels },
            annotations: { ...props.podAnnotations, 'kubectl.kubernetes.io/default-container': CONTAINER },
          },
          spec: podSpec(identity, props, token),
        },
      },
    });
    FieldSources._record(deployment, this, () => deploymentSources(identity, props));
    return deployment;
  }
}

/** The longest name that leaves room for the suffixes of Services, whose names are DNS labels. */
const LONGEST_NAME = 55;

const NAME_RULE: Rule = {
  id: 'TC-OPERATOR-NAME',
  title: 'The name of an operator must be a DNS label of at most 55 characters, and its namespace must be set, on the operator or its chart.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

const REPLICAS_RULE: Rule = {
  id: 'TC-OPERATOR-REPLICAS',
  title: 'More than one replica requires leader election: two active controllers undo each other\'s changes.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/cmd/main.go (leader-elect)',
};

/** Checks the properties of an operator alone. */
function checkOperator(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const { name, namespace } = identity;
  const { replicas = 1, leaderElection, webhooks, metrics } = props;
  const many = Number.isSafeInteger(replicas) && replicas > 1 && !leaderElection;
  return [
    ...problemIf(NAME_RULE, 'name', checkDns1035Label(name, LONGEST_NAME), 'give another name'),
    ...problemIf(NAME_RULE, 'namespace', namespace === '' ? 'neither the operator nor its chart names a namespace' : checkDnsLabel(namespace),
      'give the namespace that the operator runs in'),
    ...problemIf(REPLICAS_RULE, 'replicas', many ? `${replicas} pods would all work at once` : undefined,
      'leave out replicas, or give leaderElection if the program has it'),
    ...problemIf(REPLICAS_RULE, 'leaderElection.leaseName', leaderElection?.leaseName === undefined ? undefined : checkDnsSubdomain(leaderElection.leaseName),
      'give the name of the Lease'),
    ...checkAccess(props),
    ...checkPod(identity, props),
    ...checkWebhooks(webhooks, 'webhooks'),
    ...checkMetrics(identity, metrics),
    ...checkNetworkPolicy(props),
  ];
}
