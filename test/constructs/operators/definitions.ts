import { App, Chart, Testing } from 'cdk8s';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { CustomResourceVersion } from '../../../src/constructs/operators/custom-resource/custom-resource-version';
import { Schema } from '../../../src/constructs/operators/schema/schema';
import { Manifest } from '../../support/clusters';
import { problemsIn, ReportedProblem } from '../../support/problems';

/** The schema of a `Foo`. */
export const FOO_SCHEMA = Schema.object({
  properties: {
    spec: Schema.object({
      properties: {
        deploymentName: Schema.string({ minLength: 1, maxLength: 63 }),
        replicas: Schema.integer({ minimum: 1, maximum: 10, default: 1 }),
        color: Schema.string({ enum: ['red', 'blue'] }),
      },
      required: ['deploymentName', 'replicas'],
    }),
    status: Schema.object({ properties: { availableReplicas: Schema.integer(), selector: Schema.string() } }),
  },
});

/** The type `Foo` of `example.com`. */
export function foo(props: Partial<CustomResourceTypeProps> = {}): CustomResourceTypeProps {
  return { group: 'example.com', kind: 'Foo', versions: [versionWith(FOO_SCHEMA)], ...props };
}

/** Version `v1` of that schema. */
export function versionWith(schema: Schema, version: Partial<CustomResourceVersion> = {}): CustomResourceVersion {
  return { name: 'v1', schema, ...version };
}

/** The definition of such a type. */
export function definition(props: Partial<CustomResourceTypeProps> = {}): Manifest {
  const chart = new Chart(Testing.app(), 'types', { namespace: 'not-for-definitions' });
  new CustomResourceType(chart, 'foo', foo(props));
  return Testing.synth(chart)[0];
}

/** Problems of the type. */
export function crdProblems(props: Partial<CustomResourceTypeProps>): ReportedProblem[] {
  return problemsIn((app: App) => new CustomResourceType(new Chart(app, 'types'), 'foo', foo(props)));
}

/** A certificate that anybody may read; its key is thrown away. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIUQnRxSC/NH7lrQ0D6nr41YjLeS8gwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHZXhhbXBsZTAgFw0yNjExMjExNTI3MTRaGA8yMTI2MTAyODE1
MjcxNFowEjEQMA4GA1UEAwwHZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABN5mULRvQPzb7i2QPBUKBH8mTyNApBM3yDR8vh7ybs25N1WbZuvJErcPbGGA
IsX5IxcqU6oijAfWy80rColQ05ujUzBRMB0GA1UdDgQWBBTFiUcEofUR0tV22Ie0
d2D/v/hyMTAfBgNVHSMEGDAWgBTFiUcEofUR0tV22Ie0d2D/v/hyMTAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCH2ezchj4mOhwP70qVq3w9uFu5
UwNGqHDZBUF2INcjEQIhAK4+4IqsQPs6zTkK2AF0Kknn6us8zg5kyM4nARiUSEJt
-----END CERTIFICATE-----
`;
