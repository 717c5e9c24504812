import { FileFault, hostsIn } from '../../../src/manifests/capacity/hosts-file';
import { pricesIn } from '../../../src/manifests/capacity/prices';

const ENTRY = { name: 'general', cpu: 62, memory: '480Gi' };

describe('a list of hosts', () => {
  test('has hosts of each entry, over its zones', () => {
    const { hosts } = hostsIn([{ hosts: [{ ...ENTRY, count: 3, zones: ['a', 'b'], pods: 250, resources: { 'nvidia.com/gpu': 4 }, taints: ['gpu=a10:NoSchedule'] }] }]);
    expect(hosts.map(({ name, zone }) => [name, zone])).toEqual([['general-1', 'a'], ['general-2', 'b'], ['general-3', 'a']]);
    expect(hosts[0]).toMatchObject({
      kind: 'general',
      labels: { 'kubernetes.io/hostname': 'general-1', 'topology.kubernetes.io/zone': 'a' },
      taints: [{ key: 'gpu', value: 'a10', effect: 'NoSchedule' }],
    });
    expect(Object.fromEntries(hosts[0].allocatable)).toEqual({ 'cpu': 62_000, 'memory': 480 * 1024 ** 3, 'pods': 250, 'nvidia.com/gpu': 4 });
  });

  test.each([
    ['an unknown field', { ...ENTRY, mem: '4Gi' }, 'hosts[0] (general): there is no field "mem"'],
    ['no memory', { name: 'general', cpu: 4 }, 'hosts[0] (general).memory is missing'],
    ['no quantity', { ...ENTRY, memory: '480 GB' }, 'hosts[0] (general).memory: "480 GB" is not a quantity'],
    ['a negative amount', { ...ENTRY, cpu: -4 }, 'hosts[0] (general).cpu: "-4" is negative'],
    ['thousandths of bytes', { ...ENTRY, memory: '480m' }, 'hosts[0] (general).memory: "480m" is not a whole number'],
    ['a count that is no integer', { ...ENTRY, count: 1.5 }, 'hosts[0] (general).count: 1.5 is not an integer'],
    ['an object for a name', { ...ENTRY, name: {} }, 'hosts[0].name: {} is not a string'],
    ['a taint without effect', { ...ENTRY, taints: ['gpu'] }, 'hosts[0] (general).taints[0]: "gpu" is no taint'],
    ['zone and zones', { ...ENTRY, zone: 'a', zones: ['b'] }, 'hosts[0] (general) has zone and zones'],
    ['a label that is no string', { ...ENTRY, labels: { gpu: true } }, 'hosts[0] (general).labels[gpu]: true is not a string'],
    ['a list', ['general'], 'hosts[0] is no object'],
  ])('%s is refused', (_, entry, message) => {
    expect(() => hostsIn([{ hosts: [entry] }])).toThrow(message);
  });

  test('may have very many hosts', () => {
    expect(hostsIn([{ hosts: [{ ...ENTRY, count: 100_000 }, { ...ENTRY, name: 'other', count: 100_000 }] }]).hosts).toHaveLength(200_000);
  });

  test('names the accepted fields', () => {
    let fault: FileFault | undefined;
    try {
      hostsIn([{ hosts: [{ ...ENTRY, gpus: 4 }] }]);
    } catch (error) {
      fault = error as FileFault;
    }
    expect(fault?.fix).toBe('accepted fields: name, count, zone, zones, cpu, memory, pods, resources, labels, taints');
  });

  test.each([[[{ hosts: [] }]], [[{ hosts: 4 }]], [['text']], [[{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }]], [[{ hosts: [ENTRY, ENTRY] }]]])('%j is refused', (values) => {
    expect(() => hostsIn(values)).toThrow(FileFault);
  });
});

describe('nodes and pods', () => {
  const node = (fields: object = {}, labels: object = {}) => ({
    apiVersion: 'v1', kind: 'Node', metadata: { name: 'h1', labels }, spec: fields, status: { allocatable: { cpu: '3920m', memory: '16Gi', pods: '110' } },
  });

  test('are read as kubectl prints them', () => {
    const { hosts, pods } = hostsIn([{
      apiVersion: 'v1',
      kind: 'List',
      items: [node({ unschedulable: true }, { 'topology.kubernetes.io/zone': 'a' }), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', namespace: 'n', labels: { app: 'x' } },
        spec: {
          nodeName: 'h1',
          containers: [{ name: 'a', resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } } }],
          initContainers: [{ name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '10m' } } }, { name: 'once', resources: { requests: { cpu: '50m' } } }],
        },
      }],
    }]);
    expect(hosts[0]).toMatchObject({ name: 'h1', zone: 'a', isNode: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });
    expect(pods.map(({ host, requests }) => [host, Object.fromEntries(requests)])).toEqual([['h1', { cpu: 110, memory: 1024 ** 3, pods: 1 }]]);
  });

  test.each([
    ['init containers that run beside later ones', { initContainers: [{ restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }, { resources: { requests: { cpu: '4' } } }] }, 5000],
    ['the overhead of a RuntimeClass', { overhead: { cpu: '500m' } }, 2500],
    ['requests of the pod itself', { resources: { requests: { cpu: '7' } } }, 7000],
  ])('%s count', (_, spec, cpu) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeName: 'h1', containers: [{ resources: { requests: { cpu: '2' } } }], ...spec } };
    expect(hostsIn([pod]).pods[0].requests.get('cpu')).toBe(cpu);
  });

  test('pods that have ended, or have no host, take nothing', () => {
    const pod = (spec: object, phase: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec, status: { phase } });
    expect(hostsIn([pod({ nodeName: 'h1' }, 'Succeeded'), pod({}, 'Pending')]).pods).toEqual([]);
  });

  test('a node without its status is refused', () => {
    expect(() => hostsIn([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'h1' } }])).toThrow('Node h1: status.allocatable has no cpu or memory');
  });
});

describe('prices', () => {
  test.each([
    [{ per: 'month', hosts: { general: 1 } }, 'currency is missing'],
    [{ currency: 'EUR', hosts: { general: 1 } }, 'per is missing: a price needs its unit of time'],
    [{ currency: 'EUR', per: 'year', hosts: { general: 1 } }, 'per: "year" is no unit of time'],
    [{ currency: 'EUR', per: 'month' }, 'there is no price'],
    [{ currency: 'EUR', per: 'month', hosts: { general: '1' } }, 'hosts.general: "1" is not a price'],
    [{ currency: 'EUR', per: 'month', requests: { cpu: -1 } }, 'requests.cpu: -1 is not a price'],
    [{ currency: 'EUR', per: 'month', cpu: 1 }, 'there is no field "cpu"'],
  ])('%j is refused', (prices, message) => {
    expect(() => pricesIn([prices])).toThrow(message);
  });
});
