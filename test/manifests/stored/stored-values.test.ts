import { differences, object } from './written-objects';

const pods = (container: string, more = '') => `selector: {matchLabels: {a: b}}
template:
  metadata: {labels: {a: b}}
  spec:
    containers: [{name: a, image: "a:1"${container === '' ? '' : `, ${container}`}}]${more}`;
const memory = (kind: string, amount: string) => object(kind, 'apps/v1', pods(`resources: {limits: {memory: ${amount}}}`));
const pod = (spec: string) => object('Pod', 'v1', spec);
const service = (port: string, more = '') => object('Service', 'v1', `ports: [{port: 80, ${port}}]${more}`);
const policy = (spec: string) => object('NetworkPolicy', 'networking.k8s.io/v1', spec);
const kamaji = (spec: string) => object('KamajiControlPlane', 'controlplane.cluster.x-k8s.io/v1alpha2', spec);
const kubeadm = (version: string, configuration: string) => object('KubeadmControlPlane', `controlplane.cluster.x-k8s.io/${version}`, `version: v1.34.1\nreplicas: 3\nkubeadmConfigSpec: {${configuration}}`);
const pool = (spec: string) => object('MachineDeployment', 'cluster.x-k8s.io/v1beta2', `clusterName: acme\n${spec}`);
const cluster = (topology: string) => object('Cluster', 'cluster.x-k8s.io/v1beta2', `topology: {classRef: {name: a}, version: v1.34.1, ${topology}}`);
const release = (version: string, interval: string) => object('HelmRelease', `helm.toolkit.fluxcd.io/${version}`, `interval: ${interval}\nchartRef: {kind: OCIRepository, name: a}`);
const aws = (version: string, spec: string) => object('AWSMachineTemplate', `infrastructure.cluster.x-k8s.io/${version}`, `template: {spec: {${spec}}}`);
const claim = (spec: string) => object('PersistentVolumeClaim', 'v1', `accessModes: [ReadWriteOnce]\nresources: {requests: {storage: 1Gi}}${spec}`);
const machines = (amount: string) => object('KubevirtMachineTemplate', 'infrastructure.cluster.x-k8s.io/v1alpha1', `template:
  spec:
    virtualMachineTemplate:
      spec: {runStrategy: Always, template: {spec: {domain: {devices: {}, memory: {guest: ${amount}}}}}}`);
const secret = (field: string, text: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, [field]: { key: text } });

test.each([
  ['a quantity in another unit', memory('Deployment', '512Mi'), memory('Deployment', '0.5Gi')],
  ['a binary quantity in bytes, where quantities are compared by value', memory('Deployment', '1Gi'), memory('Deployment', '1073741824')],
  ['a quantity that is a number', memory('Deployment', '"1000"'), memory('Deployment', '1k')],
  ['a quantity of a StatefulSet in another binary unit', memory('StatefulSet', '1Gi'), memory('StatefulSet', '1024Mi')],
  ['defaults of a container', object('Deployment', 'apps/v1', pods('')), object('Deployment', 'apps/v1', `replicas: 1\n${pods('imagePullPolicy: IfNotPresent, resources: {}, ports: []')}`)],
  ['a port of TCP', service('targetPort: 80'), service('protocol: TCP', '\ntype: ClusterIP')],
  ['a volume without a source', pod('containers: []\nvolumes: [{name: a}]'), pod('containers: []\nvolumes: [{name: a, emptyDir: {}}]')],
  ['an empty list of rules', policy('podSelector: {}\npolicyTypes: [Ingress]'), policy('podSelector: {}\ningress: []')],
  ['a field that is null', claim(''), claim('\nstorageClassName: null')],
  ['a Go duration', release('v2', '5m'), release('v2', '300s')],
  ['another version of a definition without conversion', release('v2beta2', '5m'), release('v2', '5m')],
  ['another version with the same fields', aws('v1beta1', 'instanceType: t3.large'), aws('v1beta2', 'instanceType: t3.large')],
  ['the order of variables', cluster('variables: [{name: a, value: 1}, {name: b, value: 2}]'), cluster('variables: [{name: b, value: 2}, {name: a, value: 1}]')],
  ['a version without v', kamaji('version: v1.34.1\nreplicas: 2'), kamaji('version: 1.34.1')],
  ['what kubeadm\'s machines are compared without', kubeadm('v1beta2', ''), kubeadm('v1beta2', 'format: cloud-config, preKubeadmCommands: []')],
  ['empty texts and zeros that Go\'s types leave out', kubeadm('v1beta1', 'initConfiguration: {localAPIEndpoint: {advertiseAddress: "", bindPort: 0}}, joinConfiguration: {controlPlane: {localAPIEndpoint: {bindPort: 0}}}'),
    kubeadm('v1beta1', 'joinConfiguration: {controlPlane: {}}')],
  ['labels that a webhook sets', pool('selector: {}\ntemplate: {spec: {clusterName: acme}}'), pool(`selector: {matchLabels: {cluster.x-k8s.io/deployment-name: acme}}
template: {metadata: {labels: {cluster.x-k8s.io/deployment-name: acme, cluster.x-k8s.io/cluster-name: acme}}, spec: {clusterName: acme}}`)],
  ['a Secret in base64', secret('stringData', 'a'), secret('data', 'YQ==')],
])('the same: %s', (_, before, after) => {
  expect(differences(before, after)).toEqual([]);
  expect(differences(after, before)).toEqual([]);
});

