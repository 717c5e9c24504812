import { indented } from '../rules/example-text';
import { RuleExample } from '../rules/manifest-rule';

/** A pod with fields of its spec. */
export function podText(fields: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: acme\nspec:\n${indented(fields, 2)}`;
}

/** A pod with fields of its only container. */
export function containerText(fields: string, more = ''): string {
  return podText(`${more}containers:\n  - name: web\n    image: registry.example.com/web:v1\n${indented(fields, 4)}`);
}

/** A Deployment with fields of its spec before the template, whose pods have the label `app: web`. */
export function deploymentText(fields: string, podFields = ''): string {
  return objectText('apps/v1', 'Deployment', `spec:\n${indented(fields, 2)}  template:
    metadata:
      labels: {app: web}
    spec:
${indented(podFields, 6)}      containers:
        - name: web
          image: registry.example.com/web:v1
`);
}

/** An object in a namespace, with all fields but the first ones. */
export function objectText(apiVersion: string, kind: string, fields: string, name = 'web'): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: acme\n${fields}`;
}

/** An object without a namespace. */
export function clusterObjectText(apiVersion: string, kind: string, fields: string, name = 'web'): string {
  return objectText(apiVersion, kind, fields, name).replace('  namespace: acme\n', '');
}

/** The same text with other fields. */
export function pair(text: (fields: string) => string, failing: string, corrected: string): RuleExample {
  return { failing: text(failing), corrected: text(corrected) };
}
