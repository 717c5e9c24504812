import { FaultSink, ValueFault } from '../../schema/check-value';
import { faultWords, FaultWords } from '../../schema/finding-words';
import { FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ExplainedRule, RuleFinding } from '../manifest-rule';

const STRUCTURAL_SCHEMA = 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (structural schemas)';

/** Rules of API servers for fields by the definition of a kind, rules in CEL aside. */
export const STRUCTURE_RULES = {
  kind: {
    id: 'TC-ADMIT-KIND',
    title: 'A kind must exist in its group if all kinds of the group are known; in other groups, it must not be a misspelled known kind.',
    source: 'kubernetes.io/docs/reference/using-api/api-concepts, kubernetes.io/docs/reference/using-api/deprecation-guide',
    example: {
      failing: repository('interval: 10m').replace('kind: GitRepository', 'kind: GitRepo'),
      corrected: repository('interval: 10m'),
    },
  },
  version: {
    id: 'TC-ADMIT-FIELD-VERSION',
    title: 'The pinned release of a kind must serve its version.',
    source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning',
    example: {
      failing: disruptionBudget('v1beta1'),
      corrected: disruptionBudget('v1'),
    },
  },
  unknown: {
    id: 'TC-ADMIT-FIELD-UNKNOWN',
    title: 'A field must exist in its kind. Strict validation, which kubectl requests, and server-side apply refuse unknown fields; otherwise the API server drops them.',
    source: 'kubernetes.io/docs/reference/using-api/api-concepts (field validation)',
    example: {
      failing: repository('interval: 10m', 'ref:', '  brunch: main'),
      corrected: repository('interval: 10m', 'ref:', '  branch: main'),
    },
  },
  release: {
    id: 'TC-ADMIT-FIELD-RELEASE',
    title: 'A field, a choice or a version should exist in the known release of a provider. Clusters with another release may have it: definitions among the manifests count instead.',
    source: STRUCTURAL_SCHEMA,
    warning: true,
    example: {
      failing: addressPool('reservedAddresses: [192.0.2.20]'),
      corrected: addressPool('excludedAddresses: [192.0.2.20]'),
    },
  },
  type: {
    id: 'TC-ADMIT-FIELD-TYPE',
    title: 'A value must have the type of its field: without quotes, YAML reads digits as a number.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('interval: 10m', 'ref:', '  tag: 1.10'),
      corrected: repository('interval: 10m', 'ref:', '  tag: "1.10"'),
    },
  },
  required: {
    id: 'TC-ADMIT-FIELD-REQUIRED',
    title: 'A required field without a default must be set.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('timeout: 60s'),
      corrected: repository('timeout: 60s', 'interval: 10m'),
    },
  },
  value: {
    id: 'TC-ADMIT-FIELD-VALUE',
    title: 'A value must match the enum, pattern, format, bounds, length and number of items of its field.',
    source: STRUCTURAL_SCHEMA,
    example: {
      failing: repository('interval: 1d'),
      corrected: repository('interval: 24h'),
    },
  },
  overflow: {
    id: 'TC-ADMIT-FIELD-OVERFLOW',
    title: "A number must fit into 32 bits where Kubernetes' own kinds have no more: server-side apply stores another number.",
    source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/runtime/converter.go (fromUnstructured)',
    warning: true,
    example: {
      failing: service('4294967376'),
      corrected: service('80'),
    },
  },
  rule: {
    id: 'TC-ADMIT-FIELD-RULE',
    title: "A value must keep the rules in CEL of its kind's CustomResourceDefinition.",
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go',
    example: {
      failing: bounded('least: 3, most: 1'),
      corrected: bounded('least: 1, most: 3'),
    },
  },
  duplicate: {
    id: 'TC-ADMIT-FIELD-DUPLICATE',
    title: 'Items of a set, and keys of list items, must be unique. For Kubernetes\' own kinds, server-side apply refuses duplicates; otherwise one of them is lost.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go',
    example: {
      failing: controlPlane('InternalIP, Hostname, InternalIP'),
      corrected: controlPlane('InternalIP, Hostname'),
    },
  },
  metadata: {
    id: 'TC-ADMIT-FIELD-METADATA',
    title: 'The name of an object must be a DNS name; labels and annotations must be strings; their keys, finalizers and owner references must be valid.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go',
    example: {
      failing: repository('interval: 10m').replace('name: acme', 'name: Acme\n  labels:\n    example.com/managed: true'),
      corrected: repository('interval: 10m').replace('name: acme', 'name: acme\n  labels:\n    example.com/managed: "true"'),
    },
  },
} satisfies Record<string, ExplainedRule>;

