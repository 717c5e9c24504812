import { checkDnsSubdomain } from './dns';

/**
 * Checks the path of a webhook behind a Service.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go (`ValidateWebhookService`).
 *
 * @returns what is wrong with it, or undefined
 */
export function checkServicePath(path: string): string | undefined {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  if (!path.startsWith('/')) return `"${path}" does not start with "/"`;
  return segments.every((segment) => checkDnsSubdomain(segment) === undefined) ? undefined
    : `"${path}" has a part that is not made of lower-case letters, digits, "-" and "."`;
}
