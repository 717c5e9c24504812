import { DELIVERY_RULES } from './rules';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
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

function checkAddress(repository: string, property: string, schemes: readonly string[]): Problem[] {
  const message = checkRepository(repository, schemes);
  return message === undefined ? [] : [{ rule: DELIVERY_RULES.repository, property, message, fix: 'write the address as the charts spell it' }];
}

function checkOnce(repository: string, earlier: readonly RepositoryAccess[], property: string): Problem[] {
  if (accessTo(repository, earlier) === undefined) return [];
  return [{ rule: DELIVERY_RULES.repositoryAccess, property, message: 'another entry has the same address', fix: 'keep one of the entries' }];
}

function checkSecretName(name: string | undefined, property: string): Problem[] {
  const message = name === undefined ? undefined : checkDnsSubdomain(name);
  return message === undefined ? [] : [{ rule: DELIVERY_RULES.repositoryAccess, property, message, fix: 'write the name of the Secret' }];
}
