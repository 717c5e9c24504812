import { Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { ComponentArgument, formatArgument } from '../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';

/** The user of distroless images (`nonroot`), also for images that do not name one. */
const USER = 65532;

/** Meets the Pod Security Standard `restricted` for pods, with a group that can read the mounts. */
export const POD_SECURITY = {
  fsGroup: USER,
  runAsGroup: USER,
  runAsNonRoot: true,
  runAsUser: USER,
  seccompProfile: { type: 'RuntimeDefault' },
} satisfies k8s.PodSecurityContext;

/** Meets the Pod Security Standard `restricted` for containers, with a read-only root file system. */
export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
} satisfies k8s.SecurityContext;

/** The HTTP health endpoint of a container. */
interface HealthEndpoint {
  readonly path: string;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
}

/** One container of a controller's pod. */
export interface ControllerContainer {
  readonly name: string;
  readonly image: string;

  /** The program, if the image has no entry point for it. */
  readonly command?: readonly string[];

  /** Command line; a function if it depends on later declarations. */
  readonly args: readonly ComponentArgument[] | (() => readonly ComponentArgument[]);

  readonly resources: ResourceRequirements;

  /** Unset if the container has none. */
  readonly health?: HealthEndpoint;

  readonly env?: readonly k8s.EnvVar[];
  readonly volumeMounts: readonly k8s.VolumeMount[];

  /** Security context, if the container needs more than the minimum. */
  readonly security?: k8s.SecurityContext;
}

/** The container in the pod's spec. */
export function containerSpec({ health, args, ...container }: ControllerContainer): object {
  return {
    name: container.name,
    image: container.image,
    imagePullPolicy: 'IfNotPresent',
    ...(container.command && { command: container.command }),
    args: typeof args === 'function' ? Lazy.any({ produce: () => args().map(formatArgument) }) : args.map(formatArgument),
    ...(container.env && { env: container.env }),
    ...(health && {
      ports: [{ name: 'health', containerPort: health.port, protocol: 'TCP' }],
      livenessProbe: { ...probe(health), initialDelaySeconds: 15, failureThreshold: 6 },
      readinessProbe: { ...probe(health), failureThreshold: 3 },
    }),
    resources: container.resources,
    securityContext: container.security ?? CONTAINER_SECURITY,
    ...(container.volumeMounts.length > 0 && { volumeMounts: container.volumeMounts }),
  };
}

function probe({ path, scheme }: HealthEndpoint): object {
  return { httpGet: { path, port: 'health', scheme }, periodSeconds: 10, timeoutSeconds: 5, successThreshold: 1 };
}
