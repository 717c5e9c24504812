import { Container, containersIn } from './pods';
import { Manifest } from '../support/clusters';

/** What a container may lack. */
export type Lack = 'cpu request' | 'memory request' | 'memory limit' | 'runAsNonRoot' | 'no privilege escalation' | 'drop ALL' | 'seccomp'
  | 'readOnlyRootFilesystem' | 'not privileged' | 'own network' | 'own processes' | 'no host paths';

/** A container that needs more than the others, and why. */
export interface Exception {
  /** Kind and name of the object, and the name of the container, as `Kind name container`. */
  readonly container: RegExp;
  readonly lacks: readonly Lack[];
  readonly reason: string;
}

/** What each container of an object lacks of the Pod Security Standard `restricted`, a read-only root, and of bounds on what it uses. */
export function lacking(object: Manifest, exceptions: readonly Exception[] = []): string[] {
  return containersIn(object).flatMap((one) => {
    const id = `${object.kind} ${object.metadata.name} ${one.container.name}`;
    const granted = exceptions.filter(({ container }) => container.test(id)).flatMap(({ lacks }) => lacks);
    return lacksOf(one).filter((lack) => !granted.includes(lack)).map((lack) => `${one.path}: lacks ${lack}`);
  });
}

function lacksOf({ pod, container }: Container): Lack[] {
  const own = container.securityContext ?? {};
  const around = pod.securityContext ?? {};
  const { requests = {}, limits = {} } = container.resources ?? {};
  const adds: string[] = own.capabilities?.add ?? [];
  const wanted: [Lack, boolean][] = [
    ['cpu request', requests.cpu !== undefined],
    ['memory request', requests.memory !== undefined],
    ['memory limit', limits.memory !== undefined],
    ['runAsNonRoot', (own.runAsNonRoot ?? around.runAsNonRoot) === true && (own.runAsUser ?? around.runAsUser) !== 0],
    ['no privilege escalation', own.allowPrivilegeEscalation === false],
    ['drop ALL', own.capabilities?.drop?.includes('ALL') === true && adds.every((capability) => capability === 'NET_BIND_SERVICE')],
    ['seccomp', ['RuntimeDefault', 'Localhost'].includes((own.seccompProfile ?? around.seccompProfile)?.type)],
    ['readOnlyRootFilesystem', own.readOnlyRootFilesystem === true],
    ['not privileged', own.privileged !== true],
    ['own network', pod.hostNetwork !== true],
    ['own processes', pod.hostPID !== true && pod.hostIPC !== true],
    ['no host paths', !(pod.volumes ?? []).some((volume: Manifest) => volume.hostPath !== undefined)],
  ];
  return wanted.filter(([, there]) => !there).map(([lack]) => lack);
}
