import { Duration } from 'cdk8s';
import { Problem } from '../../../manifests/values/problem';
import { checkDuration, durationText } from '../../contracts/node-pool/timeouts';

/** A file or directory of the Docker host in the containers. */
export interface DevMount {
  /** Path on the host, e.g. `/var/run/docker.sock`. */
  readonly hostPath: string;

  /** Path in the container. */
  readonly containerPath: string;

  /**
   * True if the container cannot write to it.
   *
   * @default false
   */
  readonly readOnly?: boolean;
}

/** Options of machines that are containers. */
export interface DevDockerMachineOptions {
  /**
   * Image of the node, which has kubelet and kubeadm of the Kubernetes version: one of the kind project, or one that is built like it.
   *
   * @default - `kindest/node` with the Kubernetes version as its tag, where the kind project publishes one: docs/guides/try-on-kind.md
   */
  readonly image?: string;

  /**
   * Images of the Docker host that new machines get, so that they do not pull them.
   *
   * @default - none
   */
  readonly preloadedImages?: string[];

  /**
   * Files and directories of the host.
   *
   * @default - none
   */
  readonly mounts?: DevMount[];

  /**
   * Time for kubeadm to finish on a machine. One that takes longer fails, and is not tried again.
   *
   * @default - the provider's: 5 minutes
   */
  readonly bootstrapTimeout?: Duration;
}

/** Time that a part of a machine in memory takes to come up. */
export interface DevStartup {
  /** The shortest time. */
  readonly duration: Duration;

  /**
   * Share of the time that is added at random at most: with 0.2, up to a fifth.
   *
   * Rule: `TC-TRAP-DEV-JITTER`.
   *
   * @default - none is added
   */
  readonly jitter?: number;
}

/** Options of machines in memory: the times that their parts take to come up, each after the one before. */
export interface DevInMemoryMachineOptions {
  /**
   * The virtual machine.
   *
   * @default - it comes up at once
   */
  readonly vm?: DevStartup;

  /**
   * The node.
   *
   * @default - it comes up at once
   */
  readonly node?: DevStartup;

  /**
   * The API server, on machines of the control plane.
   *
   * @default - it comes up at once
   */
  readonly apiServer?: DevStartup;

  /**
   * The member of etcd, on machines of the control plane.
   *
   * @default - it comes up at once
   */
  readonly etcd?: DevStartup;
}

const PROPERTY = 'machine.backend';

/**
 * The part of the development provider that runs machines.
 *
 * Source: kubernetes-sigs/cluster-api test/infrastructure/docker/api/v1beta2/devmachine_types.go.
 *
 * @example
 * new dev.DevMachine({ backend: dev.DevMachineBackend.inMemory({ vm: { duration: Duration.seconds(10), jitter: 0.2 } }) });
 */
export class DevMachineBackend {
  /**
   * Containers on the Docker host of the provider. It runs files and commands of their bootstrap, and nothing else of cloud-init: no users, NTP
   * servers, disks, mounts and boot commands.
   *
   * Rule: `TC-TRAP-DEV-CLOUD-INIT`.
   *
   * @param options image, mounts and times
   */
  public static docker(options: DevDockerMachineOptions = {}): DevMachineBackend {
    const { image, preloadedImages = [], mounts = [], bootstrapTimeout } = options;
    return new DevMachineBackend({
      docker: {
        ...(image !== undefined && { customImage: image }),
        ...(preloadedImages.length > 0 && { preLoadImages: preloadedImages }),
        ...(mounts.length > 0 && { extraMounts: mounts.map(({ hostPath, containerPath, readOnly }) => ({ hostPath, containerPath, readOnly })) }),
        ...(bootstrapTimeout && { bootstrapTimeout: durationText(bootstrapTimeout) }),
      },
    }, bootstrapTimeout ? checkDuration(`${PROPERTY}.bootstrapTimeout`, bootstrapTimeout) : []);
  }

  /**
   * Machines in the memory of the provider, which read nothing of their bootstrap.
   *
   * @param options times
   */
  public static inMemory(options: DevInMemoryMachineOptions = {}): DevMachineBackend {
    const parts = Object.entries({ vm: options.vm, node: options.node, apiServer: options.apiServer, etcd: options.etcd })
      .flatMap(([name, startup]): [string, DevStartup][] => (startup ? [[name, startup]] : []));
    return new DevMachineBackend(
      { inMemory: Object.fromEntries(parts.map(([name, startup]) => [name, { provisioning: provisioning(startup) }])) },
      parts.flatMap(([name, { duration }]) => checkDuration(`${PROPERTY}.${name}.duration`, duration)),
    );
  }

  /**
   * The field `spec.backend` of a DevMachine.
   *
   * @internal
   */
  public readonly _fields: object;

  /** @internal */
  public readonly _problems: Problem[];

  private constructor(fields: object, problems: Problem[]) {
    this._fields = fields;
    this._problems = problems;
  }
}

function provisioning({ duration, jitter }: DevStartup): object {
  return { startupDuration: durationText(duration), ...(jitter !== undefined && { startupJitter: `${jitter}` }) };
}

/** Property by field of a template. */
export const BACKEND_SOURCES: { readonly [field: string]: string } = {
  'spec.template.spec.backend.docker.customImage': `${PROPERTY}.image`,
  'spec.template.spec.backend.docker.preLoadImages[*]': `${PROPERTY}.preloadedImages[*]`,
  'spec.template.spec.backend.docker.extraMounts[*].**': `${PROPERTY}.mounts[*].**`,
  'spec.template.spec.backend.docker.bootstrapTimeout': `${PROPERTY}.bootstrapTimeout`,
  ...Object.fromEntries(['vm', 'node', 'apiServer', 'etcd'].flatMap((part) => [
    [`spec.template.spec.backend.inMemory.${part}.provisioning.startupDuration`, `${PROPERTY}.${part}.duration`],
    [`spec.template.spec.backend.inMemory.${part}.provisioning.startupJitter`, `${PROPERTY}.${part}.jitter`],
  ])),
};
