import { ServerVerdict } from './server-verdict';

/** A refusal of the server that our rules leave alone on purpose. */
export interface ServerException {
  /** Kind that it is about, e.g. `apps/Deployment`; any, if it is left out. */
  readonly kind?: string;

  /** The stage of the server that refuses. */
  readonly by: NonNullable<ServerVerdict['by']>;

  /** Pattern of the server's message. */
  readonly message: RegExp;

  /** Reason for which the rules accept it. */
  readonly reason: string;
}

/** All refusals that our rules leave alone; one that never happens is an error. */
export const EXCEPTIONS: readonly ServerException[] = [
  {
    by: 'schema',
    message: /in body must be of type integer(,string)?: "number"/,
    reason: 'JavaScript reads 9223372036854775808 and the largest whole number before it as the same number',
  },
  {
    kind: 'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    by: 'schema',
    message: /xpression: Invalid value: .*(compilation failed: |must evaluate to )/s,
    reason: 'only the server compiles all of CEL; services_test.go asks a server about the policy that is written',
  },
  {
    kind: 'apiextensions.k8s.io/CustomResourceDefinition',
    by: 'schema',
    message: /estimated rule cost exceeds budget/,
    reason: 'only servers estimate what a rule in CEL costs',
  },
  {
    kind: 'apiextensions.k8s.io/CustomResourceDefinition',
    by: 'schema',
    message: /\.(pattern|default(\.\w+)?): |x-kubernetes-list-(map-keys|type)|x-kubernetes-validations\[0\]\.(rule: Required value|message|reason): /,
    reason: 'checks of pages find it (test/manifests/schema/server-verdicts.test.ts), and no rule over manifests does',
  },
  {
    by: 'other',
    message: /^no matches for kind "ValidatingAdmissionPolicy(Binding)?" in version "admissionregistration\.k8s\.io\/v1beta1"$/,
    reason: 'Kubernetes 1.33, which is supported, serves the version (k8s.io/api/admissionregistration/v1beta1), and the newest one, which is asked, does not',
  },
];
