import { documents, indented } from '../../../../../src/manifests/rules/example-text';
import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { detailsIn, findings } from '../../../rules/rules-under-test';

const NAME = 'spec.template.spec.joinConfiguration.nodeRegistration.name';

function template(spec: string, version = 'v1beta2'): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/${version}
kind: KubeadmConfigTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  template:
    spec:
${indented(spec, 6)}`;
}

function registering(fields: string, beside = ''): string {
  return template(`${beside}joinConfiguration:\n  nodeRegistration:\n${indented(fields, 4)}`);
}

function pool(infrastructure: string, spec = ''): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  clusterName: acme
${indented(spec, 2)}  template:
    spec:
      clusterName: acme
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: acme-general}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ${infrastructure}, name: acme-general}
`;
}

function found(text: string): string[] {
  return findings(KUBEADM_MANIFEST_RULES, text).map((line) => line.replace(/^(\S+) .*nodeRegistration\.?/, '$1 ').replace(/: .*/, ''));
}

describe('a name that all machines would share', () => {
  const shared = 'TC-TRAP-KUBEADM-SHARED-NAME name';

  test.each<[string, string, string[]]>([
    ['a fixed name', registering('name: worker-1'), [shared]],
    ['one by Jinja', registering("name: '{{ v1.local_hostname }}'"), []],
    ['one that a tool fills in', registering('name: ${NODE_NAME}'), []],
    ['a placeholder that a provider replaces', registering('kubeletExtraArgs: [{name: provider-id, value: PROVIDER_ID}]'), []],
    ['a placeholder that a command replaces', registering('name: NODE', "preKubeadmCommands: ['sed -i s/NODE/$(hostname)/ /run/kubeadm/kubeadm-join-config.yaml']\n"), []],
    ['the name of the only machine, which goes before its successor comes', documents(
      registering('name: worker-1'), pool('VSphereMachineTemplate', 'replicas: 1\nrollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}'),
    ), []],
    ['the name of one of three', documents(registering('name: worker-1'), pool('VSphereMachineTemplate', 'replicas: 3')), [shared]],
    ['a fixed address', registering('kubeletExtraArgs: [{name: node-ip, value: 192.0.2.7}]'), ['TC-TRAP-KUBEADM-SHARED-NAME kubeletExtraArgs.0']],
    ['any address', registering('kubeletExtraArgs: [{name: node-ip, value: "::"}]'), []],
    ['a fixed name by argument, in v1beta1', registering('kubeletExtraArgs: {hostname-override: worker-1}').replace('v1beta2', 'v1beta1'),
      ['TC-TRAP-KUBEADM-SHARED-NAME kubeletExtraArgs.hostname-override']],
    ['a fixed provider ID', registering('kubeletExtraArgs: [{name: provider-id, value: "kubevirt://acme-1"}]'), ['TC-TRAP-KUBEADM-SHARED-NAME kubeletExtraArgs.0']],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('one machine may have a name', () => {
    const config = registering('name: worker-1').replace('KubeadmConfigTemplate', 'KubeadmConfig').replace('  template:\n    spec:\n', '').replace(/^ {4}/gm, '');

    expect(found(config)).toEqual([]);
  });
});

describe('what machines know of themselves', () => {
  const missing = `TC-TRAP-KUBEADM-INSTANCE-DATA ${NAME}: `;
  const lines = (text: string) => findings(KUBEADM_MANIFEST_RULES, text);

  test.each<[string, string, string, string[]]>([
    ['KubevirtMachineTemplate', 'ds.meta_data.hostname', 'is on its config drive', []],
    ['KubevirtMachineTemplate', 'ds.meta_data.name', 'is not', [`${missing}a machine of KubevirtMachineTemplate has no ds.meta_data.name: cloud-init writes CI_MISSING_JINJA_VAR/name there`]],
    ['KubevirtMachineTemplate', "ds.meta_data['local-hostname']", 'is read by brackets', []],
    ['GCPMachineTemplate', 'ds.meta_data.hostname', 'is not there', [`${missing}a machine of GCPMachineTemplate has no ds.meta_data.hostname: cloud-init writes CI_MISSING_JINJA_VAR/hostname there`]],
    ['GCPMachineTemplate', "ds.meta_data.local_hostname.split('.')[0]", 'is cut', []],
    ['ProxmoxMachineTemplate', 'ds.meta_data.hostname', 'is not known', []],
    ['OpenStackMachineTemplate', 'ds.meta_data.name', 'is there', []],
    ['VSphereMachineTemplate', 'ds.meta_data.hostname', 'is not known', []],
    ['AnyMachineTemplate', 'v1.localhostname', 'is misspelt', [`${missing}cloud-init has no v1.localhostname: cloud-init writes CI_MISSING_JINJA_VAR/localhostname there`]],
    ['AnyMachineTemplate', 'ds.meta_data.local-hostname', 'is a subtraction', [`${missing}Jinja reads ds.meta_data.local-hostname as a subtraction`]],
    ['AnyMachineTemplate', 'ds.metadata.hostname', 'has another name', [`${missing}cloud-init has no ds.metadata`]],
    ['KubevirtMachineTemplate', 'ds.meta_data.name | default(v1.local_hostname)', 'has a default', []],
  ])('on a %s %s %s', (kind, key, _, expected) => {
    expect(lines(documents(registering(`name: "{{ ${key} }}"`), pool(kind)))).toEqual(expected);
  });

  test.each<[string, string, string, string[]]>([
    ['ProxmoxMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.hostname', []],
    ['ProxmoxMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.provider_id', ['provider_id']],
    ['ProxmoxMachineTemplate', 'spec: {template: {spec: {metadataSettings: {providerIDInjection: true}}}}', 'ds.meta_data.provider_id', []],
    ['ProxmoxMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.uuid', ['uuid']],
    ['VSphereMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.hostname', []],
    ['VSphereMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.local_ipv4', []],
    ['VSphereMachineTemplate', 'spec: {template: {spec: {}}}', 'ds.meta_data.uuid', ['uuid']],
    ['VSphereMachineTemplate', 'spec: {template: {spec: {customVMXKeys: {guestinfo.metadata: e30=}}}}', 'ds.meta_data.uuid', []],
  ])('on a %s with %s, %s', (kind, spec, key, lacking) => {
    const machine = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: ${kind}\nmetadata: {name: acme-general, namespace: tenant-acme}\n${spec}\n`;

    expect(lines(documents(registering(`name: "{{ ${key} }}"`), pool(kind), machine))).toEqual(lacking.map((name) => (
      `${missing}a machine of ${kind} has no ds.meta_data.${name}: cloud-init writes CI_MISSING_JINJA_VAR/${name} there`)));
  });

  test('a data template adds keys', () => {
    const machine = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3MachineTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec: {template: {spec: {dataTemplate: {name: acme-data}}}}
`;
    const data = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3DataTemplate
metadata: {name: acme-data, namespace: tenant-acme}
spec: {clusterName: acme, metaData: {objectNames: [{key: machine-name, object: machine}]}}
`;
    const named = (key: string) => documents(registering(`name: "{{ ds.meta_data.${key} }}"`), pool('Metal3MachineTemplate'), machine);

    expect(lines(documents(named('machine_name'), data))).toEqual([]);
    expect(lines(documents(named('hostname'), data))).toEqual([expect.stringContaining('a machine of Metal3MachineTemplate has no ds.meta_data.hostname')]);
    expect(lines(named('hostname'))).toEqual([]);
  });

  test('without the template of the machines, a key that some platforms lack is a warning', () => {
    expect(lines(registering("name: '{{ ds.meta_data.hostname }}'"))).toEqual([expect.stringMatching(/^TC-TRAP-KUBEADM-INSTANCE-DATA-PLATFORM /)]);
    expect(lines(registering("name: '{{ ds.meta_data.local_hostname }}'"))).toEqual([]);
  });
});

describe('how a node is registered', () => {
  test.each<[string, string[]]>([
    ['taints: [{key: gpu, effect: NoRun}]', ['TC-TRAP-KUBEADM-TAINT taints.0']],
    ['taints: [{key: gpu, effect: NoSchedule}, {key: gpu, effect: NoSchedule}]', ['TC-TRAP-KUBEADM-TAINT taints.1']],
    ['taints: [{key: gpu, value: "a b", effect: NoSchedule}]', ['TC-TRAP-KUBEADM-TAINT taints.0']],
    ['taints: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}]', []],
    ['taints: []', []],
    ['criSocket: unix:///var/run/dockershim.sock', ['TC-TRAP-KUBEADM-CRI-SOCKET criSocket']],
    ['criSocket: tcp://127.0.0.1:3735', ['TC-TRAP-KUBEADM-CRI-SOCKET criSocket']],
    ['criSocket: run/containerd/containerd.sock', ['TC-TRAP-KUBEADM-CRI-SOCKET criSocket']],
    ['criSocket: /run/cri-dockerd.sock', []],
    ['criSocket: npipe:////./pipe/containerd-containerd', []],
    ['ignorePreflightErrors: [numcpu, Port-10250, FileAvailable--etc-kubernetes-pki-ca.crt]', []],
    ['ignorePreflightErrors: [NumCPUs]', ['TC-TRAP-KUBEADM-PREFLIGHT ignorePreflightErrors.0']],
    ['ignorePreflightErrors: [all, Mem]', ['TC-TRAP-KUBEADM-PREFLIGHT ignorePreflightErrors']],
  ])('%s', (fields, expected) => {
    expect(found(registering(fields))).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['initConfiguration: {skipPhases: [addon/kube-proxy, certs/all]}', []],
    ['initConfiguration: {skipPhases: [kube-proxy]}', ['did you mean addon/kube-proxy?']],
    ['joinConfiguration: {skipPhases: [addon/kube-proxy]}', ['remove it']],
  ])('%s', (spec, fixes) => {
    expect(detailsIn(KUBEADM_MANIFEST_RULES, template(spec)).map(({ fix }) => fix)).toEqual(fixes);
  });
});
