import { checkResourceRequirements, ResourceRequirements } from '../../../src/manifests/values/resource-requirements';

const find = (requirements: ResourceRequirements): string[] =>
  checkResourceRequirements(requirements).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('resource requirements', () => {
  test.each<ResourceRequirements>([
    {},
    { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '64Mi' } },
    { requests: { 'cpu': '0.1', 'ephemeral-storage': '1Gi' }, limits: { 'cpu': '100m', 'ephemeral-storage': '1024Mi' } },
    { limits: { 'nvidia.com/gpu': '1' } },
    { requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
    { requests: { 'cpu': '1', 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } },
    { requests: { 'attachable.kubernetes.io/x': '1' } },
  ])('%j is sound', (requirements) => {
    expect(find(requirements)).toEqual([]);
  });

  test.each<[ResourceRequirements, string[]]>([
    [{ requests: { memory: '128Mi' }, limits: { memory: '64Mi' } },
      ['requests.memory: "128Mi" is more than the limit, "64Mi"']],
    [{ requests: { cpu: '1' }, limits: { cpu: '999m' } }, ['requests.cpu: "1" is more than the limit, "999m"']],
    [{ limits: { memory: '100m' } },
      ['limits.memory: "100m" is not a whole number ("m" means thousandths; "M" and "Mi" mean millions); accepted are whole quantities such as "512Mi" or "2"']],
    [{ requests: { gpu: '1' } },
      ['requests.gpu: "gpu" is not a resource of a container; accepted are cpu, memory, ephemeral-storage, hugepages-<size>, and names with a domain such as "nvidia.com/gpu"']],
    [{ requests: { 'requests.nvidia.com/gpu': '1' }, limits: { 'requests.nvidia.com/gpu': '1' } },
      ['requests.requests.nvidia.com/gpu: "requests.nvidia.com/gpu" is a quota, not a resource; accepted is "nvidia.com/gpu"',
        'limits.requests.nvidia.com/gpu: "requests.nvidia.com/gpu" is a quota, not a resource; accepted is "nvidia.com/gpu"']],
    [{ requests: { 'nvidia.com/gpu': '1' } },
      ['requests.nvidia.com/gpu: nvidia.com/gpu is requested without a limit']],
    [{ requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '2' } },
      ['requests.nvidia.com/gpu: "1" is not the limit, "2"']],
    [{ requests: { 'hugepages-2Mi': '4Mi' }, limits: { 'hugepages-2Mi': '4Mi' } },
      ['requests.hugepages-2Mi: huge pages require cpu or memory beside them']],
    [{ limits: { 'cpu': '1', 'hugepages-big': '4Mi' } },
      ['limits.hugepages-big: "hugepages-big" does not name a size of huge pages; accepted are names such as "hugepages-2Mi" and "hugepages-1Gi"']],
    [{ limits: { 'cpu': '1', 'hugepages-2Mi': '3Mi' } }, ['limits.hugepages-2Mi: "3Mi" is not a multiple of the size of the pages']],
    [{ limits: { 'nvidia.com/gpu': '0.5' } }, ['limits.nvidia.com/gpu: "0.5" is not a whole number']],
    [{ requests: { cpu: '-1' } }, ['requests.cpu: "-1" is negative']],
  ])('%j', (requirements, expected) => {
    expect(find(requirements)).toEqual(expected);
  });

  test('a string that is no quantity is reported once, and not compared', () => {
    expect(find({ requests: { memory: '1GB' }, limits: { memory: '1Gi' } })).toHaveLength(1);
  });
});
