import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OperatorContainer, OperatorContainerOptions } from './operator-container';
import { OperatorIdentity } from './operator-identity';
import { certificateMounts, CONTAINER } from './operator-pod';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { checkMountPath, OperatorVolume } from './operator-volume';
import { checkImage } from '../../controllers/controller-checks';
import { CONTROLLER_RULES } from '../../controllers/rules';
import { Problem, problemIf } from '../../problems/problem';
import { DATA_KEYS, isDataKey } from '../../values/data-key';
import { checkDnsLabel, checkDnsSubdomain } from '../../values/dns';
import { isPodField, POD_FIELDS } from '../../values/pod-fields';
import { checkResourceRequirements } from '../../values/resource-requirements';

/** Checks the containers of a pod: the operator's own, whose arguments have checks of their own, and those beside it. */
export function checkContainers(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const { initContainers = [], sidecars = [] } = props;
  const others = [...listed('initContainers', initContainers), ...listed('sidecars', sidecars)];
  const names = [CONTAINER, ...others.map(([, { name }]) => name)];
  return [
    ...checkContainer('', props),
    ...others.flatMap(([property, container], index) => [
      ...problemIf(OPERATOR_RULES.container, `${property}.name`, checkDnsLabel(container.name)
        ?? (names.indexOf(container.name) <= index ? `a container "${container.name}" is there already` : undefined), 'give another name'),
      ...(container.args ?? []).flatMap((arg, position) => problemIf(
        OPERATOR_RULES.argument, `${property}.args[${position}]`, arg.trim() === '' ? 'the argument is empty' : undefined, 'remove it',
      )),
      ...checkContainer(`${property}.`, container),
    ]),
    ...checkVolumes(identity, props, others),
  ];
}

function listed(property: string, containers: readonly OperatorContainer[]): [property: string, container: OperatorContainer][] {
  return containers.map((container, index) => [`${property}[${index}]`, container]);
}

function checkContainer(at: string, container: OperatorContainerOptions): Problem[] {
  return [
    ...checkImage(`${at}image`, container.image),
    ...checkResourceRequirements(container.resources ?? {}).map(({ property, message }) => ({
      rule: CONTROLLER_RULES.resources, property: `${at}resources.${property}`, message, fix: 'correct the quantity',
    })),
    ...checkVariables(at, container),
  ];
}

function checkVariables(at: string, { env = {}, fieldEnv = {}, secretEnv = [], configMapEnv = [] }: OperatorContainerOptions): Problem[] {
  const problem = (property: string, message: string | undefined, fix: string) => problemIf(OPERATOR_RULES.variable, at + property, message, fix);
  const names: [property: string, name: string][] = [
    ...Object.keys(env).map((name): [string, string] => [`env["${name}"]`, name]),
    ...Object.keys(fieldEnv).map((name): [string, string] => [`fieldEnv["${name}"]`, name]),
    ...secretEnv.map(({ name }, index): [string, string] => [`secretEnv[${index}].name`, name]),
    ...configMapEnv.map(({ name }, index): [string, string] => [`configMapEnv[${index}].name`, name]),
  ];
  const keyFault = (key: string, kind: string) => (isDataKey(key) ? undefined : `"${key}" is no key of a ${kind}; accepted are ${DATA_KEYS}`);
  return [
    ...names.flatMap(([property, name], index) => [
      ...problem(property, /^[ -<>-~]+$/.test(name) ? undefined : `"${name}" is no name of a variable`, 'give another name'),
      ...problem(property, names.slice(0, index).some(([, other]) => other === name) ? `"${name}" is there already` : undefined, 'name it once'),
    ]),
    ...Object.entries(fieldEnv).flatMap(([name, field]) => problem(
      `fieldEnv["${name}"]`, isPodField(field) ? undefined : `"${field}" is not a field of the pod that a variable can have`, `give one of ${POD_FIELDS}`,
    )),
    ...secretEnv.flatMap(({ secretName, secretKey }, index) => [
      ...problem(`secretEnv[${index}].secretName`, checkDnsSubdomain(secretName), 'give the name of the Secret'),
      ...problem(`secretEnv[${index}].secretKey`, keyFault(secretKey, 'Secret'), 'give the key of the Secret'),
    ]),
    ...configMapEnv.flatMap(({ configMapName, configMapKey }, index) => [
      ...problem(`configMapEnv[${index}].configMapName`, checkDnsSubdomain(configMapName), 'give the name of the ConfigMap'),
      ...problem(`configMapEnv[${index}].configMapKey`, keyFault(configMapKey, 'ConfigMap'), 'give the key of the ConfigMap'),
    ]),
  ];
}

function checkVolumes(identity: OperatorIdentity, props: OperatorProps, others: readonly [string, OperatorContainer][]): Problem[] {
  const serving = certificateMounts(identity, props);
  const own = (props.volumes ?? []).map((volume, index) => ({ volume, property: `volumes[${index}]` }));
  const further = others.map(([at, { volumes = [] }]) => volumes.map((volume, index) => ({ volume, property: `${at}.volumes[${index}]` })));
  const given = [...own, ...further.flat()];
  const definitions = [...serving.map(({ volume }) => volume), ...given.map(({ volume }) => volume._volume)];
  return [
    ...serving.flatMap(({ mount, feature }) => checkMountPath(mount.mountPath, `${feature}.certificateDirectory`)),
    ...given.flatMap(({ volume, property }, index) => {
      const { _volume: definition } = volume;
      const earlier = definitions.slice(0, serving.length + index);
      const isTaken = earlier.some((other) => other.name === definition.name && !isDeepStrictEqual(other, definition));
      return [
        ...volume._check(property),
        ...problemIf(
          OPERATOR_RULES.volume, property, isTaken ? `a volume "${definition.name}" is there already, with another source or other options` : undefined,
          'give another name, or the same source and options to share the volume',
        ),
      ];
    }),
    ...checkMountPaths([
      ...serving.map(({ mount, feature }): [string, string] => [mount.mountPath, `${feature}.certificateDirectory`]), ...own.map(pathOf),
    ]),
    ...further.flatMap((volumes) => checkMountPaths(volumes.map(pathOf))),
  ];
}

function pathOf({ volume, property }: { readonly volume: OperatorVolume; readonly property: string }): [path: string, property: string] {
  return [volume._mount.mountPath, `${property}.mountPath`];
}

/** Checks that the paths of one container differ. */
function checkMountPaths(paths: readonly [path: string, property: string][]): Problem[] {
  return paths.flatMap(([path, property], index) => problemIf(
    OPERATOR_RULES.volume, property, paths.slice(0, index).some(([other]) => posix.resolve('/', other) === posix.resolve('/', path))
      ? `"${path}" is taken` : undefined, 'give another path',
  ));
}
