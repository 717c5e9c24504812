import { rulesFound } from './rules-found';

const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
`;
const ingress = (port: string) => `${SERVICE}apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: ${port}}}}]}}]}
`;
const route = (port: number) => `${SERVICE}apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: shop}
spec: {parentRefs: [{name: public}], rules: [{backendRefs: [{name: web, port: ${port}}]}]}
`;
const certificates = (...metadata: readonly string[]) => metadata.map((one) => `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {${one}}
spec: {secretName: tls, dnsNames: [a.example.org], issuerRef: {name: company, kind: ClusterIssuer}}
`).join('---\n');
const issuer = (namespace: string) => `apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: letsencrypt}
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef: {name: letsencrypt}
    solvers: [{dns01: {cloudflare: {apiTokenSecretRef: {name: cloudflare, key: token}}}}]
---
apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: ${namespace}}
stringData: {api-token: placeholder}
`;
const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: store, namespace: shop}
spec:
  interval: 10m
  chart: {spec: {chart: store, version: 10.1.0, sourceRef: {kind: HelmRepository, name: store}}}
  install: {strategy: {name: RetryOnFailure, retryInterval: 30s}}
  values: {existingSecret: store, ${values}}
---
apiVersion: v1
kind: Secret
metadata: {name: store, namespace: shop}
stringData: {rootUser: placeholder, rootPassword: placeholder}
`;
const set = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: web, namespace: argocd}
spec:
  goTemplate: true
  generators: [{list: {elements: [{cluster: acme}]}}]
  template:
    metadata: {name: '${name}'}
    spec:
      project: default
      source: {repoURL: "https://github.com/example/web", path: chart, targetRevision: main}
      destination: {name: "{{.cluster}}", namespace: shop}
`;
const group = (rule: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  identityRef: {name: acme-cloud-config, cloudName: openstack}
  managedSubnets: [{cidr: 10.6.0.0/24}]
  managedSecurityGroups: {allNodesSecurityGroupRules: [{name: echo, direction: ingress, etherType: IPv4, remoteIPPrefix: 10.0.0.0/8, ${rule}}]}
`;
const zone = (template: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereDeploymentZone
metadata: {name: room-1}
spec: {server: vcenter.example.com, failureDomain: room-1, controlPlane: true, placementConstraint: {folder: tenants}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  clusterName: acme
  selector: {matchLabels: {pool: general}}
  template:
    metadata: {labels: {pool: general}}
    spec:
      clusterName: acme
      failureDomain: zone-a
      bootstrap: {dataSecretName: acme-general}
      infrastructureRef: {apiGroup: ${template}, kind: VSphereMachineTemplate, name: acme-general}
`;
const storage = (parameters: string) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: pd.csi.storage.gke.io
parameters: {${parameters}}
`;
const proxmox = (namespace: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha2
kind: ProxmoxCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  dnsServers: [192.0.2.2]
  credentialsRef: {name: proxmox, namespace: ${namespace}}
  ipv4Config: {addresses: [192.0.2.11-192.0.2.60], gateway: 192.0.2.1, metric: 100, prefix: 24}
---
apiVersion: v1
kind: Secret
metadata: {name: proxmox, namespace: tenant-acme}
stringData: {other: placeholder}
`;
const issuing = (client: string) => `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: v1.34.1
  machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: acme}}}
  kubeadmConfigSpec:
    clusterConfiguration:
      apiServer: {extraArgs: [{name: oidc-issuer-url, value: "https://id.example.com"}, {name: oidc-groups-claim, value: groups}${client}]}
`;
const kubeVip = (command: string) => `apiVersion: v1
kind: Pod
metadata: {name: kube-vip, namespace: kube-system}
spec:
  hostNetwork: true
  containers:
    - name: kube-vip
      image: ghcr.io/kube-vip/kube-vip:v0.3.7
      args: [${command}]
      env: [{name: vip_arp, value: "true"}, {name: vip_address, value: 192.0.2.10}]
