import { ApiObject, App, Chart, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { API, argumentType, Shape, TypeText } from '../../../../src/constructs/app/arguments/argument-type';
import { creatable, factories } from '../../../../src/constructs/app/arguments/check-arguments';
import { checkedExports } from '../../../../src/constructs/app/arguments/checked-exports';
import { exampleCluster } from '../../../support/clusters';
import { NAMESPACES } from '../../../support/namespaces';

let samples = 0;
const index = checkedExports(jest.requireActual<Record<string, object>>('cdk8s-cluster-api'));

/** Exports of the package and of its namespaces, as the package checks them. */
export const EXPORTS: Readonly<Record<string, any>> = Object.assign({}, index, ...NAMESPACES.map((name) => index[name]));

/** A value of a type, with no more than the type needs; undefined if only the library makes such values. */
export function sample(text: TypeText, scope: Construct, called = ''): unknown {
  const { kind, name } = argumentType(text);
  if (kind !== 'named') return kind === 'list' ? [] : {};
  const id = `sample-${samples++}`;
  const built: Readonly<Record<string, () => unknown>> = {
    string: () => (/version$/i.test(called) ? 'v1.35.4' : called === 'id' ? id : 'a'),
    number: () => 1,
    boolean: () => true,
    any: () => ({}),
    object: () => ({}),
    date: () => new Date(0),
    Size: () => Size.gibibytes(4),
    Duration: () => Duration.minutes(1),
    App: () => new App(),
    Chart: () => new Chart(scope, id),
    Construct: () => scope,
    IConstruct: () => apiObject(scope, id),
    ApiObject: () => apiObject(scope, id),
    KubernetesVersion: () => EXPORTS.KubernetesVersion.of('v1.35.4'),
    IManifestValidationContext: () => ({ manifests: [], report: { addViolation: () => undefined, submit: () => undefined } }),
    IPoolOwner: () => sample('TenantCluster', scope),
    Schema: () => EXPORTS.Schema.string(),
    // It needs times to sleep.
    HibernationSchedule: () => EXPORTS.HibernationSchedule.of({
      awake: [EXPORTS.TimeWindow.weekly({ days: [EXPORTS.Weekday.MONDAY], from: '07:00', duration: Duration.hours(8), timeZone: 'UTC' })],
    }),
    // It refuses what synthesis does.
    ClusterAssertions: () => EXPORTS.ClusterAssertions.of(exampleCluster(new App())),
  };
  if (built[name]) return built[name]();
  if (API.enums[name]) return Object.values(API.enums[name])[0];
  if (API.structs[name]) return sampleStruct(name, scope);
  if (API.interfaces[name]) return Object.fromEntries(API.interfaces[name].map((member) => [member, () => ({})]));
  const [first] = creatable(name);
  if (first !== undefined) return new EXPORTS[first](...sampleValues(API.classes[first].takes!, scope));
  const [factory] = factories(name);
  return factory && EXPORTS[name][factory](...sampleValues(API.classes[name].statics![factory].takes, scope));
}

function apiObject(scope: Construct, id: string): ApiObject {
  return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'Service' });
}

/** A map with the properties that a struct must have. */
function sampleStruct(name: string, scope: Construct): Record<string, unknown> {
  const required = Object.entries(API.structs[name]).filter(([, type]) => !argumentType(type).optional);
  return Object.fromEntries(required.map(([property, type]) => [property, sample(type, scope, property)]));
}

/** Arguments of a call, with no more than the call needs. */
export function sampleValues(takes: Shape, scope: Construct): unknown[] {
  return Object.entries(takes).filter(([, type]) => !argumentType(type).variadic).map(([parameter, type]) => (
    argumentType(type).optional ? undefined : sample(type, scope, parameter)));
}
