import { everyOutput, findings, isOwn } from './placed-objects';
import { Exception, Lack, lacking } from './pod-security';
import { containersIn } from './pods';

const outputs = everyOutput();

/** Containers that cannot do with less, by `Kind name container`. */
const EXCEPTIONS: readonly Exception[] = [
  {
    container: /^DaemonSet (kubevirt-csi-node csi-driver|csi-vultr-node csi-vultr-plugin)$/,
    lacks: ['memory limit', 'runAsNonRoot', 'no privilege escalation', 'drop ALL', 'seccomp', 'readOnlyRootFilesystem', 'not privileged', 'no host paths'],
    reason: 'makes, grows and mounts file systems on its node, and these programs use as much memory as they need',
  },
  {
    container: /^DaemonSet (kubevirt-csi-node|csi-vultr-node) (node-driver-registrar|liveness-probe)$/,
    lacks: ['runAsNonRoot', 'no host paths'],
    reason: 'talks to sockets of root, in folders of the kubelet',
  },
  {
    container: /^DaemonSet (vultr-ccm|csi-vultr-node) /,
    lacks: ['own network'],
    reason: 'works before there is a pod network, and asks the metadata service of its node',
  },
];

// What users put into `workloads` is theirs; addons of manifests, also of users, are held to the same as the library.
test('every container has bounds, and no more rights than the Pod Security Standard "restricted" gives', () => {
  expect(findings(outputs, (placed) => (isOwn(placed) ? lacking(placed.object, EXCEPTIONS) : []))).toEqual([]);
});

test('containers are found', () => {
  const own = outputs.flatMap(([, objects]) => objects.filter(isOwn));
  const images = own.flatMap(({ object }) => containersIn(object).map(({ container }) => container.image));
  expect(images).toEqual(expect.arrayContaining([expect.stringMatching(/busybox/), expect.stringMatching(/cluster-autoscaler/), expect.stringMatching(/kubevirt-cloud-controller-manager/)]));
});

test('no exception is left over', () => {
  const ids = outputs.flatMap(([, objects]) => objects.flatMap(({ object }) => containersIn(object).map(({ container }) => `${object.kind} ${object.metadata.name} ${container.name}`)));
  expect(EXCEPTIONS.filter(({ container }) => !ids.some((id) => container.test(id)))).toEqual([]);
});

describe('says what a container lacks', () => {
  const SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };
  const RESOURCES = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '16Mi' } };
  const POD = { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } };

  function lacks(container: object, pod: object): string[] {
    const object = {
      kind: 'DaemonSet',
      metadata: { name: 'node' },
      spec: { template: { spec: { ...pod, containers: [{ name: 'a', image: 'a:1', resources: RESOURCES, securityContext: SECURITY, ...container }] } } },
    };
    return lacking(object).map((text) => text.replace('spec.template.spec.containers[a]: lacks ', ''));
  }

  test.each<[Lack[], object, object]>([
    [[], {}, POD],
    [['cpu request', 'memory request', 'memory limit'], { resources: undefined }, POD],
    [['cpu request', 'memory limit'], { resources: { requests: { memory: '1Gi' }, limits: { cpu: '1' } } }, POD],
    [['runAsNonRoot', 'seccomp'], {}, {}],
    [['runAsNonRoot'], { securityContext: { ...SECURITY, runAsNonRoot: false } }, POD],
    [['runAsNonRoot'], {}, { securityContext: { ...POD.securityContext, runAsUser: 0 } }],
    [['seccomp'], { securityContext: { ...SECURITY, seccompProfile: { type: 'Unconfined' } } }, POD],
    [['no privilege escalation', 'drop ALL', 'readOnlyRootFilesystem'], { securityContext: undefined }, POD],
    [['drop ALL'], { securityContext: { ...SECURITY, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } } }, POD],
    [['drop ALL'], { securityContext: { ...SECURITY, capabilities: { drop: ['NET_RAW'] } } }, POD],
    [['not privileged'], { securityContext: { ...SECURITY, privileged: true } }, POD],
    [['own network', 'own processes', 'no host paths'], {}, { ...POD, hostNetwork: true, hostPID: true, volumes: [{ name: 'a', hostPath: { path: '/' } }] }],
  ])('%j', (expected, container, pod) => {
    expect(lacks(container, pod)).toEqual(expected);
  });

  test('of containers that start before the others, in a template of Jobs', () => {
    const jobs = {
      kind: 'CronJob',
      metadata: { name: 'x' },
      spec: { jobTemplate: { spec: { template: { spec: { ...POD, initContainers: [{ name: 'i', image: 'i:1' }], containers: [{ name: 'a', image: 'a:1', resources: RESOURCES, securityContext: SECURITY }] } } } } },
    };
    expect(lacking(jobs)[0]).toBe('spec.jobTemplate.spec.template.spec.initContainers[i]: lacks cpu request');
  });

  test('except what is granted, to that container alone', () => {
    const grant: Exception = { container: /^DaemonSet node a$/, lacks: ['memory limit'], reason: 'a test' };
    const object = (name: string) => ({ kind: 'DaemonSet', metadata: { name }, spec: { ...POD, containers: [{ name: 'a', image: 'a:1', resources: { requests: RESOURCES.requests }, securityContext: SECURITY }] } });
    expect(lacking(object('node'), [grant])).toEqual([]);
    expect(lacking(object('other'), [grant])).toEqual(['spec.containers[a]: lacks memory limit']);
  });
});
