import type { k8s } from 'cdk8s-plus-28';

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
