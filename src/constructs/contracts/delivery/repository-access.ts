import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { checkRepository, comparedAddress } from '../../../manifests/values/repository-address';

/** Properties of a delivery about the access to a repository. */
export interface RepositoryAccess {
  readonly repository: string;

  /** Names of Secrets, by the property that holds them. */
  readonly secrets: { readonly [property: string]: string | undefined };
}

/** Finds what is said about a repository. */
export function accessTo<T extends { readonly repository: string }>(repository: string, entries: readonly T[] = []): T | undefined {
  return entries.find((entry) => comparedAddress(entry.repository) === comparedAddress(repository));
}

/** Checks what is said about repositories. */
export function checkRepositoryAccess(entries: readonly RepositoryAccess[], property: string, schemes: readonly string[]): Problem[] {
  return entries.flatMap(({ repository, secrets }, index) => [
    ...checkAddress(repository, `${property}[${index}].repository`, schemes),
    ...checkOnce(repository, entries.slice(0, index), `${property}[${index}].repository`),
    ...Object.entries(secrets).flatMap(([key, name]) => checkSecretName(name, `${property}[${index}].${key}`)),
  ]);
}

/** Rule for addresses of chart repositories. */
export const REPOSITORY_RULE: Rule = {
  id: 'TC-DELIVERY-REPOSITORY',
  title: 'Charts come from a Helm repository or an OCI registry, whose address holds no credentials.',
  source: 'fluxcd/source-controller docs/spec/v1/helmrepositories.md, kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_webhook.go',
};

function checkAddress(repository: string, property: string, schemes: readonly string[]): Problem[] {
  const message = checkRepository(repository, schemes);
  return message === undefined ? [] : [{ rule: REPOSITORY_RULE, property, message, fix: 'write the address as the charts spell it' }];
}

/** Rule for access to chart repositories. */
export const REPOSITORY_ACCESS_RULE: Rule = {
  id: 'TC-DELIVERY-REPOSITORY-ACCESS',
  title: 'How a repository is accessed is said once, with names of Secrets that Kubernetes accepts.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

function checkOnce(repository: string, earlier: readonly RepositoryAccess[], property: string): Problem[] {
  if (accessTo(repository, earlier) === undefined) return [];
  return [{ rule: REPOSITORY_ACCESS_RULE, property, message: 'another entry has the same address', fix: 'keep one of the entries' }];
}

function checkSecretName(name: string | undefined, property: string): Problem[] {
  const message = name === undefined ? undefined : checkDnsSubdomain(name);
  return message === undefined ? [] : [{ rule: REPOSITORY_ACCESS_RULE, property, message, fix: 'write the name of the Secret' }];
}
