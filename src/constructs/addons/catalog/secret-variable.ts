import { checkGiven, checkObjectName } from './checks';
import { Problem } from '../../../manifests/values/problem';

/** An environment variable whose value is a Secret's: credentials that are in the tenant by other means. */
export interface SecretVariable {
  /** Name of the variable, e.g. `CF_API_TOKEN` (`TC-ADDON-REQUIRED`). */
  readonly name: string;

  /** Name of the Secret, in the namespace of the addon (`TC-ADDON-OBJECT-NAME`). */
  readonly secretName: string;

  /** Key of the Secret that holds the value (`TC-ADDON-REQUIRED`). */
  readonly secretKey: string;
}

/** The variables as a container takes them; undefined where there are none. */
export function secretVariables(variables: readonly SecretVariable[] | undefined): object[] | undefined {
  return variables?.map(({ name, secretName, secretKey }) => ({ name, valueFrom: { secretKeyRef: { name: secretName, key: secretKey } } }));
}

/** Checks the names of variables, Secrets and keys. */
export function checkSecretVariables(property: string, variables: readonly SecretVariable[] = []): Problem[] {
  return variables.flatMap(({ name, secretName, secretKey }, index) => [
    ...checkGiven(`${property}[${index}].name`, name, 'give the name of the variable'),
    ...checkObjectName(`${property}[${index}].secretName`, secretName),
    ...checkGiven(`${property}[${index}].secretKey`, secretKey, 'give the key of the Secret'),
  ]);
}
