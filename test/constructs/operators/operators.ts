import { App, Chart, Testing } from 'cdk8s';
import { foo } from './definitions';
import { Operator } from '../../../src/constructs/operators/controller/operator';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import { Permission } from '../../../src/constructs/operators/controller/permission';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { ResourceType } from '../../../src/constructs/operators/resource-type';
import { Manifest } from '../../support/clusters';
import { problemsIn, ReportedProblem } from '../../support/problems';

/** The type `Foo` as roles and webhooks name it. */
export const FOOS: ResourceType = new CustomResourceType(new Chart(Testing.app(), 'types'), 'foo', foo()).resourceType;

/** An operator that follows Foos in its namespace. */
export const LEAST: OperatorProps = { image: 'registry.example.com/foo-operator:v1.2.3', permissions: [Permission.watches(FOOS)] };

/** The objects of an operator `foo-operator` in `foo-system`. */
export function operatorObjects(props: Partial<OperatorProps> = {}): Manifest[] {
  const chart = new Chart(Testing.app(), 'operators', { namespace: 'foo-system' });
  new Operator(chart, 'foo-operator', { ...LEAST, ...props });
  return Testing.synth(chart);
}

/** The one object of a kind. */
export function only(objects: readonly Manifest[], kind: string): Manifest {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
}

/** Problems of such an operator. */
export function operatorProblems(props: Partial<OperatorProps>, id = 'foo-operator', namespace: string | undefined = 'foo-system'): ReportedProblem[] {
  return problemsIn((app: App) => new Operator(new Chart(app, 'operators', { namespace }), id, { ...LEAST, ...props }));
}