test.each([
  ['a quantity of another size', memory('Deployment', '512Mi'), memory('Deployment', '512M'), ['spec.template.spec.containers.a.resources.limits.memory "512Mi" -> "512M"']],
  ['a decimal quantity of a StatefulSet, whose revisions are compared by their text', memory('StatefulSet', '1Gi'), memory('StatefulSet', '1073741824'), [
    'spec.template.spec.containers.a.resources.limits.memory "1Gi" -> 1073741824',
  ]],
  ['a quantity that a webhook compares by its text', machines('1Gi'), machines('1024Mi'), [
    'spec.template.spec.virtualMachineTemplate.spec.template.spec.domain.memory.guest "1Gi" -> "1024Mi"',
  ]],
  ['an argument whose value is empty', kubeadm('v1beta2', 'clusterConfiguration: {scheduler: {extraArgs: [{name: a, value: ""}]}}'), kubeadm('v1beta2', 'clusterConfiguration: {scheduler: {extraArgs: [{name: a, value: b}]}}'), [
    'spec.kubeadmConfigSpec.clusterConfiguration.scheduler.extraArgs.a.value "" -> "b"',
  ]],
  ['a label whose value is empty', kubeadm('v1beta1', 'joinConfiguration: {nodeRegistration: {kubeletExtraArgs: {a: ""}}}'), kubeadm('v1beta1', 'joinConfiguration: {nodeRegistration: {kubeletExtraArgs: {}}}'), [
    'spec.kubeadmConfigSpec.joinConfiguration.nodeRegistration.kubeletExtraArgs.a "" -> undefined',
  ]],
  ['a join without a control plane', kubeadm('v1beta2', 'joinConfiguration: {controlPlane: {}}'), kubeadm('v1beta2', 'joinConfiguration: {nodeRegistration: {name: a}}'), [
    'spec.kubeadmConfigSpec.joinConfiguration.controlPlane {} -> undefined', 'spec.kubeadmConfigSpec.joinConfiguration.nodeRegistration.name undefined -> "a"',
  ]],
  ['a name of a port', service('targetPort: 80'), service('targetPort: "80"'), ['spec.ports[0].targetPort 80 -> "80"']],
  ['a volume in memory', pod('containers: []\nvolumes: [{name: a}]'), pod('containers: []\nvolumes: [{name: a, emptyDir: {medium: Memory}}]'), ['spec.volumes.a.emptyDir.medium undefined -> "Memory"']],
  ['an empty selector', policy('podSelector: {}\ningress: [{from: [{podSelector: {}}]}]'), policy('podSelector: {}\ningress: [{from: [{podSelector: {}, namespaceSelector: {}}]}]'), [
    'spec.ingress[0].from[0].namespaceSelector undefined -> {}',
  ]],
  ['a class of no name', claim(''), claim('\nstorageClassName: ""'), ['spec.storageClassName undefined -> ""']],
  ['an addon with all its defaults', kamaji('addons: {}'), kamaji('addons: {coreDNS: {}}'), ['spec.addons.coreDNS undefined -> {}']],
  ['the order of a list that is a set', kamaji('kubelet: {preferredAddressTypes: [InternalIP, ExternalIP]}'), kamaji('kubelet: {preferredAddressTypes: [ExternalIP, InternalIP]}'), [
    'spec.kubelet.preferredAddressTypes[0] "InternalIP" -> "ExternalIP"', 'spec.kubelet.preferredAddressTypes[1] "ExternalIP" -> "InternalIP"',
  ]],
  ['no taints instead of those of kubeadm', kubeadm('v1beta2', 'joinConfiguration: {nodeRegistration: {name: a}}'), kubeadm('v1beta2', 'joinConfiguration: {nodeRegistration: {name: a, taints: []}}'), [
    'spec.kubeadmConfigSpec.joinConfiguration.nodeRegistration.taints undefined -> []',
  ]],
  ['a switch that is off in words', kubeadm('v1beta2', 'files: [{path: a}]'), kubeadm('v1beta2', 'files: [{path: a, append: false}]'), ['spec.kubeadmConfigSpec.files.a.append undefined -> false']],
  ['the order of arguments', kubeadm('v1beta2', 'clusterConfiguration: {scheduler: {extraArgs: [{name: a, value: b}, {name: c, value: d}]}}'),
    kubeadm('v1beta2', 'clusterConfiguration: {scheduler: {extraArgs: [{name: c, value: d}, {name: a, value: b}]}}'),
    ['spec.kubeadmConfigSpec.clusterConfiguration.scheduler.extraArgs [{"name":"a","value":"b"},{"name":"c","value":"d"}] -> [{"name":"c","value":"d"},{"name":"a","value":"b"}]']],
  ['a size that the server derives from what there is', pool('replicas: 1'), pool('paused: false'), ['spec.replicas 1 -> undefined']],
  ['another duration', release('v2', '5m'), release('v2', '5s'), ['spec.interval "5m" -> "5s"']],
  ['another version, in which a field has another place', aws('v1beta1', 'failureDomain: a'), aws('v1beta2', 'failureDomain: a'), [
    'apiVersion "infrastructure.cluster.x-k8s.io/v1beta1" -> "infrastructure.cluster.x-k8s.io/v1beta2"',
  ]],
  ['the content of a Secret in base64', secret('stringData', 'a'), secret('data', 'YTE='), ['data.key "YQ==" -> "YTE="']],
  ['a replaced default', object('Deployment', 'apps/v1', pods('')), object('Deployment', 'apps/v1', `strategy: {type: Recreate}\n${pods('')}`), ['spec.strategy.type undefined -> "Recreate"']],
])('not the same: %s', (_, before, after, expected) => {
  expect(differences(before, after)).toEqual(expected);
});
