import { Size } from 'cdk8s';
import { clusterProblems, objectsOf, problems, Surroundings } from './bound';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantLimitRange } from '../../../../src/constructs/tenant/isolation/limit-range';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';

const NONE = { network: NetworkIsolation.none() };
const CONTAINER_DISK = { rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/os/ubuntu:24.04' }) };

function limitsOf(limitRange: TenantLimitRange): any {
  return objectsOf({ ...NONE, limitRange })['LimitRange acme'].spec.limits;
}

test('the limit range has everything that the API server would add', () => {
  expect(limitsOf({
    containerMinimum: { 'ephemeral-storage': '1Mi' },
    containerDefaultRequests: { memory: '64Mi' },
    containerDefaultLimits: { memory: '1Gi' },
    containerMaximum: { cpu: '64', memory: '512Gi' },
    volumeClaimMinimum: '1Gi',
    volumeClaimMaximum: '2Ti',
  })).toEqual([
    {
      type: 'Container',
      min: { 'ephemeral-storage': '1Mi' },
      max: { cpu: '64', memory: '512Gi' },
      default: { cpu: '64', memory: '1Gi' },
      defaultRequest: { 'cpu': '64', 'ephemeral-storage': '1Mi', 'memory': '64Mi' },
    },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Ti' } },
  ]);
  expect(limitsOf({ volumeClaimMaximum: '2Ti' })).toEqual([{ type: 'PersistentVolumeClaim', max: { storage: '2Ti' } }]);
});

test.each<[TenantLimitRange, string, ...string[]]>([
  [{}, 'isolation.limitRange', 'limits nothing'],
  [{ containerMinimum: {} }, 'isolation.limitRange', 'limits nothing'],
  [{ containerMaximum: { cpus: '1' } }, 'isolation.limitRange.containerMaximum.cpus', '"cpus" is not a resource'],
  [{ containerDefaultLimits: { memory: '100m' } }, 'isolation.limitRange.containerDefaultLimits.memory', '"100m"'],
  [{ volumeClaimMaximum: '2 Ti' }, 'isolation.limitRange.volumeClaimMaximum', '"2 Ti"'],
])('TC-ISOLATION-LIMIT-RANGE: %j', (limitRange, property, ...texts) => {
  const found = problems({ ...NONE, limitRange });
  expect(found.map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-ISOLATION-LIMIT-RANGE']]);
  expect(found[0].text.startsWith(`${property}: `)).toBe(true);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test.each<[TenantLimitRange, string]>([
  [{ containerMinimum: { cpu: '2' }, containerMaximum: { cpu: '1' } }, 'isolation.limitRange.containerMinimum.cpu: 2 is more than max, 1'],
  [{ containerDefaultRequests: { cpu: '2' }, containerDefaultLimits: { cpu: '1' } }, 'isolation.limitRange.containerDefaultRequests.cpu: 2 is more than default, 1'],
  [{ containerDefaultLimits: { cpu: '2' }, containerMaximum: { cpu: '1500m' } }, 'isolation.limitRange.containerDefaultLimits.cpu: 2 is more than max, 1500m'],
  [{ volumeClaimMinimum: '2Gi', volumeClaimMaximum: '1Gi' }, 'isolation.limitRange.volumeClaimMinimum: 2Gi is more than max, 1Gi'],
])('TC-ADMIT-KUBERNETES-LIMIT-RANGE: %j', (limitRange, text) => {
  expect(clusterProblems({ ...NONE, limitRange })).toMatchObject([{ path: 'acme', id: 'TC-ADMIT-KUBERNETES-LIMIT-RANGE', text: expect.stringContaining(text) }]);
});

test.each<TenantLimitRange>([
  { containerDefaultLimits: { memory: '64Gi', cpu: '8' }, containerDefaultRequests: { cpu: '10m', memory: '32Mi' } },
  { containerMaximum: { 'memory': '64Gi', 'hugepages-2Mi': '1Gi' } },
  { containerDefaultLimits: { 'ephemeral-storage': '2Gi' } },
])('a limit range around everything is fine: %j', (limitRange) => {
  expect(clusterProblems({ ...NONE, limitRange })).toEqual([]);
});

const CASES: [what: string, limitRange: TenantLimitRange, around: Surroundings, property: string, ...texts: string[]][] = [
  [
    'machines that would not start', { containerDefaultLimits: { memory: '8Gi' } }, {}, 'containerDefaultLimits.memory',
    'compute in machines of pool acme-general requests 16708Mi and would be limited to 8Gi, which is refused',
  ],
  [
    'machines that would be throttled', { containerDefaultLimits: { cpu: '2' } }, {}, 'containerDefaultLimits.cpu',
    'machines of pool acme-general have 4 CPUs and would be throttled to 2',
  ],
  ['machines that are too large', { containerMaximum: { memory: '16Gi' } }, {}, 'containerMaximum.memory', 'needs 16708Mi, and no container may have more than 16Gi'],
  [
    'a control plane that is too small', { containerMinimum: { memory: '512Mi' } }, {}, 'containerMinimum.memory',
    'kube-controller-manager in pods of the control plane requests 256Mi, and no container may request less than 512Mi',
  ],
  [
    'machines that would be evicted', { containerDefaultLimits: { 'ephemeral-storage': '2Gi' } }, { machine: CONTAINER_DISK }, 'containerDefaultLimits.ephemeral-storage',
    'would be evicted at 2Gi', 'set podEphemeralStorage of the machine',
  ],
];

test.each(CASES)('TC-ISOLATION-LIMITS: %s', (_, limitRange, around, property, ...texts) => {
  const found = clusterProblems({ ...NONE, limitRange }, around);
  expect(new Set(found.map(({ path, id }) => `${path} ${id}`))).toEqual(new Set(['acme TC-ISOLATION-LIMITS']));
  const all = found.map(({ text }) => text).join('\n');
  expect(all).toContain(`isolation.limitRange.${property}: `);
  for (const text of texts) expect(all).toContain(text);
});

test('limits that KubeVirt sets because of the quota are not those of the limit range', () => {
  const limitRange = { containerDefaultLimits: { memory: '8Gi', cpu: '2' } };
  expect(clusterProblems({ ...NONE, limitRange, quota: { 'limits.memory': '1Ti', 'limits.cpu': '1000' } })).toEqual([]);
});

test('limits of the machine\'s own are not those of the limit range', () => {
  const machine = { ...CONTAINER_DISK, podEphemeralStorage: Size.gibibytes(60) };
  expect(clusterProblems({ ...NONE, limitRange: { containerDefaultLimits: { 'ephemeral-storage': '2Gi' } } }, { machine })).toEqual([]);
});

test('a limit range that is wrong in itself leads to no further problems', () => {
  const found = clusterProblems({ ...NONE, limitRange: { containerDefaultLimits: { memory: '1Gi', cpu: 'two' } } });
  expect(found.map(({ id }) => id)).toEqual(['TC-ISOLATION-LIMIT-RANGE']);
});
