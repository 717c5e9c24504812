/** A definition of a kind, as it is in the file of an operator. */
export function definitionText(plural: string, group: string, kind: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  names: {kind: ${kind}, plural: ${plural}}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;
}

/** The Deployment of an operator that is told its images by variables. */
export function deploymentText(name: string, namespace: string, image: string, variables: Record<string, string> = {}): string {
  const env = Object.entries(variables).map(([key, value]) => `{name: ${key}, value: "${value}"}`).join(', ');
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: ${name}, image: "${image}"${env === '' ? '' : `, env: [${env}]`}}]}
`;
}