`;
const bastion = (cluster: string, place: string) => topology(place)
  .replaceAll('OpenStackClusterTemplate', cluster).replaceAll(/(?<=infrastructure.cluster.x-k8s.io\/)v1beta1/g, 'v1beta2').replace('identityRef/', '')
  .replace(/identityRef: .*24}\]/, 'region: eu-west-1');
const source = (namespace: string, more: string) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: ${namespace}}
spec: {interval: 1h, url: "https://charts.example.com"}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: others, namespace: shop}
spec: {interval: 1h, url: "https://others.example.com"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: store${more}}
spec: {interval: 10m, chart: {spec: {chart: store, version: 10.1.0, sourceRef: {kind: HelmRepository, name: charts}}}}
`;
const synced = (name: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 10m, prune: true, path: apps, sourceRef: {kind: OCIRepository, name: ${name}}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: others, namespace: flux-system}
spec: {interval: 1h, url: "oci://registry.example.com/others"}
`;
const topology = (place: string) => `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: quick, namespace: tenant-acme}
spec:
  controlPlane: {templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: quick}}
  infrastructure: {templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackClusterTemplate, name: quick}}
  patches:
    - name: identity
      definitions:
        - selector: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackClusterTemplate, matchResources: {infrastructureCluster: true}}
          jsonPatches: [{op: replace, path: /spec/template/spec/identityRef/${place}, value: ClusterIdentity}]
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlaneTemplate
metadata: {name: quick, namespace: tenant-acme}
spec: {template: {spec: {kubeadmConfigSpec: {clusterConfiguration: {apiServer: {certSANs: [acme.example.com]}}}}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackClusterTemplate
metadata: {name: quick, namespace: tenant-acme}
spec: {template: {spec: {identityRef: {name: cloud-config, cloudName: openstack}, managedSubnets: [{cidr: 10.6.0.0/24}]}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec: {topology: {classRef: {name: quick}, version: v1.34.1, controlPlane: {replicas: 1}}}
`;

test.each<[string, string, string, string]>([
  ['TC-TRAP-KUBERNETES-BACKEND-PORT', 'the port of the pods, which some controllers of Ingresses take', ingress('{number: 8080}'), ingress('{number: 9090}')],
  ['TC-TRAP-KUBERNETES-BACKEND-PORT', 'the action of an annotation', ingress('{name: use-annotation}'), route(8080)],
  ['TC-TRAP-CERT-MANAGER-SHARED-SECRET', 'certificates of two folders that get their namespaces later', certificates('name: a', 'name: b'), certificates('name: a, namespace: shop', 'name: b, namespace: shop')],
  ['TC-TRAP-REF-NAMED-KEY', 'a Secret of the same name in another namespace', issuer('external-dns'), issuer('cert-manager')],
  ['TC-TRAP-CHART-SECRET-KEY', 'credentials that are no keys of a Secret', release('accessKey: shop, secretKey: placeholder'), release('userKey: user')],
  ['TC-TRAP-CHART-SECRET-KEY', 'the text of a key', release('tokenKey: "-----BEGIN PRIVATE KEY-----"'), release('secretKey: placeholder')],
  ['TC-TRAP-ARGO-CD-SET-PARAMETER', 'a parameter that the template asks for', set('web-{{.cluster}}{{ if hasKey . "part" }}{{.part}}{{ end }}'), set('web-{{.cluster}}{{.part}}')],
  ['TC-TRAP-OPENSTACK-SECURITY-GROUP-RULE', 'type and code of ICMP', group('protocol: icmp, portRangeMin: 8, portRangeMax: 0'), group('protocol: tcp, portRangeMin: 8, portRangeMax: 0')],
  ['TC-TRAP-VSPHERE-ZONE', 'a zone of a supervisor', zone('vmware.infrastructure.cluster.x-k8s.io'), zone('infrastructure.cluster.x-k8s.io')],
  ['TC-TRAP-GCP-DISK-PARAMETER', 'the access mode of disks', storage('access-mode: READ_WRITE_MANY'), storage('access: READ_WRITE_MANY')],
  ['TC-TRAP-PROXMOX-CREDENTIAL-KEYS', 'credentials of another namespace', proxmox('proxmox'), proxmox('tenant-acme')],
  ['TC-TRAP-TOPOLOGY-PATCH', 'a patch of a value that the server writes into the template', topology('type'), topology('region')],
  ['TC-TRAP-TOPOLOGY-PATCH', 'a patch of a value that a webhook writes into the template', bastion('AWSClusterTemplate', 'bastion/enabled'), topology('region')],
  ['TC-TRAP-KUBEADM-OIDC', 'a client that a variable names', issuing(', {name: oidc-client-id, value: "${CLIENT}"}'), issuing('')],
  ['TC-TRAP-KUBE-VIP-MODE', 'the command of old releases', kubeVip('start'), kubeVip('manager')],
  ['TC-TRAP-REF-FLUX', 'a source whose namespace kustomize replaces', source('flux-system', ''), source('flux-system', ', namespace: shop')],
  ['TC-TRAP-REF-FLUX', 'the source that Flux itself comes from', synced('flux-system'), synced('apps')],
])('%s: %s', (rule, _, accepted, refused) => {
  expect(rulesFound(accepted)).not.toContain(rule);
  expect(rulesFound(refused)).toContain(rule);
});
