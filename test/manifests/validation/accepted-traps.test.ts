import { rulesFound } from './rules-found';

const claim = (volume: string, annotations = '') => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: media, namespace: shop${annotations}}
spec: {accessModes: [ReadWriteMany], storageClassName: nfs, volumeName: media, resources: {requests: {storage: 20Gi}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: media}
spec: {accessModes: [ReadWriteMany], capacity: {storage: 20Gi}, nfs: {server: nfs.example.com, path: /media}${volume}}
`;
const pods = (context: string, container = 'image: "registry.example.com/web:1.0"') => `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: ${container === '' ? 'restricted' : 'baseline'}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {securityContext: {${context}}, containers: [{name: web, resources: {requests: {memory: 64Mi}}, ${container}}]}
`;
const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: all, namespace: shop}\nspec: {hard: {limits.cpu: "4"}}\n';
const scaled = (more: string) => `${pods('')}---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 4
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
---
${more}
`;
const bound = (account: string, role: string, labels = '{}') => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role}}
subjects: [{kind: ServiceAccount, name: ${account}, namespace: tools}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ${account}, namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop-reader, labels: ${labels}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`;
const electing = (args: string, verbs: string, namespace = 'shop') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: operator, namespace: shop}
spec:
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {serviceAccountName: operator, containers: [{name: manager, image: "registry.example.com/operator:1.0", args: [--leader-elect${args}]}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: leases, namespace: ${namespace}}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [${verbs}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: leases, namespace: ${namespace}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: leases}
subjects: [{kind: ServiceAccount, name: operator, namespace: shop}]
`;
const route = (listener: string, parent = 'name: public', backend = 'name: web') => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: shop}
spec:
  parentRefs: [{${parent}, sectionName: http}]
  rules: [{backendRefs: [{${backend}, namespace: apps, port: 80}]}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: shop}
spec: {gatewayClassName: public, listeners: [{name: "${listener}", port: 80, protocol: HTTP}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: apps}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
const ingress = (annotations: string, path = '/') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop, annotations: {${annotations}}}
spec:
  ingressClassName: nginx
  rules: [{http: {paths: [{path: '${path}', pathType: ImplementationSpecific, backend: {service: {name: web, port: {number: 80}}}}]}}]
`;
const registered = (type: string) => `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.metrics.example.com}
spec: {group: metrics.example.com, version: v1, groupPriorityMinimum: 100, versionPriority: 100, service: {name: metrics, namespace: shop}}
---
apiVersion: v1
kind: Service
metadata: {name: metrics, namespace: shop}
spec: {${type}, ports: [{port: 8443}]}
`;
const rewritten = (path: string) => ingress('nginx.ingress.kubernetes.io/rewrite-target: /$2', path);
const certificate = (acme: string) => `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: acme}
spec:
  acme:
    server: https://acme.example.com/directory
    privateKeySecretRef: {name: acme}
    solvers: [{http01: {ingress: {ingressClassName: nginx}}}]
    ${acme}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web, namespace: shop}
spec: {secretName: web-tls, dnsNames: ["*.example.com"], issuerRef: {name: acme, kind: ClusterIssuer}}
`;
const cilium = (mode: string, version: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cilium, namespace: kube-system}
spec:
  interval: 1h
  chart: {spec: {chart: cilium, version: ${version}, sourceRef: {kind: HelmRepository, name: cilium}}}
  values: {kubeProxyReplacement: ${mode}}
`;
const alerts = (name: string, more = '') => `apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: all, namespace: shop}
spec: {providerRef: {name: chat}, eventSources: [{kind: GitRepository, name: ${name}}${more}]}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 10m, url: "https://git.example.com/fleet", ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: shop}
spec: {interval: 10m, path: ./web, prune: true, sourceRef: {kind: GitRepository, name: fleet, namespace: flux-system}}
`;
const driver = (name: string, provisioner: string) => `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: ${name}}
spec: {attachRequired: false}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ${provisioner}
volumeBindingMode: WaitForFirstConsumer
`;
const disk = (more: string) => `${driver('disk.csi.example.com', 'rook-ceph.rbd.csi.ceph.com')}---
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata: {name: fedora, namespace: vms}
spec: {source: {blank: {}}, storage: {storageClassName: fast, accessModes: [ReadWriteMany], resources: {requests: {storage: 10Gi}}${more}}}
`;
const mounting = (name: string, fields = '', labels = 'app: web') => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {${labels}}}
spec:
  containers: [{name: web, image: "registry.example.com/web:1.0"}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
${fields}`;
const onNode = (more = '') => `${driver('disk.csi.example.com', 'disk.csi.example.com')}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
${mounting('backup', '  nodeName: node-1\n')}${more}`;
const spread = '  topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: shop}}}]\n';
const isolated = (container: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec: {podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 192.0.2.1/32}}], ports: [{port: 443}]}]}
---
${pods('', `image: "registry.example.com/web:1.0", ${container}`)}`;
const referent = (account: string) => `apiVersion: external-secrets.io/v1
kind: ClusterSecretStore
metadata: {name: vault}
spec: {provider: {vault: {server: "http://vault.example.com", auth: {kubernetes: {mountPath: kubernetes, role: reader, serviceAccountRef: {name: ${account}}}}}}}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: web, namespace: shop}
spec: {secretStoreRef: {name: vault, kind: ClusterSecretStore}, data: [{secretKey: a, remoteRef: {key: a}}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ${account}, namespace: tools}
`;
const pool = (range: string) => `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: web, namespace: metallb-system}
spec: {addresses: [${range}]}
`;
const gateway = (metadata: string, name = 'cilium') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: shop${metadata}}
spec: {gatewayClassName: ${name}, listeners: [{name: https, port: 443, protocol: HTTPS}]}
`;
const ranked = (name: string) => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: tier-1}
value: 1000
---
${mounting('web', `  priorityClassName: ${name}\n`)}`;
const issuing = (name: string) => `apiVersion: v1
kind: Secret
metadata: {name: token-1, namespace: shop}
stringData: {token: placeholder}
---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: acme, namespace: shop}
spec: {acme: {server: https://acme.example.com/directory, privateKeySecretRef: {name: acme}, solvers: [{dns01: {cloudflare: {apiTokenSecretRef: {name: ${name}, key: token}}}}]}}
`;
test.each<[string, string, string, string]>([
  ['TC-TRAP-KUBERNETES-STATIC-VOLUME', 'a volume that names its claim', claim(', claimRef: {namespace: shop, name: media}'), claim('')],
  ['TC-TRAP-KUBERNETES-STATIC-VOLUME', 'a class by annotation', claim('', ', annotations: {volume.beta.kubernetes.io/storage-class: ""}'), claim(', storageClassName: fast')],
  ['TC-TRAP-KUBERNETES-POD-SECURITY', 'a setting that is safe since 1.37', pods('sysctls: [{name: net.ipv4.tcp_notsent_lowat, value: "1"}]'), pods('sysctls: [{name: kernel.msgmax, value: "1"}]')],
  ['TC-TRAP-KUBERNETES-POD-SECURITY', 'a part for kustomize', pods('', ''), pods('', 'securityContext: {privileged: true}')],
  ['TC-TRAP-KUBERNETES-AUTOSCALER-REQUEST', 'limits for the namespace of a delivery', scaled('apiVersion: v1\nkind: LimitRange\nmetadata: {name: all}\nspec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}'), scaled('')],
  [
    'TC-TRAP-KUBERNETES-AUTOSCALER-REQUEST', 'requests that another autoscaler writes',
    scaled('apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}'), scaled(''),
  ],
  ['TC-TRAP-KUBERNETES-BOUND-ACCOUNT', 'the account that each namespace has', bound('default', 'shop-reader'), bound('reader', 'shop-reader')],
  ['TC-TRAP-KUBERNETES-BOUND-ROLE', 'a role for other roles', bound('reader', 'reader', '{rbac.authorization.k8s.io/aggregate-to-view: "true"}'), bound('reader', 'reader')],
  ['TC-TRAP-KUBERNETES-LEADER-ELECTION', 'a program that patches', electing('', 'get, create, patch'), electing('', 'get, create')],
  ['TC-TRAP-KUBERNETES-LEADER-ELECTION', 'leases in a namespace of the program', electing('', 'get, create, update', 'kube-system'), electing(', --leader-election-namespace=shop', 'get, create, update', 'kube-system')],
  ['TC-TRAP-GATEWAY-ROUTE', 'a listener that a variable names', route('${LISTENER}'), route('https')],
  ['TC-TRAP-GATEWAY-GRANT', 'a route of a mesh', route('http', 'group: networking.example.com, kind: Host, name: web.example.com'), route('http')],
  ['TC-TRAP-GATEWAY-GRANT', 'a backend of another group', route('http', 'name: public', 'group: serving.example.com, kind: Service, name: web'), route('http')],
  ['TC-TRAP-KUBERNETES-WEBHOOK-SERVICE', 'a host outside, at another port', registered('type: ExternalName, externalName: metrics.example.com'), registered('selector: {app: metrics}')],
  ['TC-TRAP-INGRESS-NGINX-REWRITE', 'groups with names', rewritten('/shop(?<slash>/|$)(?<rest>.*)'), rewritten('/shop(?:/|$)(.*)')],
  [
    'TC-TRAP-INGRESS-NGINX-PREFIX', 'an annotation beside the one that counts',
    ingress('ingress.kubernetes.io/ssl-redirect: "true", nginx.ingress.kubernetes.io/ssl-redirect: "true"'), ingress('ingress.kubernetes.io/ssl-redirect: "true"'),
  ],
  ['TC-TRAP-CERT-MANAGER-SOLVER', 'an authority that knows the account', certificate('externalAccountBinding: {keyID: shop, keySecretRef: {name: binding, key: key}}'), certificate('')],
  ['TC-TRAP-FLUX-ALERT-SOURCE', 'an alert about all of a namespace, of each kind', alerts('"*"', ', {kind: Kustomization, name: "*"}'), alerts('"*"')],
  ['TC-TRAP-KUBERNETES-STORAGE-DRIVER', 'a driver of another name', driver('efs.csi.example.com', 'ebs.csi.example.com'), driver('share.csi.example.com', 'shares.csi.example.com')],
  ['TC-TRAP-KUBERNETES-ACCESS-MODE', 'a volume whose mode CDI chooses', disk(''), disk(', volumeMode: Filesystem')],
  [
    'TC-TRAP-KUBERNETES-ACCESS-MODE', 'a class that two clusters have', `${disk(', volumeMode: Filesystem')}---\n${driver('share.csi.example.com', 'share.csi.example.com')}`,
    disk(', volumeMode: Filesystem'),
  ],
  ['TC-TRAP-QUOTA-UNSET', 'a namespace that two clusters have', `${pods('')}---\n${pods('')}---\n${quota}`, `${pods('')}---\n${quota}`],
  ['TC-TRAP-KUBERNETES-NODE-NAME-VOLUME', 'a volume of another pod, too', onNode(`---\n${mounting('web')}`), onNode()],
  ['TC-TRAP-KUBERNETES-SPREAD', 'labels that a variable holds', mounting('web', spread, 'app: "${APP}"'), mounting('web', spread)],
  ['TC-TRAP-KUBERNETES-NAME-LOOKUP', 'names of a certificate', isolated('args: ["--dns-names=web,web.shop.svc"]'), isolated('args: ["--backend=http://db.shop.svc"]')],
  ['TC-TRAP-KUBERNETES-NAME-LOOKUP', 'hosts without a proxy', isolated('env: [{name: NO_PROXY, value: kubernetes.default.svc}]'), isolated('env: [{name: HOST, value: db.shop.svc}]')],
  ['TC-TRAP-EXTERNAL-SECRETS-ACCOUNT', 'the account that each namespace has', referent('default'), referent('reader')],
  ['TC-TRAP-METALLB-RANGE', 'a variable', pool('$RANGE'), pool('192.0.2.9-192.0.2.1')],
  ['TC-TRAP-ANNOTATION-NAME', 'an annotation of an old release', ingress('nginx.ingress.kubernetes.io/global-rate-limit: "5"'), ingress('nginx.ingress.kubernetes.io/global-rate: "5"')],
  ['TC-TRAP-GATEWAY-LISTENER', 'a certificate map', gateway(', annotations: {networking.gke.io/certmap: shop}'), gateway('')],
  ['TC-TRAP-GATEWAY-LISTENER', 'a class with certificates of its own', gateway('', 'amazon-vpc-lattice'), gateway('')],
  ['TC-TRAP-KUBERNETES-POD-PRIORITY', 'a class with another number', ranked('tier-2'), ranked('teir-1')],
  ['TC-TRAP-REF-NAMED-SECRET', 'a Secret with another number', issuing('token-2'), issuing('tokn-1')],
  ['TC-TRAP-CILIUM-PROXY-MODE', 'a mode of an old release', cilium('probe', '1.12.19'), cilium('probe', '1.13.0')],
])('%s: %s', (rule, _, accepted, refused) => {
  expect(rulesFound(accepted)).not.toContain(rule);
  expect(rulesFound(refused)).toContain(rule);
});
