import { parse } from 'yaml';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { mountedFile, podSources } from '../../../src/manifests/rules/mounted-files';
import { argumentOf, isKnownRelease, programsOf, runningPrograms, valueOf } from '../../../src/manifests/rules/programs';

function workload(container: string, pod = '', kind = 'Deployment'): ManifestObject {
  return parse(`
apiVersion: apps/v1
kind: ${kind}
metadata: {name: controller, namespace: tenant-acme}
spec:
  template:
    spec: {${pod}containers: [{name: main, ${container}}]}
`) as ManifestObject;
}

const programOf = (container: string, pod?: string) => programsOf(workload(container, pod))[0];
const argumentsOf = (container: string) => programOf(container)?.args.map(({ name, value }) => [name, value]);

test.each([
  ['image: "registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2"', 'cluster-autoscaler', '1.35'],
  ['image: "mirror.example.com:5000/k8s/autoscaling/cluster-autoscaler-arm64:v1.35.2@sha256:1111111111111111111111111111111111111111111111111111111111111111"', 'cluster-autoscaler', '1.35'],
  ['image: "platform/ca:1.34.0", command: [/cluster-autoscaler]', 'cluster-autoscaler', '1.34'],
  ['image: "platform/ca:1.34.0", args: [--cloud-provider=clusterapi]', 'cluster-autoscaler', '1.34'],
  ['image: "quay.io/platform/ccm", args: [--cloud-provider=kubevirt]', 'kubevirt-cloud-controller-manager', undefined],
  ['image: "registry.k8s.io/kas-network-proxy/proxy-agent:v0.36.0"', 'konnectivity-agent', '0.36'],
  ['image: "registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0", command: [/bin/openstack-cloud-controller-manager]', 'openstack-cloud-controller-manager', '1.33'],
  ['image: "registry.k8s.io/kube-apiserver:v1.35.4", command: [kube-apiserver]', 'kube-apiserver', '1.35'],
  ['image: "$' + '{REGISTRY}/kubevirt-csi-driver:$' + '{TAG}"', 'kubevirt-csi-driver', undefined],
  ['image: "busybox:1.37.0", command: [sh, -c, "exec /cluster-autoscaler"]', 'busybox', '1.37'],
  ['image: "$' + '{IMAGE}"', undefined, undefined],
])('%s is %s %s', (container, name, release) => {
  expect(programOf(container)).toEqual(name === undefined ? undefined : expect.objectContaining({ name }));
  expect(programOf(container)?.release).toBe(release);
});

test('A release is known if the tables of flags have it', () => {
  const known = (tag: string) => isKnownRelease(programOf(`image: "registry.k8s.io/autoscaling/cluster-autoscaler:${tag}"`)!);

  expect(['v1.35.2', 'v1.29.0', 'latest'].map(known)).toEqual([true, false, false]);
});

test('Arguments have their values after an equals sign or a space; switches have none after a space', () => {
  expect(argumentsOf('image: cluster-autoscaler, command: [./cluster-autoscaler, --v=4], args: [--namespace, kube-system, --leader-elect, more, -v, "2", --scan_interval=1m, --, --after=1]')).toEqual([
    ['v', '4'], ['namespace', 'kube-system'], ['leader-elect', 'true'], ['v', '2'], ['scan-interval', '1m'],
  ]);
  expect(argumentOf(programOf('image: cluster-autoscaler, args: [--v=1, --v=4]')!, 'v')?.value).toBe('4');
});

test('A script and a variable may hold further arguments', () => {
  expect(programOf('image: a, args: [--b=$(C)]')).toMatchObject({ isComplete: true, args: [{ name: 'b', value: undefined, written: '$(C)' }] });
  expect(programOf('image: a, args: [$(MORE)]')).toMatchObject({ isComplete: false, args: [] });
  expect(programOf('image: a, command: [sh, -c], args: [--b]')).toMatchObject({ isComplete: false, args: [] });
  expect(programOf('image: a, args: ["{{ .Values.args }}"]')).toMatchObject({ isComplete: false, args: [] });
});

test('Variables of a container are replaced, those of ConfigMaps if these are known', () => {
  const program = programOf('image: a, env: [{name: A, value: x}, {name: N, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}},'
    + ' {name: C, valueFrom: {configMapKeyRef: {name: config, key: c}}}], args: [--a=$(A)-$$(A), --n=$(N), --c=$(C), --d=$(D)]')!;
  const index = new ManifestIndex([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config', namespace: 'tenant-acme' }, data: { c: 'y' } }]);

  expect(program.args.map(({ value }) => value)).toEqual(['x-$(A)', 'tenant-acme', undefined, undefined]);
  expect(program.args.map((argument) => valueOf(program, argument, index))).toEqual(['x-$(A)', 'tenant-acme', 'y', undefined]);
});

test('Containers that end before others start are no running programs', () => {
  const pod = (policy: string) => workload('image: a', `initContainers: [{name: first, image: b${policy}}], `);

  expect(runningPrograms(pod('')).map(({ name }) => name)).toEqual(['a']);
  expect(runningPrograms(pod(', restartPolicy: Always')).map(({ name }) => name)).toEqual(['b', 'a']);
});

const VOLUMES = 'volumes: [{name: config, configMap: {name: cloud-config}}, {name: kubeconfig, secret: {secretName: acme, optional: true, items: [{key: value, path: conf}]}},'
  + ' {name: all, projected: {sources: [{secret: {name: one, items: [{key: a, path: b}]}}, {configMap: {name: two}}]}}], ';
const MOUNTS = 'image: a, volumeMounts: [{name: config, mountPath: /etc/cloud/}, {name: kubeconfig, mountPath: /etc/cloud/kube}, {name: all, mountPath: /all},'
  + ' {name: config, mountPath: /one.yaml, subPath: config.yaml}]';

test.each([
  ['/etc/cloud/cloud-config', 'cloud-config', 'cloud-config'],
  ['/etc/cloud/kube/conf', 'acme', 'value'],
  ['/etc/cloud/kube/value', 'acme', undefined],
  ['/all/b', 'one', 'a'],
  ['/all/c', 'two', 'c'],
  ['/one.yaml', 'cloud-config', 'config.yaml'],
  ['/etc/hosts', undefined, undefined],
])('%s comes from %s, key %s', (file, name, key) => {
  const found = mountedFile(programOf(MOUNTS, VOLUMES)!, file);

  expect([found?.source.name, found?.key]).toEqual([name, key]);
});

test('ConfigMaps and Secrets of volumes and variables are found with the keys that a pod needs', () => {
  const object = workload('image: a, envFrom: [{secretRef: {name: every}}], env: [{name: A, valueFrom: {secretKeyRef: {name: token, key: t}}}]', VOLUMES);

  expect(podSources(object).map(({ kind, name, isOptional, keys, path }) => [kind, name, isOptional, keys?.map(({ key }) => key), path.slice(4).join('.')])).toEqual([
    ['/ConfigMap', 'cloud-config', false, undefined, '0.configMap'],
    ['/Secret', 'acme', true, ['value'], '1.secret'],
    ['/Secret', 'one', false, ['a'], '2.projected.sources.0.secret'],
    ['/ConfigMap', 'two', false, undefined, '2.projected.sources.1.configMap'],
    ['/Secret', 'token', false, ['t'], '0.env.0.valueFrom.secretKeyRef'],
    ['/Secret', 'every', false, undefined, '0.envFrom.0.secretRef'],
  ]);
});
