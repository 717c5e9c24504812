import { KamajiCoreDns, KamajiKubeProxy } from '../../../../src/constructs/control-planes/kamaji/addons';
import { AuditLevel, AuditStage } from '../../../../src/constructs/control-planes/kamaji/audit';
import { ClaimMapping, ClaimValidationRule, ControlPlaneAuthentication } from '../../../../src/constructs/control-planes/kamaji/authentication';
import { KamajiUpdateStrategy } from '../../../../src/constructs/control-planes/kamaji/deployment';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlaneProps, KamajiKubeconfigKey } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity, KamajiKonnectivityAgentMode } from '../../../../src/constructs/control-planes/kamaji/konnectivity';
import { KamajiNodeAddressType, KamajiPatchOperation } from '../../../../src/constructs/control-planes/kamaji/kubelet';
import { KamajiServiceProtocol } from '../../../../src/constructs/control-planes/kamaji/ports';
import { KamajiVolume } from '../../../../src/constructs/control-planes/kamaji/volumes';
import { TaintEffect, TolerationOperator } from '../../../../src/manifests/values/taints';

/** Every property, each with as much as it takes. */
export const MAXIMAL: KamajiControlPlaneProps = {
  kamajiVersion: '26.8.2-edge',
  replicas: 3,
  dataStore: 'postgres',
  dataStoreSchema: 'acme',
  dataStoreUsername: 'acme_user',
  dataStoreOverrides: [{ resource: '/events', dataStore: 'events' }],
  kineResources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '128Mi' } },
  exposure: KamajiExposure.loadBalancer({
    port: 6444,
    address: '192.0.2.10',
    advertiseAddress: '198.51.100.7',
    loadBalancerClass: 'example.com/internal',
    sourceRanges: ['10.0.0.0/8', '2001:db8::/32'],
    serviceLabels: { team: 'platform' },
    serviceAnnotations: { 'metallb.io/loadBalancerIPs': '192.0.2.10' },
  }),
  certSans: ['api.acme.example.com', '*.acme.example.com', '203.0.113.5', '2001:db8::10'],
  additionalServicePorts: [
    { name: 'trustd', port: 50001 },
    { name: 'dns', port: 53, targetPort: 5353, protocol: KamajiServiceProtocol.UDP },
  ],
  konnectivity: KamajiKonnectivity.managed({
    port: 8232,
    version: 'v0.36.0',
    serverImage: 'registry.example.com:5000/mirror/proxy-server',
    agentImage: 'registry.example.com:5000/mirror/proxy-agent',
    serverResources: { requests: { cpu: '100m' } },
    serverExtraArgs: [{ name: 'v', value: '2' }],
    agentMode: KamajiKonnectivityAgentMode.DEPLOYMENT,
    agentReplicas: 3,
    agentHostNetwork: false,
    agentTolerations: [{ key: 'CriticalAddonsOnly', operator: TolerationOperator.EXISTS }],
    agentExtraArgs: [{ name: 'sync-interval', value: '5s' }],
  }),
  coreDns: KamajiCoreDns.managed({ imageRepository: 'registry.example.com/coredns', imageTag: 'v1.13.1' }),
  kubeProxy: KamajiKubeProxy.managed({ imageRepository: 'registry.example.com', imageTag: 'v1.35.4' }),
  registry: 'registry.example.com/mirror',
  apiServer: {
    image: 'hardened/kube-apiserver',
    featureGates: { WatchList: true, MutatingAdmissionPolicy: false },
    extraArgs: [{ name: 'audit-log-maxage', value: '7' }, { name: 'admission-control-config-file', value: '/etc/kubernetes/admission/config.yaml' }],
    extraVolumeMounts: [{ name: 'admission', mountPath: '/etc/kubernetes/admission' }],
    resources: { requests: { cpu: '1', memory: '4Gi' }, limits: { memory: '4Gi' } },
  },
  controllerManager: { extraArgs: [{ name: 'terminated-pod-gc-threshold', value: '500' }] },
  scheduler: { extraVolumeMounts: [{ name: 'scheduler', mountPath: '/etc/scheduler/config.yaml', subPath: 'config.yaml' }] },
  admissionPlugins: { enable: ['AlwaysPullImages', 'EventRateLimit'], disable: ['DefaultIngressClass', 'PodSecurity'] },
  authentication: ControlPlaneAuthentication.jwt([{
    issuerUrl: 'https://id.example.com/realms/platform',
    discoveryUrl: 'https://id.internal.example.com/realms/platform/.well-known/openid-configuration',
    audiences: ['acme', 'acme-cli'],
    username: ClaimMapping.expression("'oidc:' + claims.email"),
    groups: ClaimMapping.claim('groups', 'oidc:'),
    claimValidationRules: [
      ClaimValidationRule.requiredValue('hd', 'example.com'),
      ClaimValidationRule.expression('claims.email_verified == true', 'email is not verified'),
    ],
    userValidationRules: [{ expression: "user.username != 'oidc:nobody'" }],
  }]),
  audit: {
    rules: [
      { level: AuditLevel.NONE, nonResourceUrls: ['/healthz*', '*'], omitStages: [AuditStage.REQUEST_RECEIVED] },
      { level: AuditLevel.METADATA, users: ['jane'], userGroups: ['devs'], verbs: ['get'], namespaces: ['a'], resources: [{ resources: ['secrets'], resourceNames: ['x'] }] },
      { level: AuditLevel.REQUEST_RESPONSE, resources: [{ group: 'apps' }], omitManagedFields: false },
    ],
    omitStages: [AuditStage.RESPONSE_STARTED],
    omitManagedFields: true,
    log: true,
    webhook: { secretName: 'audit-webhook', key: 'kubeconfig' },
  },
  encryption: { secretName: 'encryption', key: 'encryption.yaml' },
  deployment: {
    nodeSelector: { 'node-role.kubernetes.io/tenant-control-plane': '' },
    tolerations: [{ key: 'dedicated', operator: TolerationOperator.EQUAL, value: 'tenants', effect: TaintEffect.NO_SCHEDULE }],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{
          topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { 'kamaji.clastix.io/name': 'acme' } },
        }],
      },
    },
    topologySpreadConstraints: [{ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
    runtimeClassName: 'kata',
    serviceAccountName: 'control-plane',
    strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 1, maxUnavailable: 1 }),
    podLabels: { 'policy.example.com/allow-to-etcd': 'true' },
    podAnnotations: { 'example.com/scrape': 'true' },
    volumes: [KamajiVolume.secret('admission', 'admission-config'), KamajiVolume.configMap('scheduler', 'scheduler-config')],
  },
  probes: {
    liveness: { failureThreshold: 8 },
    readiness: { periodSeconds: 5 },
    startup: { failureThreshold: 60, initialDelaySeconds: 0, timeoutSeconds: 5 },
  },
  kubelet: {
    preferredAddressTypes: [KamajiNodeAddressType.INTERNAL_IP],
    configurationPatches: [
      { op: KamajiPatchOperation.ADD, path: '/serializeImagePulls', value: false },
      { op: KamajiPatchOperation.COPY, path: '/a', from: '/b' },
    ],
  },
  kubeconfigSecretKey: KamajiKubeconfigKey.ADMIN,
  additionalInfrastructureKinds: ['NifcloudCluster'],
  labels: { 'cluster.x-k8s.io/role': 'control-plane' },
  annotations: { 'kamaji.clastix.io/migration-timeout': '10m' },
};
