/**
 * The choices of texts, by definition and field. The published OpenAPI document names none of them; a running server with the feature gate
 * OpenAPIEnums, which is on by default, publishes them at /openapi/v3. Left out is what is one of them and refused in new objects: other side
 * effects of webhooks, and recycling in a StorageClass.
 *
 * Source: kubernetes/kubernetes v1.37.2 staging/src/k8s.io/api (types marked "+enum"), pkg/apis/{admissionregistration,storage}/validation.
 */
export const CHOICES: { readonly [definition: string]: { readonly [field: string]: readonly string[] } } = {
  'admissionregistration.v1.MatchResources': {
    matchPolicy: ['Equivalent', 'Exact'],
  },
  'admissionregistration.v1.MutatingAdmissionPolicySpec': {
    failurePolicy: ['Fail', 'Ignore'],
    reinvocationPolicy: ['IfNeeded', 'Never'],
  },
  'admissionregistration.v1.MutatingWebhook': {
    failurePolicy: ['Fail', 'Ignore'],
    matchPolicy: ['Equivalent', 'Exact'],
    reinvocationPolicy: ['IfNeeded', 'Never'],
    sideEffects: ['None', 'NoneOnDryRun'],
  },
  'admissionregistration.v1.Mutation': {
    patchType: ['ApplyConfiguration', 'JSONPatch'],
  },
  'admissionregistration.v1.NamedRuleWithOperations': {
    operations: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    scope: ['*', 'Cluster', 'Namespaced'],
  },
  'admissionregistration.v1.RuleWithOperations': {
    operations: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'],
    scope: ['*', 'Cluster', 'Namespaced'],
  },
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec': {
    validationActions: ['Audit', 'Deny', 'Warn'],
  },
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': {
    failurePolicy: ['Fail', 'Ignore'],
  },
  'admissionregistration.v1.ValidatingWebhook': {
    failurePolicy: ['Fail', 'Ignore'],
    matchPolicy: ['Equivalent', 'Exact'],
    sideEffects: ['None', 'NoneOnDryRun'],
  },
  'apps.v1.DaemonSetUpdateStrategy': {
    type: ['OnDelete', 'RollingUpdate'],
  },
  'apps.v1.DeploymentStrategy': {
    type: ['Recreate', 'RollingUpdate'],
  },
  'apps.v1.StatefulSetSpec': {
    podManagementPolicy: ['OrderedReady', 'Parallel'],
  },
  'apps.v1.StatefulSetUpdateStrategy': {
    type: ['OnDelete', 'Recreate', 'RollingUpdate'],
  },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: ['Allow', 'Forbid', 'Replace'],
  },
  'batch.v1.JobSpec': {
    completionMode: ['Indexed', 'NonIndexed'],
    podReplacementPolicy: ['Failed', 'TerminatingOrFailed'],
  },
  'batch.v1.PodFailurePolicyOnExitCodesRequirement': {
    operator: ['In', 'NotIn'],
  },
  'batch.v1.PodFailurePolicyRule': {
    action: ['Count', 'FailIndex', 'FailJob', 'Ignore'],
  },
  'certificates.v1.CertificateSigningRequestSpec': {
    usages: [
      'any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment', 'decipher only',
      'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement',
      'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping',
    ],
  },
  'core.v1.AppArmorProfile': {
    type: ['Localhost', 'RuntimeDefault', 'Unconfined'],
  },
  'core.v1.AzureDiskVolumeSource': {
    cachingMode: ['None', 'ReadOnly', 'ReadWrite'],
    kind: ['Dedicated', 'Managed', 'Shared'],
  },
  'core.v1.Container': {
    imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
    terminationMessagePolicy: ['FallbackToLogsOnError', 'File'],
  },
  'core.v1.ContainerPort': {
    protocol: ['SCTP', 'TCP', 'UDP'],
  },
  'core.v1.EndpointPort': {
    protocol: ['SCTP', 'TCP', 'UDP'],
  },
  'core.v1.EphemeralContainer': {
    imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
    terminationMessagePolicy: ['FallbackToLogsOnError', 'File'],
  },
  'core.v1.GRPCAction': {
    mode: ['Plaintext', 'TLS'],
  },
  'core.v1.HTTPGetAction': {
    protocol: ['HTTP1', 'HTTP2'],
    scheme: ['HTTP', 'HTTPS'],
  },
  'core.v1.HostPathVolumeSource': {
    type: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
  },
  'core.v1.ImageVolumeSource': {
    pullPolicy: ['Always', 'IfNotPresent', 'Never'],
  },
  'core.v1.Lifecycle': {
    stopSignal: [
      'SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL',
      'SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGRTMAX', 'SIGRTMAX-1', 'SIGRTMAX-10', 'SIGRTMAX-11', 'SIGRTMAX-12',
      'SIGRTMAX-13', 'SIGRTMAX-14', 'SIGRTMAX-2', 'SIGRTMAX-3', 'SIGRTMAX-4', 'SIGRTMAX-5', 'SIGRTMAX-6', 'SIGRTMAX-7', 'SIGRTMAX-8',
      'SIGRTMAX-9', 'SIGRTMIN', 'SIGRTMIN+1', 'SIGRTMIN+10', 'SIGRTMIN+11', 'SIGRTMIN+12', 'SIGRTMIN+13', 'SIGRTMIN+14', 'SIGRTMIN+15',
      'SIGRTMIN+2', 'SIGRTMIN+3', 'SIGRTMIN+4', 'SIGRTMIN+5', 'SIGRTMIN+6', 'SIGRTMIN+7', 'SIGRTMIN+8', 'SIGRTMIN+9', 'SIGSEGV',
      'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM',
      'SIGWINCH', 'SIGXCPU', 'SIGXFSZ',
    ],
  },
  'core.v1.NodeSelectorRequirement': {
    operator: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'],
  },
  'core.v1.PersistentVolumeClaimSpec': {
    accessModes: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    volumeMode: ['Block', 'Filesystem'],
  },
  'core.v1.PersistentVolumeSpec': {
    accessModes: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    persistentVolumeReclaimPolicy: ['Delete', 'Recycle', 'Retain'],
    volumeMode: ['Block', 'Filesystem'],
  },
  'core.v1.PodSecurityContext': {
    fsGroupChangePolicy: ['Always', 'OnRootMismatch'],
    supplementalGroupsPolicy: ['Merge', 'Strict'],
  },
  'core.v1.PodSpec': {
    dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    preemptionPolicy: ['Never', 'PreemptLowerPriority'],
    restartPolicy: ['Always', 'Never', 'OnFailure'],
  },
  'core.v1.ResourceQuotaSpec': {
    scopes: [
      'BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating',
      'VolumeAttributesClass',
    ],
  },
  'core.v1.ScopedResourceSelectorRequirement': {
    operator: ['DoesNotExist', 'Exists', 'In', 'NotIn'],
    scopeName: [
      'BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating',
      'VolumeAttributesClass',
    ],
  },
  'core.v1.SeccompProfile': {
    type: ['Localhost', 'RuntimeDefault', 'Unconfined'],
  },
  'core.v1.SecurityContext': {
    procMount: ['Default', 'Unmasked'],
  },
  'core.v1.ServicePort': {
    protocol: ['SCTP', 'TCP', 'UDP'],
  },
  'core.v1.ServiceSpec': {
    externalTrafficPolicy: ['Cluster', 'Local'],
    internalTrafficPolicy: ['Cluster', 'Local'],
    ipFamilies: ['', 'IPv4', 'IPv6'],
    ipFamilyPolicy: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
    sessionAffinity: ['ClientIP', 'None'],
    type: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  },
  'core.v1.Taint': {
    effect: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'],
  },
  'core.v1.Toleration': {
    effect: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'],
    operator: ['Equal', 'Exists', 'Gt', 'Lt'],
  },
  'core.v1.TopologySpreadConstraint': {
    nodeAffinityPolicy: ['Honor', 'Ignore'],
    nodeTaintsPolicy: ['Honor', 'Ignore'],
    whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  },
  'core.v1.VolumeMount': {
    mountPropagation: ['Bidirectional', 'HostToContainer', 'None'],
  },
  'discovery.v1.EndpointPort': {
    protocol: ['SCTP', 'TCP', 'UDP'],
  },
  'discovery.v1.EndpointSlice': {
    addressType: ['FQDN', 'IPv4', 'IPv6'],
  },
  'networking.v1.HTTPIngressPath': {
    pathType: ['Exact', 'ImplementationSpecific', 'Prefix'],
  },
  'networking.v1.NetworkPolicyPort': {
    protocol: ['SCTP', 'TCP', 'UDP'],
  },
  'networking.v1.NetworkPolicySpec': {
    policyTypes: ['Egress', 'Ingress'],
  },
  'policy.v1.PodDisruptionBudgetSpec': {
    unhealthyPodEvictionPolicy: ['AlwaysAllow', 'IfHealthyBudget'],
  },
  'resource.v1.DeviceAllocationConfiguration': {
    source: ['FromClaim', 'FromClass'],
  },
  'resource.v1.DeviceSubRequest': {
    allocationMode: ['All', 'ExactCount'],
  },
  'resource.v1.DeviceTaint': {
    effect: ['NoExecute', 'NoSchedule', 'None'],
  },
  'resource.v1.DeviceToleration': {
    effect: ['NoExecute', 'NoSchedule', 'None'],
    operator: ['Equal', 'Exists'],
  },
  'resource.v1.ExactDeviceRequest': {
    allocationMode: ['All', 'ExactCount'],
  },
  'scheduling.v1.PriorityClass': {
    preemptionPolicy: ['Never', 'PreemptLowerPriority'],
  },
  'storage.v1.StorageClass': {
    reclaimPolicy: ['Delete', 'Retain'],
    volumeBindingMode: ['Immediate', 'WaitForFirstConsumer'],
  },
  'apiextensions.v1.ValidationRule': {
    reason: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
  },
};

