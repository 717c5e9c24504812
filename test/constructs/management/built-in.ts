import { BuiltInKind } from '../../manifests/schema/built-in-kind';
import { JsonObject, StructuralSchema } from '../../manifests/schema/structural-schema';
import { Manifest } from '../../support/clusters';
import { podErrors } from '../addons/controllers/built-in';

const OPEN: StructuralSchema = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true };
const COUNT: StructuralSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
const LABELS: StructuralSchema = { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } };
const JOB: StructuralSchema = {
  type: 'object',
  required: ['backoffLimit', 'template'],
  properties: {
    backoffLimit: COUNT,
    activeDeadlineSeconds: COUNT,
    ttlSecondsAfterFinished: COUNT,
    template: {
      type: 'object', required: ['metadata', 'spec'], properties: { metadata: { type: 'object', properties: { labels: LABELS } }, spec: OPEN },
    },
  },
};

/** Kinds that a management cluster is made of, with what an API server and the Pod Security Standard `restricted` demand of their pods. */
export const MANAGEMENT_KINDS: ReadonlyMap<string, BuiltInKind> = new Map<string, BuiltInKind>([
  ['batch/v1/Job', {
    metadata: { scope: 'Namespaced' },
    schema: { type: 'object', required: ['spec'], properties: { spec: JOB } },
    check: ({ spec }) => jobErrors(spec as JsonObject),
  }],
  ['batch/v1/CronJob', {
    metadata: { scope: 'Namespaced' },
    schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['schedule', 'concurrencyPolicy', 'jobTemplate'],
          properties: {
            schedule: { type: 'string' },
            timeZone: { type: 'string' },
            concurrencyPolicy: { type: 'string', enum: ['Forbid'] },
            startingDeadlineSeconds: COUNT,
            successfulJobsHistoryLimit: COUNT,
            failedJobsHistoryLimit: COUNT,
            jobTemplate: { type: 'object', required: ['spec'], properties: { metadata: OPEN, spec: JOB } },
          },
        },
      },
    },
    check: ({ spec }) => jobErrors(((spec as JsonObject).jobTemplate as JsonObject).spec as JsonObject),
  }],
]);

function jobErrors({ template }: Manifest): string[] {
  const pod: Manifest = template.spec;
  const [initContainers, containers] = [pod.initContainers?.map(withMounts), pod.containers.map(withMounts)];
  return [...jobPodErrors(pod), ...podErrors({ ...pod, initContainers, containers })];
}

function jobPodErrors(pod: Manifest): string[] {
  const { runAsNonRoot, seccompProfile } = pod.securityContext ?? {};
  const containers: Manifest[] = [...pod.initContainers ?? [], ...pod.containers];
  return [
    ...(['OnFailure', 'Never'].includes(pod.restartPolicy) ? [] : [`restartPolicy: a Job takes OnFailure or Never, got ${pod.restartPolicy}`]),
    ...(pod.automountServiceAccountToken === (pod.serviceAccountName !== undefined) ? [] : ['automountServiceAccountToken: the pod needs no token, or no account']),
    ...(runAsNonRoot === true && seccompProfile?.type === 'RuntimeDefault' ? [] : ['securityContext: not restricted']),
    ...containers.flatMap(({ name, image, imagePullPolicy, resources, securityContext }) => [
      ...(/:[^/]+$/.test(image) && imagePullPolicy === 'IfNotPresent' ? [] : [`${name}: image ${image} without tag or pull policy`]),
      ...(resources?.requests?.cpu && resources.requests.memory && resources.limits?.memory ? [] : [`${name}: no requests or no memory limit`]),
      ...(securityContext?.allowPrivilegeEscalation === false && securityContext.capabilities?.drop?.[0] === 'ALL'
        && securityContext.readOnlyRootFilesystem ? [] : [`${name}: securityContext is not restricted`]),
    ]),
  ];
}

function withMounts(container: Manifest): Manifest {
  return { volumeMounts: [], ...container };
}
