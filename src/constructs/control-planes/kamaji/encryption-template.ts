/** A key of a template. */
interface TemplateKey {
  readonly name: string;
  readonly provider: string;
}

/**
 * The template of a configuration of encryption at rest, from which the External Secrets Operator makes the file. Neighbors of one provider
 * are one entry; what is not encrypted yet can be read, too. A line break after a key in the store does not reach the file.
 */
export function encryptionTemplate(keys: readonly TemplateKey[], resources: readonly string[]): string {
  const text = (value: string) => JSON.stringify(value);
  const lines = keys.flatMap((key, index) => [
    ...(index > 0 && keys[index - 1].provider === key.provider ? [] : [`      - ${key.provider}:`, '          keys:']),
    `            - name: ${text(key.name)}`,
    `              secret: '{{ index . ${text(key.name)} | trim }}'`,
  ]);
  return `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [${resources.map(text).join(', ')}]
    providers:
${lines.join('\n')}
      - identity: {}
`;
}
