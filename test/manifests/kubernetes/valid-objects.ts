/** Objects of Kubernetes' own kinds that a server takes, with most of the fields that anybody writes. */
export const VALID_OBJECTS = `apiVersion: v1
kind: Namespace
metadata: {name: tenant-acme, labels: {pod-security.kubernetes.io/enforce: restricted}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default}
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 30
  activeDeadlineSeconds: 60
  serviceAccountName: web
  nodeSelector: {kubernetes.io/os: linux}
  hostname: web
  dnsPolicy: None
  dnsConfig:
    nameservers: [192.0.2.53]
    searches: [example.com]
    options: [{name: ndots, value: "2"}]
  hostAliases: [{ip: 192.0.2.1, hostnames: [api.example.com]}]
  imagePullSecrets: [{name: registry}]
  readinessGates: [{conditionType: example.com/ready}]
  tolerations:
    - {key: example.com/dedicated, operator: Equal, value: acme, effect: NoExecute, tolerationSeconds: 60}
    - {operator: Exists}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: DoNotSchedule
      labelSelector: {matchLabels: {app: web}}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
            matchFields: [{key: metadata.name, operator: In, values: [node-1]}]
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          preference: {matchExpressions: [{key: example.com/disk, operator: Gt, values: ["3"]}]}
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - topologyKey: kubernetes.io/hostname
          labelSelector: {matchExpressions: [{key: app, operator: Exists}]}
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 100
          podAffinityTerm: {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}, namespaces: [default]}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    fsGroup: 1000
    supplementalGroups: [1000]
    seccompProfile: {type: Localhost, localhostProfile: profiles/web.json}
    sysctls: [{name: net.ipv4.ip_local_port_range, value: 1024 65535}]
    appArmorProfile: {type: RuntimeDefault}
  initContainers:
    - name: prepare
      image: registry.example.com/prepare:v1
      restartPolicy: Always
      startupProbe: {exec: {command: ["true"]}}
  containers:
    - name: web
      image: registry.example.com/web:v1
      imagePullPolicy: IfNotPresent
      command: [/web]
      args: [--port=8080]
      workingDir: /srv
      ports:
        - {name: http, containerPort: 8080}
        - {name: dns, containerPort: 53, protocol: UDP}
      env:
        - {name: A, value: b}
        - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: LABEL, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
        - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}}
        - {name: KEY, valueFrom: {secretKeyRef: {name: web, key: key, optional: true}}}
        - {name: SETTING, valueFrom: {configMapKeyRef: {name: web, key: setting}}}
      envFrom:
        - {prefix: A_, configMapRef: {name: web}}
        - {secretRef: {name: web}}
      resources:
        requests: {cpu: 100m, memory: 128Mi, ephemeral-storage: 1Gi}
        limits: {cpu: 1, memory: 256Mi, example.com/device: 1}
      securityContext:
        privileged: false
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}
      livenessProbe: {httpGet: {path: /healthz, port: http, scheme: HTTP, httpHeaders: [{name: X-Probe, value: "1"}]}, periodSeconds: 10}
      readinessProbe: {tcpSocket: {port: 8080}, successThreshold: 2}
      startupProbe: {grpc: {port: 9090}}
      lifecycle: {preStop: {sleep: {seconds: 5}}, postStart: {exec: {command: [sh, -c, "true"]}}}
      volumeMounts:
        - {name: data, mountPath: /data}
        - {name: config, mountPath: /etc/web, readOnly: true, subPath: web}
      volumeDevices: [{name: block, devicePath: /dev/block}]
  volumes:
    - {name: data, emptyDir: {medium: Memory, sizeLimit: 64Mi}}
    - {name: config, configMap: {name: web, items: [{key: a, path: a/b, mode: 384}], defaultMode: 420}}
    - {name: secret, secret: {secretName: web}}
    - {name: host, hostPath: {path: /var/lib/web, type: DirectoryOrCreate}}
    - {name: block, persistentVolumeClaim: {claimName: block}}
    - {name: nfs, nfs: {server: nfs.example.com, path: /export}}
    - {name: csi, csi: {driver: csi.example.com}}
    - name: info
      downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}
    - name: all
      projected:
        sources:
          - {secret: {name: web}}
          - {configMap: {name: web}}
          - {serviceAccountToken: {path: token, expirationSeconds: 3600, audience: vault}}
          - {downwardAPI: {items: [{path: cpu, resourceFieldRef: {containerName: web, resource: requests.cpu}}]}}
    - name: scratch
      ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  minReadySeconds: 5
  progressDeadlineSeconds: 600
  revisionHistoryLimit: 3
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:v1"}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "registry.example.com/agent:v1"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default}
spec:
  serviceName: db
  replicas: 3
  podManagementPolicy: Parallel
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Retain}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: "registry.example.com/db:v1", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}, storageClassName: fast}
---
apiVersion: batch/v1
kind: Job
metadata: {name: import, namespace: default}
spec:
  backoffLimit: 2
  completions: 2
  parallelism: 2
  completionMode: Indexed
  ttlSecondsAfterFinished: 60
  activeDeadlineSeconds: 600
  podFailurePolicy:
    rules:
      - {action: FailJob, onExitCodes: {containerName: import, operator: In, values: [42]}}
      - {action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}
  template:
    spec: {restartPolicy: Never, containers: [{name: import, image: "registry.example.com/import:v1"}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: backup, namespace: default}
spec:
  schedule: "*/5 1-3,7 * JAN-MAR MON"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 60
  successfulJobsHistoryLimit: 1
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: OnFailure, containers: [{name: backup, image: "registry.example.com/backup:v1"}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  loadBalancerSourceRanges: [192.0.2.0/24]
  sessionAffinity: ClientIP
  sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}
  selector: {app: web}
  ports:
    - {name: http, port: 80, targetPort: http}
    - {name: dns, port: 53, protocol: UDP, targetPort: 5353}
---
apiVersion: v1
kind: Service
metadata: {name: out, namespace: default}
spec: {type: ExternalName, externalName: db.example.com}
---
apiVersion: v1
kind: Service
metadata: {name: headless, namespace: default}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: default}
data: {a.conf: text, b: ""}
binaryData: {c: YWJj}
immutable: true
---
apiVersion: v1
kind: Secret
metadata: {name: web, namespace: default}
type: Opaque
data: {a: YWJj}
stringData: {b: text}
---
apiVersion: v1
kind: Secret
metadata: {name: tls, namespace: default}
type: kubernetes.io/tls
data: {tls.crt: "", tls.key: ""}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: default}
automountServiceAccountToken: false
imagePullSecrets: [{name: registry}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: default}
spec:
  accessModes: [ReadWriteOnce]
  volumeMode: Filesystem
  resources: {requests: {storage: 10Gi}}
  selector: {matchLabels: {a: b}}
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: before}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 10Gi}
  persistentVolumeReclaimPolicy: Retain
  storageClassName: local
  local: {path: /mnt/data}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-1]}]}]}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: all, namespace: default}
spec:
  hard: {requests.cpu: 10, limits.memory: 10Gi, pods: 10, count/deployments.apps: 5, fast.storageclass.storage.k8s.io/requests.storage: 10Gi}
  scopes: [NotTerminating]
---
apiVersion: v1
kind: LimitRange
metadata: {name: all, namespace: default}
spec:
  limits:
    - {type: Container, default: {cpu: 1}, defaultRequest: {cpu: 100m}, max: {cpu: 2}, min: {cpu: 10m}, maxLimitRequestRatio: {cpu: 10}}
    - {type: Pod, max: {memory: 1Gi}}
    - {type: PersistentVolumeClaim, max: {storage: 10Gi}, min: {storage: 1Gi}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "acme:reader"}
rules:
  - {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
  - {nonResourceURLs: [/healthz], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "acme:all"}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {acme: "true"}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: leader, namespace: default}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [leader], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: leader, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: leader}
subjects:
  - {kind: ServiceAccount, name: web, namespace: default}
  - {kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}
  - {kind: Group, name: system:authenticated}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "acme:reader"}
roleRef: {kind: ClusterRole, name: "acme:reader", apiGroup: rbac.authorization.k8s.io}
subjects: [{kind: ServiceAccount, name: web, namespace: default}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: default}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress, Egress]
  ingress:
    - from: [{podSelector: {}}, {namespaceSelector: {matchLabels: {a: b}}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]
      ports: [{protocol: TCP, port: 80, endPort: 90}, {port: http}]
  egress: [{to: [{ipBlock: {cidr: "2001:db8::/32"}}]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: default}
spec:
  ingressClassName: nginx
  tls: [{hosts: [web.example.com], secretName: tls}]
  rules:
    - host: web.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
    - host: "*.example.com"
      http: {paths: [{pathType: ImplementationSpecific, backend: {resource: {apiGroup: example.com, kind: Bucket, name: web}}}]}
  defaultBackend: {service: {name: web, port: {name: http}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx, parameters: {apiGroup: example.com, kind: Settings, name: a, scope: Namespace, namespace: default}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {minAvailable: 50%, selector: {matchLabels: {app: web}}, unhealthyPodEvictionPolicy: AlwaysAllow}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: default}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 5
  metrics:
    - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}
    - {type: ContainerResource, containerResource: {name: cpu, container: web, target: {type: AverageValue, averageValue: 500m}}}
    - {type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: 10}}}
    - {type: Object, object: {metric: {name: requests}, describedObject: {apiVersion: v1, kind: Service, name: web}, target: {type: Value, value: 10}}}
    - {type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 10}}}
  behavior: {scaleDown: {stabilizationWindowSeconds: 300, selectPolicy: Min, policies: [{type: Pods, value: 1, periodSeconds: 60}]}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: csi.example.com
parameters: {type: ssd}
reclaimPolicy: Delete
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
mountOptions: [noatime]
allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a, b]}]}]
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: csi.example.com}
spec: {attachRequired: true, podInfoOnMount: true, volumeLifecycleModes: [Persistent], fsGroupPolicy: File, tokenRequests: [{audience: vault, expirationSeconds: 600}]}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
preemptionPolicy: Never
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader, namespace: default}
spec: {holderIdentity: a, leaseDurationSeconds: 15, renewTime: "2026-05-01T10:00:00.000000Z", leaseTransitions: 1}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: 100m, memory: 64Mi}}
scheduling: {nodeSelector: {kata: "true"}, tolerations: [{operator: Exists}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: default}
addressType: IPv4
endpoints: [{addresses: [192.0.2.10], conditions: {ready: true}, hostname: web-0}]
ports: [{name: http, port: 80, protocol: TCP}]
---
apiVersion: v1
kind: Endpoints
metadata: {name: legacy, namespace: default}
subsets: [{addresses: [{ip: 192.0.2.10}], ports: [{port: 80}]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: acme}
webhooks:
  - name: pods.acme.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    timeoutSeconds: 10
    clientConfig: {service: {name: hook, namespace: default, path: /check, port: 443}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods], scope: Namespaced}]
    namespaceSelector: {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: acme}
webhooks:
  - name: pods.acme.example.com
    admissionReviewVersions: [v1, v1beta1]
    sideEffects: NoneOnDryRun
    reinvocationPolicy: IfNeeded
    clientConfig: {url: "https://hook.example.com/mutate"}
    rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  validations: [{expression: object.spec.replicas <= 5, message: too many}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: replicas}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 2}}"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {name: metrics-server, namespace: kube-system}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList, shortNames: [wd], categories: [all]}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: {type: integer, minimum: 1, format: int32}
                labels: {type: object, additionalProperties: {type: string}}
                ports:
                  type: array
                  items: {type: object, required: [name], properties: {name: {type: string}}}
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                open: {type: object, x-kubernetes-preserve-unknown-fields: true}
                either: {x-kubernetes-int-or-string: true}
      subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
      additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: acme}
spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {type: Queue, queuing: {queues: 4, handSize: 2, queueLengthLimit: 10}}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: acme}
spec:
  priorityLevelConfiguration: {name: acme}
  matchingPrecedence: 1000
  rules:
    - subjects: [{kind: ServiceAccount, serviceAccount: {name: web, namespace: default}}, {kind: Group, group: {name: system:authenticated}}]
      resourceRules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"], namespaces: ["*"]}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:v1"}]}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: web, namespace: default}
spec:
  selector: {app: web}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:v1"}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-1}
spec: {taints: [{key: a, effect: NoSchedule}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
`;