/**
 * Choices that are no types of their own.
 *
 * Source: kubernetes/kubernetes pkg/apis/{apps,batch,flowcontrol}/validation, kubernetes/apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go.
 */
export const FURTHER_CHOICES: typeof CHOICES = {
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': { whenDeleted: ['Delete', 'Retain'], whenScaled: ['Delete', 'Retain'] },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': { status: ['False', 'True', 'Unknown'] },
  'core.v1.Container': { restartPolicy: ['Always', 'Never', 'OnFailure'] },
  'core.v1.ContainerResizePolicy': { resourceName: ['cpu', 'memory'], restartPolicy: ['NotRequired', 'RestartContainer'] },
  'core.v1.ContainerRestartRule': { action: ['Restart', 'RestartAllContainers'] },
  'core.v1.ContainerRestartRuleOnExitCodes': { operator: ['In', 'NotIn'] },
  'core.v1.PodOS': { name: ['linux', 'windows'] },
  'core.v1.PodSecurityContext': { seLinuxChangePolicy: ['Recursive'] },
  'core.v1.VolumeMount': { recursiveReadOnly: ['Disabled', 'Enabled', 'IfPossible'] },
  'flowcontrol.v1.LimitResponse': { type: ['Queue', 'Reject'] },
  'flowcontrol.v1.PriorityLevelConfigurationSpec': { type: ['Exempt', 'Limited'] },
  'flowcontrol.v1.Subject': { kind: ['Group', 'ServiceAccount', 'User'] },
  'apiextensions.v1.CustomResourceColumnDefinition': { type: ['boolean', 'date', 'integer', 'number', 'string'] },
  'apiextensions.v1.CustomResourceDefinitionSpec': { scope: ['Cluster', 'Namespaced'] },
};
