import { containerText, pair } from './examples';
import { apiValidation, fault, faultIf, labelFault, repetitions, subdomainFault } from './findings';
import { containersOf, POD_KINDS, podOf } from './pods';
import { allOf } from '../rules/all-of';
import { ManifestRule } from '../rules/manifest-rule';
import { DATA_KEYS, isDataKey } from '../values/data-key';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';
import { isPodField, POD_FIELDS } from '../values/pod-fields';
import { checkResources } from '../values/resource-requirements';

const SOURCE = apiValidation('core');
const SOURCES = ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'];

/** Printable characters without the equals sign. */
const VARIABLE_NAME = /^[ -<>-~]+$/;

const environment: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ENV',
  title: 'An environment variable must have a name of printable characters without "=", and either a value or one source.',
  source: `${SOURCE} (ValidateEnv, ValidateEnvFrom)`,
  kinds: POD_KINDS,
  example: pair(containerText, `env:
  - name: KEY
    value: abc
    valueFrom:
      secretKeyRef: {name: web, key: key}`, `env:
  - name: KEY
    valueFrom:
      secretKeyRef: {name: web, key: key}`),
  check: (object) => containersOf(object).flatMap(({ container, path }) => allOf(
    objectsAt(container, 'env').flatMap(([variable, index]) => variableFaults(variable, [...path, 'env', index])),
    objectsAt(container, 'envFrom').flatMap(([entry, index]) => {
      const place = [...path, 'envFrom', index];
      const written = ['configMapRef', 'secretRef'].filter((name) => isSet(entry, name));
      return [
        ...(written.length === 1 ? [] : [fault(place, `it has ${written.length === 0 ? 'no source' : 'two sources'}`, 'write one of them', 'configMapRef or secretRef')]),
        ...written.flatMap((name) => (stringAt(entry, name, 'name') === undefined
          ? [fault([...place, name, 'name'], 'there is no name', 'name the object')] : subdomainFault([...place, name, 'name'], fieldAt(entry, name, 'name')))),
        ...(typeof entry.prefix === 'string' && entry.prefix !== '' && !VARIABLE_NAME.test(entry.prefix)
          ? [fault([...place, 'prefix'], `${JSON.stringify(entry.prefix)} cannot begin the name of a variable`, 'use printable characters without "="')] : []),
      ];
    }),
  )),
};

function variableFaults(variable: Fields, path: FieldPath): readonly Finding[] {
  const { name, valueFrom } = variable;
  const nameFaults = typeof name === 'string' && name !== '' && !VARIABLE_NAME.test(name)
    ? [fault([...path, 'name'], `${JSON.stringify(name)} is not the name of a variable`, 'use printable characters without "="')] : [];
  return isFields(valueFrom) ? [...nameFaults, ...sourceFaults(variable, valueFrom, path)] : nameFaults;
}

function sourceFaults(variable: Fields, valueFrom: Fields, path: FieldPath): readonly Finding[] {
  const from = SOURCES.filter((one) => isSet(valueFrom, one));
  return [
    ...(stringAt(variable, 'value') !== undefined ? [fault([...path, 'valueFrom'], 'it has a value, and a source of it', 'leave one of them out')] : []),
    ...(from.length !== 1
      ? [fault([...path, 'valueFrom'], `it has ${from.length === 0 ? 'no source' : 'several sources'}`, 'write one of them', SOURCES.join(', '))] : []),
    ...from.filter((one) => one.endsWith('KeyRef') && one !== 'fileKeyRef').flatMap((one) => {
      const key = fieldAt(valueFrom, one, 'key');
      const place = [...path, 'valueFrom', one];
      return [
        ...(typeof key === 'string' && key !== '' && !isDataKey(key) ? [fault([...place, 'key'], `${JSON.stringify(key)} cannot be a key`, 'correct it', DATA_KEYS)] : []),
        ...(stringAt(valueFrom, one, 'name') === undefined ? [fault([...place, 'name'], 'there is no name', 'name the object')]
          : subdomainFault([...place, 'name'], fieldAt(valueFrom, one, 'name'))),
      ];
    }),
    ...fieldFaults(fieldAt(valueFrom, 'fieldRef', 'fieldPath'), [...path, 'valueFrom', 'fieldRef', 'fieldPath']),
  ];
}

function fieldFaults(field: unknown, path: FieldPath): Finding[] {
  return typeof field !== 'string' || isPodField(field) ? [] : [fault(
    path, `${JSON.stringify(field)} is not a field of the pod that a variable can have`, 'write one of these', POD_FIELDS,
  )];
}

