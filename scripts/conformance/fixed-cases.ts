import { ConformanceCase } from './conformance-case';
import { documentsOf } from './rule-cases';
import { objectName } from '../../src/manifests/objects/manifest-object';
import { DEFINITIONS } from '../../test/manifests/schema/server-verdicts';

/** Objects that explanations in unenforced-rules.ts and exceptions.ts are about, and that neither rules nor every run's mutants show. */
const OBJECTS: Readonly<Record<string, string>> = {
  'field of an empty map': `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  template:
    spec:
      virtualMachineTemplate:
        spec:
          runStrategy: RerunOnFailure
          template:
            spec:
              domain:
                devices:
                  interfaces:
                    - {name: default, bridge: {name: br0}}
              networks:
                - {name: default, pod: {}}
`,
  'version that an older release serves': `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: acme}
spec: {policyName: acme, validationActions: [Deny]}
`,
  'number one beyond 64 bits': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme, namespace: tenant-acme}
spec:
  interval: 10m
  maxHistory: 9223372036854775808
  chartRef: {kind: OCIRepository, name: acme}
`,
  'number beyond 32 bits': `apiVersion: apps/v1
kind: Deployment
metadata: {name: acme, namespace: tenant-acme}
spec:
  selector: {matchLabels: {app: acme}}
  template:
    metadata: {labels: {app: acme}}
    spec:
      containers:
        - name: acme
          image: registry.example.com/acme:1.0
          livenessProbe: {failureThreshold: 4294967299, tcpSocket: {port: 80}}
`,
};

/** Definitions whose verdicts tests know: the server gives them again. */
function definitionCases(): ConformanceCase[] {
  return DEFINITIONS.map(([words, spec, expected], number) => {
    const kind = { kind: `Verdict${number}`, plural: `verdict${number}s` };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${kind.plural}.example.com` },
      spec: { group: 'example.com', scope: 'Namespaced', names: kind, versions: [version] },
    };
    return { id: `definition:${number}`, origin: 'rule', row: 'definitions', words, expected, set: [], text: JSON.stringify(definition), around: [] };
  });
}

/** Cases that every run has, whatever its seed. */
export function fixedCases(): ConformanceCase[] {
  const objects = Object.entries(OBJECTS).flatMap(([name, text]) => documentsOf(text).map((object): ConformanceCase => ({
    id: `fixed:${name.replaceAll(' ', '-')}`, origin: 'mutation', row: 'fixed', words: `${objectName(object)}: ${name}`, set: [], text: JSON.stringify(object), around: [],
  })));
  return [...definitionCases(), ...objects];
}
