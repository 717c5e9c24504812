import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addDisruptionBudget } from './disruption-budget';
import { addMetrics } from './metrics-objects';
import { addNetworkPolicy } from './network-policy';
import { addAccess } from './operator-access';
import { checkOperator } from './operator-checks';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { CONTAINER, deploymentSources, podSpec } from './operator-pod';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { checkTypes } from './type-checks';
import { addWebhooks, checkConversion } from './webhook-objects';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { validateApp } from '../../app/validation/attached-validation';

/**
 * A controller of custom resources that runs in the cluster: Deployment, ServiceAccount, and the roles that follow from what it does.
 *
 * Its pod keeps the Pod Security Standard `restricted` and has a read-only root file system. Health, metrics with a ServiceMonitor,
 * leader election, webhooks and a NetworkPolicy follow the conventions of kubebuilder v4 and can be told otherwise; all of them are off
 * until they are asked for.
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

  /** The Deployment. */
  public readonly deployment: ApiObject;

  public constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id);
    validateApp(this);
    this.name = props.name ?? id;
    this.namespace = props.namespace ?? Chart.of(this).namespace ?? '';
    // Not made of cdk8s-plus' Deployment and Role: they bring probes, limits and selectors of their own, and generated names.
    const identity: OperatorIdentity = { name: this.name, namespace: this.namespace, labels: selectorOf(this.name) };
    this.check(identity, props);

    if (props.createNamespace) this.makeNamespace();
    const token = addAccess(this, identity, props);
    this.deployment = this.makeDeployment(identity, props, token);
    if (props.metrics) addMetrics(this, identity, props.metrics);
    if (props.webhooks) addWebhooks(this, identity, props.webhooks);
    if (props.podDisruptionBudget) addDisruptionBudget(this, identity, props.replicas ?? 1, props.podDisruptionBudget);
    if (props.networkPolicy) addNetworkPolicy(this, identity, props.networkPolicy, props);
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
    // The same operator may well be in the charts of several clusters.
    const owner = claimName(this, `Operator in ${Chart.of(this).node.path}`, `${this.namespace}/${this.name}`);
    if (owner !== undefined) {
      problems.add({
        rule: OPERATOR_RULES.nameTaken, property: 'name', message: `"${this.name}" in namespace "${this.namespace}" is ${owner} already`, fix: 'give one of them another name',
      });
    }
  }

  private makeNamespace(): void {
    new TypedApiObject(this, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
      // Other objects in the namespace outlive the operator.
      metadata: { name: this.namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' }, annotations: keepOnPrune() },
    });
  }

  private makeDeployment({ name, namespace, labels }: OperatorIdentity, props: OperatorProps, token: boolean): ApiObject {
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
          spec: podSpec({ name, namespace, labels }, props, token),
        },
      },
    });
    FieldSources._record(deployment, this, () => deploymentSources({ name, namespace, labels }, props));
    return deployment;
  }
}
