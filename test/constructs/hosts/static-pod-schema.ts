import { StructuralSchema } from '../../manifests/schema/structural-schema';

const TEXT: StructuralSchema = { type: 'string', minLength: 1 };
const TEXTS: StructuralSchema = { type: 'array', items: TEXT, minItems: 1 };
const COUNT: StructuralSchema = { type: 'integer', minimum: 1 };
const PATH: StructuralSchema = { type: 'string', pattern: '^/' };

function struct(properties: { [name: string]: StructuralSchema }, required: string[] = Object.keys(properties)): StructuralSchema {
  return { type: 'object', properties, required };
}

/** A pod that a kubelet runs by itself, cut to the fields that load balancers need (kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1). */
export const STATIC_POD: StructuralSchema = struct({
  spec: struct({
    containers: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: struct({
        name: TEXT,
        image: TEXT,
        imagePullPolicy: { type: 'string', enum: ['IfNotPresent'] },
        command: TEXTS,
        args: TEXTS,
        env: { type: 'array', items: struct({ name: TEXT, value: TEXT, valueFrom: struct({ fieldRef: struct({ fieldPath: TEXT }) }) }, ['name']) },
        livenessProbe: struct({
          tcpSocket: struct({ host: TEXT, port: { type: 'integer', minimum: 1, maximum: 65535 } }), periodSeconds: COUNT, timeoutSeconds: COUNT, failureThreshold: COUNT,
        }),
        resources: struct({ requests: struct({ cpu: TEXT, memory: TEXT }) }),
        securityContext: struct({ capabilities: struct({ add: TEXTS }) }),
        volumeMounts: { type: 'array', items: struct({ name: TEXT, mountPath: PATH, readOnly: { type: 'boolean' } }) },
      }, ['name', 'image', 'imagePullPolicy', 'resources', 'volumeMounts']),
    },
    hostAliases: { type: 'array', items: struct({ ip: TEXT, hostnames: TEXTS }) },
    hostNetwork: { type: 'boolean' },
    priorityClassName: { type: 'string', enum: ['system-node-critical'] },
    volumes: { type: 'array', items: struct({ name: TEXT, hostPath: struct({ path: PATH, type: { type: 'string', enum: ['File'] } }) }) },
  }, ['containers', 'hostNetwork', 'priorityClassName', 'volumes']),
});
