import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OperatorContainer, OperatorContainerOptions } from './operator-container';
import { OperatorIdentity } from './operator-identity';
import { certificateMounts, givenVolumes } from './operator-pod';
import { OperatorProps } from './operator-props';
import { OPERATOR_RULES } from './operator-rules';
import { checkMountPath, OperatorVolume } from './operator-volume';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkControllerImage, RESOURCES_RULE } from '../../addons/controllers/controller-checks';

/** Checks the containers of a pod: the operator's own, whose arguments have checks of their own, and those beside it. */
export function checkContainers(identity: OperatorIdentity, props: OperatorProps): Problem[] {
  const others = furtherContainers(props);
  return [
    ...checkContainer('', props),
    ...others.flatMap(([property, container]) => [
      ...(container.args ?? []).flatMap((arg, position) => problemIf(
        OPERATOR_RULES.argument, `${property}.args[${position}]`, arg.trim() === '' ? 'the argument is empty' : undefined, 'remove it',
      )),
      ...checkContainer(`${property}.`, container),
    ]),
    ...checkVolumes(identity, props, others),
  ];
}

function furtherContainers({ initContainers = [], sidecars = [] }: OperatorProps): [property: string, container: OperatorContainer][] {
  return Object.entries({ initContainers, sidecars }).flatMap(([property, containers]) => (
    containers.map((container, index): [string, OperatorContainer] => [`${property}[${index}]`, container])));
}

function checkContainer(at: string, container: OperatorContainerOptions): Problem[] {
  return [
    ...checkControllerImage(`${at}image`, container.image),
    ...problemsOf(RESOURCES_RULE, `${at}resources`, checkResourceRequirements(container.resources ?? {})),
  ];
}

function checkVolumes(identity: OperatorIdentity, props: OperatorProps, others: readonly [string, OperatorContainer][]): Problem[] {
  const serving = certificateMounts(identity, props);
  const given = givenVolumes(props);
  const volumesOf = (at: string) => given.filter(({ property }) => property.startsWith(`${at}volumes[`)).map(pathOf);
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
      ...serving.map(({ mount, feature }): [string, string] => [mount.mountPath, `${feature}.certificateDirectory`]), ...volumesOf(''),
    ]),
    ...others.flatMap(([at]) => checkMountPaths(volumesOf(`${at}.`))),
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
