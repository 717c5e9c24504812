import { ApiObject, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { ControlPlaneConfig } from '../../../../src/constructs/contracts/control-plane';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { clusterContext } from '../../../support/contexts';
import { problemsOf, ReportedProblem } from '../../../support/problems';

/** A control plane that was bound to the cluster `acme`. */
export interface Bound {
  readonly config: ControlPlaneConfig;

  /** Everything that would be written. */
  readonly manifests: any[];

  /** `spec` of the KamajiControlPlane. */
  readonly spec: any;

  /** Problems, those of the Cluster aside: a tenant cluster reports them. */
  readonly problems: ReportedProblem[];
}

/** Binds a control plane as a cluster does. */
export function bound(props: KamajiControlPlaneProps = {}, overrides: Partial<ClusterContext> = {}): Bound {
  const app = Testing.app();
  validateApp(app);
  const chart = new Chart(app, 'acme', { namespace: 'tenant-acme' });
  const plane = new KamajiControlPlane(props);
  const context = clusterContext(overrides);
  const config = plane.bind(new Construct(chart, 'ControlPlane'), context);
  const { network: { podCidrs, serviceCidrs } } = context;
  new ApiObject(chart, 'Cluster', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'acme' },
    spec: {
      clusterNetwork: { apiServerPort: plane.capabilities.apiServerPort, pods: { cidrBlocks: podCidrs }, services: { cidrBlocks: serviceCidrs } },
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', name: 'acme' },
    },
  });
  const objects = chart.node.findAll().filter(ApiObject.isApiObject).filter(({ kind }) => kind !== 'Cluster');
  return { config, manifests: objects.map((object) => object.toJson()), spec: config.resource.toJson().spec, problems: problemsOf(app).filter(({ text }) => !text.includes(' of acme/Cluster: ')) };
}

/** The manifest of a kind. */
export function manifestOf(all: readonly any[], kind: string): any {
  return all.find((manifest) => manifest.kind === kind);
}

/** Problems, as `id property: message`, each checked to be reported for the control plane. */
export function refused(props: KamajiControlPlaneProps, overrides: Partial<ClusterContext> = {}): string[] {
  const { problems } = bound(props, overrides);
  expect(problems.map(({ path }) => path)).toEqual(problems.map(() => 'acme/ControlPlane'));
  return problems.map(({ id, text }) => `${id} ${text}`);
}
