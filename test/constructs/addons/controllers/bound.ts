import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { addClusterAutoscaler } from '../../../../src/constructs/addons/cluster-autoscaler/add-cluster-autoscaler';
import { ClusterAutoscaler, ClusterAutoscalerOptions } from '../../../../src/constructs/addons/cluster-autoscaler/cluster-autoscaler';
import { addTenantController, TenantController } from '../../../../src/constructs/addons/controllers/tenant-controller';
import { TENANT_KUBECONFIG_MOUNT } from '../../../../src/constructs/addons/controllers/tenant-kubeconfig';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { KubernetesVersion } from '../../../../src/manifests/values/kubernetes-version';
import { Manifest } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

/** A controller of one container that may do nothing. */
export const IDLE: TenantController = {
  name: 'idler',
  property: 'idler',
  options: {},
  leaderElection: true,
  containers: [{
    name: 'idler',
    image: 'registry.example.com/idler:v1.0.0',
    args: [{ name: 'kubeconfig', value: '/etc/kubernetes/tenant/kubeconfig' }],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
    volumeMounts: [TENANT_KUBECONFIG_MOUNT],
  }],
};

/** A cluster of that name. */
export function named(name: string, namespace = `tenant-${name}`): ClusterContext {
  return clusterContext({ name, namespace, kubeconfigs: { internal: { name: `${name}-admin-kubeconfig`, key: 'super-admin.svc' }, external: { name: 'x', key: 'y' } } });
}

/** A cluster of that Kubernetes version. */
export function ofVersion(version: string): ClusterContext {
  return clusterContext({ kubernetesVersion: KubernetesVersion.of(version) });
}

/** The objects of a controller. */
export function controllerObjects(controller: Partial<TenantController>, context = clusterContext()): Manifest[] {
  const chart = chartOf(context);
  addTenantController(chart, context, { ...IDLE, ...controller });
  return Testing.synth(chart);
}

/** The objects of the autoscaler. */
export function autoscalerObjects(
  autoscaler: ClusterAutoscaler = ClusterAutoscaler.of(), context = clusterContext(), kinds: string[] = ['infrastructure.cluster.x-k8s.io/v1alpha1/KubevirtMachineTemplate'],
  autoscaled = 1,
): Manifest[] {
  const chart = chartOf(context);
  addClusterAutoscaler(chart, context, autoscaler, () => ({ templates: templates(kinds), autoscaled }));
  return Testing.synth(chart);
}

/** Machine templates by `group/version/kind`. */
export function templates(kinds: readonly string[]): ApiObject[] {
  const chart = new Chart(Testing.app(), 'templates');
  return kinds.map((kind, index) => {
    const [group, version, name] = kind.split('/');
    return new TypedApiObject(chart, `${index}`, { apiVersion: `${group}/${version}`, kind: name }, { metadata: { name: `t${index}` } });
  });
}

/** Problems of an autoscaler. */
export function autoscalerProblems(options: ClusterAutoscalerOptions, context = clusterContext()): ReportedProblem[] {
  return problemsIn((app: App) => {
    validateApp(app);
    addClusterAutoscaler(new Chart(app, 'acme', { namespace: context.namespace }), context, ClusterAutoscaler.of(options), () => ({ templates: [], autoscaled: 1 }));
  });
}

/** The objects by kind; kinds that occur once. */
export function byKind(objects: readonly Manifest[]): { [kind: string]: Manifest } {
  expect(new Set(objects.map(({ kind }) => kind)).size).toBe(objects.length);
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

/** The pod of the Deployment among the objects. */
export function podOf(objects: readonly Manifest[]): Manifest {
  return byKind(objects).Deployment.spec.template;
}

/** Arguments of a container as flags. */
export function flagsOfContainer({ args }: Manifest): { [flag: string]: string } {
  return Object.fromEntries(args.map((arg: string) => /^--([^=]+)=(.*)$/.exec(arg)!.slice(1)));
}

function chartOf(context: ClusterContext): Chart {
  return new Chart(Testing.app(), context.name, { namespace: context.namespace, labels: { 'cluster.x-k8s.io/cluster-name': context.name } });
}