function disruptionBudget(version: string): string {
  return `apiVersion: policy/${version}
kind: PodDisruptionBudget
metadata:
  name: web
  namespace: acme
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {app: web}
`;
}

function addressPool(field: string): string {
  return `apiVersion: ipam.cluster.x-k8s.io/v1alpha2
kind: InClusterIPPool
metadata:
  name: acme
  namespace: tenant-acme
spec:
  addresses: [192.0.2.10-192.0.2.30]
  prefix: 24
  gateway: 192.0.2.1
  ${field}
`;
}

function repository(...fields: readonly string[]): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: acme
  namespace: tenant-acme
spec:
  url: https://git.example.com/acme
${fields.map((field) => `  ${field}\n`).join('')}`;
}

/** A definition with a rule, and an object of its kind. */
function bounded(spec: string): string {
  return `${definedWidget('{rule: self.least <= self.most, message: most must not be less than least}')}---
apiVersion: example.com/v1
kind: Widget
metadata:
  name: acme
  namespace: tenant-acme
spec: {${spec}}
`;
}

/** A definition whose objects have bounds, and a rule over these. */
export function definedWidget(rule: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [least, most]
              properties: {least: {type: integer}, most: {type: integer}}
              x-kubernetes-validations:
                - ${rule}
`;
}

function service(port: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: tenant-acme
spec:
  type: ClusterIP
  selector:
    app: web
  ports:
    - name: http
      protocol: TCP
      port: ${port}
      targetPort: http
`;
}

function controlPlane(addressTypes: string): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata:
  name: acme
  namespace: tenant-acme
spec:
  version: 1.35.4
  addons:
    coreDNS:
      dnsServiceIPs: [10.96.0.10]
  kubelet:
    cgroupfs: systemd
    preferredAddressTypes: [${addressTypes}]
`;
}

/** Removes findings about rules in CEL where something else is found in the same value: these rules follow from it, or say the same. */
export function withoutRepeatedRules(findings: readonly RuleFinding[], ofCel: ExplainedRule = STRUCTURE_RULES.rule): readonly RuleFinding[] {
  const isOther = ({ rule }: RuleFinding) => rule.id !== ofCel.id && !rule.warning && !rule.trap;
  if (findings.every(({ rule }) => rule.id !== ofCel.id) || !findings.some(isOther)) return findings;
  const isRelated = (one: FieldPath, other: FieldPath) => one.slice(0, other.length).every((step, index) => step === other[index]);
  const others = findings.filter(isOther);
  return findings.filter((finding) => finding.rule.id !== ofCel.id || !others.some(({ path }) => isRelated(finding.path, path)));
}

/** The rules that faults break; the others break the one about values. */
const RULES_OF: Readonly<Partial<Record<ValueFault['code'], keyof typeof STRUCTURE_RULES>>> = {
  duplicate: 'duplicate', null: 'type', overflow: 'overflow', required: 'required', type: 'type', unknown: 'unknown',
};

/** Findings of one object, and the place that is looked at. */
export class StructureFindings implements FaultSink {
  /** Findings so far. */
  public readonly found: RuleFinding[] = [];

  private readonly place: (string | number)[] = [];

  /** @param wordsOf words for what is wrong by the schema */
  public constructor(private readonly wordsOf: (fault: ValueFault, path: FieldPath) => FaultWords = faultWords) {}

  /** The place that is looked at. */
  public get path(): FieldPath {
    return [...this.place];
  }

  /**
   * Reports something.
   *
   * @param rule which rule is broken
   * @param finding what is wrong at the place that is looked at
   */
  public add(rule: keyof typeof STRUCTURE_RULES, finding: Omit<Finding, 'path'>): void {
    this.found.push({ rule: STRUCTURE_RULES[rule], path: this.path, ...finding });
  }

  /** Reports what is wrong by the schema. */
  public report(fault: ValueFault): void {
    this.add(this.ruleOf(fault), this.wordsOf(fault, this.path));
  }

  /** The rule that a fault breaks. */
  protected ruleOf({ code }: ValueFault): keyof typeof STRUCTURE_RULES {
    return RULES_OF[code] ?? 'value';
  }

  /**
   * Looks at something inside the place.
   *
   * @param step name of the field, or position in the list
   * @param look reports what it finds there
   */
  public at(step: string | number, look: () => void): void {
    this.enter(step);
    look();
    this.leave();
  }

  /** Goes to something inside the place; there is a way back for each way in. */
  public enter(step: string | number): void {
    this.place.push(step);
  }

  /** Goes back to what is around the place. */
  public leave(): void {
    this.place.pop();
  }
}