const resources: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RESOURCES',
  title: 'Requests of a container must not be negative or exceed limits; devices must be whole, with request equal to limit; huge pages require cpu or memory; claims must exist in the pod.',
  source: `${SOURCE} (validateResourceRequirements, ValidateResourceQuantityValue, validateResourceClaimNames, validatePodResourceClaims)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'resources:\n  requests: {memory: 1Gi}\n  limits: {memory: 512Mi}', 'resources:\n  requests: {memory: 512Mi}\n  limits: {memory: 1Gi}'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const claims = objectsAt(pod.spec, 'resourceClaims');
    const names = claims.map(([claim]) => stringAt(claim, 'name'));
    return allOf(
      claims.flatMap(([claim, index]) => claimFaults(claim, [...pod.specPath, 'resourceClaims', index])),
      containersOf(object).flatMap(({ container, path }) => allOf(
        findingsAt([...path, 'resources'], checkResources(container.resources)),
        objectsAt(container, 'resources', 'claims').flatMap(([claim, index]) => usedClaimFaults(claim, names, [...path, 'resources', 'claims', index])),
      )),
    );
  },
};

const CLAIM_SOURCES = ['resourceClaimName', 'resourceClaimTemplateName'];

function claimFaults(claim: Fields, path: FieldPath): Finding[] {
  const written = CLAIM_SOURCES.filter((field) => isSet(claim, field));
  return [
    ...labelFault([...path, 'name'], claim.name),
    ...(written.length === 1 ? [] : [fault(path, `it has ${written.length === 0 ? 'no source' : 'two sources'}`, 'write one of them', CLAIM_SOURCES.join(', '))]),
    ...written.flatMap((field) => subdomainFault([...path, field], claim[field])),
  ];
}

function usedClaimFaults(claim: Fields, names: readonly (string | undefined)[], path: FieldPath): Finding[] {
  const name = stringAt(claim, 'name');
  return [
    ...(name === undefined || names.includes(name) ? [] : [fault([...path, 'name'], `the pod has no claim ${JSON.stringify(name)}`, 'name one of resourceClaims of the pod, or add it there')]),
    ...labelFault([...path, 'request'], claim.request),
  ];
}

const CONTRADICTION = 'allowPrivilegeEscalation is false, and it is';

const security: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SECURITY-CONTEXT',
  title: 'Security settings must not contradict each other: allowPrivilegeEscalation: false excludes privileged, and a Localhost profile must have a name.',
  source: `${SOURCE} (ValidateSecurityContext, validateSeccompProfileField, validatePodSpecSecurityContext)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'securityContext:\n  seccompProfile:\n    type: Localhost',
    'securityContext:\n  seccompProfile:\n    type: Localhost\n    localhostProfile: profiles/web.json'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    return allOf(
      contextFaults(pod.spec.securityContext, [...pod.specPath, 'securityContext']),
      pod.spec.hostPID === true && pod.spec.shareProcessNamespace === true
        ? [fault([...pod.specPath, 'shareProcessNamespace'], 'the pod sees the processes of its node, and cannot share others', 'leave one of hostPID and shareProcessNamespace out')] : [],
      containersOf(object).flatMap(({ container, path }) => {
        const place = [...path, 'securityContext'];
        const context = container.securityContext;
        if (!isFields(context)) return [];
        const added = mapsOrTexts(fieldAt(context, 'capabilities', 'add'));
        const isHeld = context.allowPrivilegeEscalation === false;
        return allOf(
          contextFaults(context, place),
          context.procMount === 'Unmasked' && pod.spec.hostUsers !== false
            ? [fault([...place, 'procMount'], 'the container sees all of /proc, and the users of its node', 'write hostUsers: false in the pod, or remove it')] : [],
          isHeld && context.privileged === true ? [fault([...place, 'privileged'], `${CONTRADICTION} true`, 'leave one of them out')] : [],
          isHeld && added.includes('CAP_SYS_ADMIN')
            ? [fault([...place, 'capabilities', 'add'], `${CONTRADICTION} given CAP_SYS_ADMIN`, 'leave one of them out')] : [],
        );
      }),
    );
  },
};

function mapsOrTexts(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function contextFaults(context: unknown, path: FieldPath): readonly Finding[] {
  if (!isFields(context)) return [];
  const sysctls = objectsAt(context, 'sysctls');
  return allOf(
    ['runAsUser', 'runAsGroup', 'fsGroup'].flatMap((field) => {
      const id = context[field];
      return Number.isInteger(id) && ((id as number) < 0 || (id as number) > 2 ** 31 - 1)
        ? [fault([...path, field], `${String(id)} is not the number of a user or group`, 'write a number in these bounds', `0 to ${2 ** 31 - 1}`)] : [];
    }),
    windowsUserFaults(fieldAt(context, 'windowsOptions', 'runAsUserName'), [...path, 'windowsOptions', 'runAsUserName']),
    ['seccompProfile', 'appArmorProfile'].flatMap((field) => {
      if (!isFields(context[field])) return [];
      const [type, profile] = [stringAt(context, field, 'type'), fieldAt(context, field, 'localhostProfile')];
      const place = [...path, field, 'localhostProfile'];
      if (type === 'Localhost') return !isSet(context, field, 'localhostProfile') ? [fault(place, 'there is no profile', 'name the file or the profile on the node')] : [];
      return type !== undefined && typeof profile === 'string' ? [fault(place, `a profile is only for the type Localhost, not ${type}`, 'remove it')] : [];
    }),
    sysctls.flatMap(([sysctl, index]) => (typeof sysctl.name === 'string'
      ? faultIf([...path, 'sysctls', index, 'name'], /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(sysctl.name) ? undefined
        : `${JSON.stringify(sysctl.name)} is not the name of a setting of the kernel`, 'write one such as net.core.somaxconn') : [])),
    repetitions(sysctls, ([{ name }]) => (typeof name === 'string' ? name.replaceAll('/', '.') : undefined), ([, index]) => [...path, 'sysctls', index, 'name'], 'the setting'),
  );
}

/** A user of Windows, and a domain before it, if wanted. */
const WINDOWS_USER = /^([^\x00-\x1f\x7f\\]{1,256}\\)?(?![. ]+$)[^\x00-\x1f\x7f"/\\:;|=,+*?<>@[\]]{1,104}$/;

function windowsUserFaults(user: unknown, path: FieldPath): Finding[] {
  return typeof user !== 'string' || WINDOWS_USER.test(user) ? [] : [fault(path, `${JSON.stringify(user.slice(0, 60))} is not the name of a user of Windows`, 'write USER or DOMAIN\\USER')];
}

/** Containers: their variables, resources and privileges. */
export const CONTAINER_VALUES: readonly ManifestRule[] = [environment, resources, security];
