import type { k8s } from 'cdk8s-plus-28';

/** The user of distroless images (`nonroot`), which is as good as any where an image names none. */
const USER = 65532;

/** What the Pod Security Standard `restricted` asks of a pod, and a group that may read what is mounted. */
export const POD_SECURITY = {
  fsGroup: USER,
  runAsGroup: USER,
  runAsNonRoot: true,
  runAsUser: USER,
  seccompProfile: { type: 'RuntimeDefault' },
} satisfies k8s.PodSecurityContext;

/** What the Pod Security Standard `restricted` asks of a container, and a root file system that nobody can write to. */
export const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
} satisfies k8s.SecurityContext;
