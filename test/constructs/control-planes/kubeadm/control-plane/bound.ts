import { ApiObject, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { validateApp } from '../../../../../src/constructs/app/validation/attached-validation';
import { ClusterContext } from '../../../../../src/constructs/contracts/cluster-context';
import { ControlPlaneConfig } from '../../../../../src/constructs/contracts/control-plane';
import { Machine } from '../../../../../src/constructs/contracts/machine';
import { KubeadmControlPlane } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { adoptControlPlaneMachines } from '../../../../../src/constructs/tenant/adopt-resources';
import { KubernetesVersion } from '../../../../../src/manifests/values/kubernetes-version';
import { clusterContext } from '../../../../support/contexts';
import { problemsOf, ReportedProblem } from '../../../../support/problems';
import { ExampleMachine } from '../../../../support/strategies';

/** A third party's machine of a usual size. */
export const MACHINE: Machine = new ExampleMachine({ cpu: 4, memory: Size.gibibytes(8) });

/** A control plane that was bound to the cluster `acme`. */
export interface Bound {
  readonly config: ControlPlaneConfig;

  /** Everything that would be written. */
  readonly manifests: any[];

  /** `spec` of the KubeadmControlPlane. */
  readonly spec: any;

  /** Problems that synthesis reports. */
  readonly problems: ReportedProblem[];
}

/** The cluster of a third party's infrastructure, which makes the endpoint. */
export function machineContext(overrides: Partial<ClusterContext> = {}, minor = '1.35'): ClusterContext {
  return clusterContext({
    kubernetesVersion: KubernetesVersion.of(`${minor}.4`),
    apiServer: {},
    controlPlane: { apiServerPort: 6443, machineCount: 3 },
    infrastructure: { clusterKind: 'ExampleCluster' },
    ...overrides,
  });
}

/** Binds a control plane as a cluster does; the KubeadmControlPlane may be patched then. */
export function bound(props: Partial<KubeadmControlPlaneProps> = {}, context = machineContext(), patches: readonly JsonPatch[] = []): Bound {
  const app = Testing.app();
  validateApp(app);
  const chart = new Chart(app, 'acme', { namespace: 'tenant-acme' });
  const config = new KubeadmControlPlane({ machine: MACHINE, ...props }).bind(new Construct(chart, 'ControlPlane'), context);
  adoptControlPlaneMachines(chart, config, context.name);
  config.resource.addJsonPatch(...patches);
  const objects = chart.node.findAll().filter(ApiObject.isApiObject);
  return { config, manifests: objects.map((object) => object.toJson()), spec: config.resource.toJson().spec, problems: problemsOf(app) };
}

/** Problems, as `id property: message`, each checked to be reported for the control plane. */
export function refused(props: Partial<KubeadmControlPlaneProps>, context = machineContext(), patches: readonly JsonPatch[] = []): string[] {
  const { problems } = bound(props, context, patches);
  expect(problems.map(({ path }) => path)).toEqual(problems.map(() => 'acme/ControlPlane'));
  return problems.map(({ id, text }) => `${id} ${text}`);
}
